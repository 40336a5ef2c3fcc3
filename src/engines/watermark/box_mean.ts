import type { Plane } from './plane.ts';

/** Mean over the square of 2 × `radius` + 1 pixels around each pixel, cut at the border. */
export function boxMean({ width, height, data }: Plane, radius: number): Plane {
  const rows = new Float32Array(data.length);
  for (let y = 0; y < height; y++) meanAlongRow(data, y * width, width, radius, rows);
  const result = new Float32Array(data.length);
  const sums = new Float64Array(width);
  const addRow = (y: number, sign: number) => {
    for (let x = 0, at = y * width; x < width; x++, at++) sums[x]! += sign * rows[at]!;
  };
  for (let y = 0; y < Math.min(radius, height); y++) addRow(y, 1);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) addRow(y + radius, 1);
    if (y - radius > 0) addRow(y - radius - 1, -1);
    const share = 1 / (Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1);
    for (let x = 0, at = y * width; x < width; x++, at++) result[at] = sums[x]! * share;
  }
  return { width, height, data: result };
}

function meanAlongRow(
  source: Float32Array,
  start: number,
  width: number,
  radius: number,
  target: Float32Array,
): void {
  let sum = 0;
  for (let x = 0; x < Math.min(radius, width); x++) sum += source[start + x]!;
  const share = 1 / (2 * radius + 1);
  for (let x = 0; x < width; x++) {
    const isInside = x >= radius && x + radius < width;
    if (x + radius < width) sum += source[start + x + radius]!;
    if (x > radius) sum -= source[start + x - radius - 1]!;
    const count = Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1;
    target[start + x] = isInside ? sum * share : sum / count;
  }
}
