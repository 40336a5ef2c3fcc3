import { LANCZOS_LOBES, lanczosWeight } from '../pixels/lanczos.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';

/** Resamples a plane to any size with Lanczos' window of three lobes, widened where it shrinks: what networks were fed with. */
export function lanczos(plane: Plane, { width, height }: { width: number; height: number }): Plane {
  const across = planeOf({ width, height: plane.height });
  const columns = tapsOf(plane.width, width);
  for (let y = 0; y < plane.height; y++)
    resampleAlong(plane.data, across.data, { taps: columns, from: y * plane.width, to: y * width, step: 1 });
  const resampled = planeOf({ width, height });
  const rows = tapsOf(plane.height, height);
  for (let x = 0; x < width; x++)
    resampleAlong(across.data, resampled.data, { taps: rows, from: x, to: x, step: width });
  return resampled;
}

interface Tap {
  readonly first: number;
  readonly weights: Float32Array;
}

function tapsOf(from: number, to: number): Tap[] {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  return Array.from({ length: to }, (_, at) => {
    const centre = (at + 0.5) * scale;
    const first = Math.max(0, Math.floor(centre - LANCZOS_LOBES * stretch + 0.5));
    const last = Math.min(from, Math.floor(centre + LANCZOS_LOBES * stretch + 0.5));
    const weights = Float32Array.from({ length: last - first }, (_, tap) =>
      lanczosWeight((first + tap + 0.5 - centre) / stretch),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

function resampleAlong(
  source: Float32Array,
  into: Float32Array,
  { taps, from, to, step }: { taps: readonly Tap[]; from: number; to: number; step: number },
): void {
  for (const [at, { first, weights }] of taps.entries()) {
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap++)
      sum += weights[tap]! * source[from + (first + tap) * step]!;
    into[to + at * step] = sum;
  }
}
