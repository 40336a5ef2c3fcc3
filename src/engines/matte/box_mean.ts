import { type Plane, planeOf } from './picture.ts';

/** The mean of the square of 2·radius+1 pixels a side around every pixel, of what of it lies inside the picture. */
export function boxMean({ width, height, data }: Plane, radius: number): Plane {
  const across = planeOf({ width, height });
  for (let y = 0; y < height; y++)
    slide(data, across.data, { start: y * width, step: 1, length: width, radius });
  const mean = planeOf({ width, height });
  for (let x = 0; x < width; x++)
    slide(across.data, mean.data, { start: x, step: width, length: height, radius });
  return mean;
}

function slide(
  from: Float32Array,
  into: Float32Array,
  { start, step, length, radius }: { start: number; step: number; length: number; radius: number },
): void {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < Math.min(radius, length); at++) {
    sum += from[start + at * step]!;
    count++;
  }
  for (let at = 0; at < length; at++) {
    if (at + radius < length) {
      sum += from[start + (at + radius) * step]!;
      count++;
    }
    if (at - radius > 0) {
      sum -= from[start + (at - radius - 1) * step]!;
      count--;
    }
    into[start + at * step] = sum / count;
  }
}

/** 1 wherever a pixel of `mask` above one half is at most `radius` away along both axes. */
export function grown(mask: Plane, radius: number): Plane {
  const binary = { ...mask, data: mask.data.map((value) => (value > 0.5 ? 1 : 0)) };
  if (radius < 1) return binary;
  // Half of what one pixel adds to the mean: rounding of the running sum stays below that.
  const least = 0.5 / (2 * radius + 1) ** 2;
  const mean = boxMean(binary, radius);
  return { ...mask, data: mean.data.map((value) => (value > least ? 1 : 0)) };
}
