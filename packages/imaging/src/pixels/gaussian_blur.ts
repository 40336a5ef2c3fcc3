import type { Plane } from './plane.ts';

/** Separable Gaussian blur; edge pixels are repeated beyond the border. */
export function gaussianBlur({ data, width, height }: Plane, sigma: number): Plane {
  const weights = gaussian(sigma);
  const reach = weights.length >> 1;
  const along = new Float32Array(data.length);
  const line = new Float32Array(width + 2 * reach);
  for (let row = 0; row < data.length; row += width) {
    line.fill(data[row]!, 0, reach);
    line.set(data.subarray(row, row + width), reach);
    line.fill(data[row + width - 1]!, reach + width);
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let at = 0; at < weights.length; at++) sum += weights[at]! * line[x + at]!;
      along[row + x] = sum;
    }
  }
  const blurred = new Float32Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let at = 0; at < weights.length; at++) {
      const from = Math.min(height - 1, Math.max(0, y + at - reach)) * width;
      for (let x = 0; x < width; x++) blurred[y * width + x]! += weights[at]! * along[from + x]!;
    }
  }
  return { data: blurred, width, height };
}

/** Weights up to three sigma, normalised to a sum of 1. */
function gaussian(sigma: number): Float32Array {
  const reach = Math.max(1, Math.ceil(3 * sigma));
  const weights = Float32Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * sigma * sigma)),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
