import { type Plane, planeOf } from './plane.ts';

/** Mean over the square of 2 × `radius` + 1 pixels around each pixel, clipped to the plane. */
export const boxMean = (plane: Plane, radius: number): Plane => meanOf(plane, radius, false);

/**
 * `boxMean`, but multiplies by the reciprocal of the pixel count instead of dividing: faster, and the last bit may differ. Watermarks are
 * embedded and detected with it.
 */
export const quickBoxMean = (plane: Plane, radius: number): Plane => meanOf(plane, radius, true);

/** Running sums in 64 bits, along the rows and then down all columns at once, in memory order. */
function meanOf(plane: Plane, radius: number, isQuick: boolean): Plane {
  const { width, height } = plane;
  const rows = meanAlongRows(plane, radius, isQuick).data;
  const result = planeOf(plane);
  const sums = new Float64Array(width);
  const addRow = (y: number, sign: number) => {
    for (let x = 0, at = y * width; x < width; x++, at++) sums[x]! += sign * rows[at]!;
  };
  for (let y = 0; y < Math.min(radius, height); y++) addRow(y, 1);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) addRow(y + radius, 1);
    if (y - radius > 0) addRow(y - radius - 1, -1);
    const count = Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1;
    const target = result.data.subarray(y * width, (y + 1) * width);
    if (isQuick) for (let x = 0, share = 1 / count; x < width; x++) target[x] = sums[x]! * share;
    else for (let x = 0; x < width; x++) target[x] = sums[x]! / count;
  }
  return result;
}

function meanAlongRows(plane: Plane, radius: number, isQuick: boolean): Plane {
  const { width, data } = plane;
  const result = planeOf(plane);
  const share = 1 / (2 * radius + 1);
  for (let start = 0; start < data.length; start += width) {
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += data[start + x]!;
    for (let x = 0; x < width; x++) {
      const isWhole = x >= radius && x + radius < width;
      if (x + radius < width) sum += data[start + x + radius]!;
      if (x > radius) sum -= data[start + x - radius - 1]!;
      const count = Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1;
      result.data[start + x] = isQuick && isWhole ? sum * share : sum / count;
    }
  }
  return result;
}
