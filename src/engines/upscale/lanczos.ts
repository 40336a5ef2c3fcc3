/** Samples side by side, row by row. */
interface Samples {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly samples: ArrayLike<number>;
}

const LOBES = 3;

/**
 * Enlarges by a whole number with the Lanczos kernel of three lobes, edges repeated: what networks are compared with.
 * libvips does it with a bicubic kernel where a picture becomes larger.
 * @returns one byte a sample
 */
export function lanczos({ width, height, channels, samples }: Samples, scale: number): Uint8Array {
  const taps = Array.from({ length: scale }, (_, phase) => tapsOf(phase, scale));
  const wide = new Float32Array(width * scale * height * channels);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width * scale; x += 1)
      for (let channel = 0; channel < channels; channel += 1) {
        const at = (column: number) => samples[(y * width + within(column, width)) * channels + channel]!;
        wide[(y * width * scale + x) * channels + channel] = weighed(taps[x % scale]!, x, scale, at);
      }
  const rowLength = width * scale * channels;
  const large = new Uint8Array(rowLength * height * scale);
  for (let y = 0; y < height * scale; y += 1)
    for (let index = 0; index < rowLength; index += 1) {
      const at = (row: number) => wide[within(row, height) * rowLength + index]!;
      const value = weighed(taps[y % scale]!, y, scale, at);
      large[y * rowLength + index] = Math.round(Math.min(255, Math.max(0, value)));
    }
  return large;
}

const within = (place: number, side: number): number => Math.min(side - 1, Math.max(0, place));

/** Weights of the six nearest samples, from the third before to the third after. */
function tapsOf(phase: number, scale: number): number[] {
  const centre = (phase + 0.5) / scale - 0.5;
  const first = Math.floor(centre) - LOBES + 1;
  const weights = Array.from({ length: 2 * LOBES }, (_, tap) => kernel(centre - first - tap));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function kernel(distance: number): number {
  if (distance === 0) return 1;
  const angle = Math.PI * distance;
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle);
}

function weighed(
  taps: readonly number[],
  place: number,
  scale: number,
  at: (place: number) => number,
): number {
  const first = Math.floor((place + 0.5) / scale - 0.5) - LOBES + 1;
  return taps.reduce((sum, weight, tap) => sum + weight * at(first + tap), 0);
}
