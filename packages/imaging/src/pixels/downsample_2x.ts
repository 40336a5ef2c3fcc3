import { type Plane, planeOf } from './plane.ts';

/** Downsamples by 2, each pixel the mean of four; an odd last row or column is dropped, but at least one is kept. */
export function downsample2x({ width, height, data }: Plane): Plane {
  const result = planeOf({ width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) });
  const [right, below] = [width > 1 ? 1 : 0, height > 1 ? width : 0];
  for (let y = 0, at = 0; y < result.height; y++)
    for (let x = 0, from = 2 * y * width; x < result.width; x++, at++, from += 2)
      result.data[at] =
        (data[from]! + data[from + right]! + data[from + below]! + data[from + below + right]!) / 4;
  return result;
}
