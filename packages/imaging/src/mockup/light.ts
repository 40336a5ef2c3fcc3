import { linearToSrgb } from '../pixels/srgb_transfer.ts';

/** Linear RGB; 1 is display white. */
export type LinearRgb = readonly [red: number, green: number, blue: number];

/** Fine enough that near black, where the slope of sRGB is steepest, one step is a fifth of an 8-bit sample. */
export const TABLE_STEPS = 16384;
/** Fixed-point resolution: parts per 8-bit sample. */
export const SAMPLE_PARTS = 256;
/** Largest amplitude of the grain, in parts; keeps samples within 0 to 255. */
export const GRAIN_PARTS = 320;
let table: Uint16Array | undefined;

/** Table from linear light (0 to `TABLE_STEPS`) to sRGB samples in fixed point; integers are faster in the pixel loop. */
export function sampleTable(): Uint16Array {
  const maximum = 255 * SAMPLE_PARTS - GRAIN_PARTS;
  table ??= Uint16Array.from({ length: TABLE_STEPS + 1 }, (_, step) =>
    Math.max(GRAIN_PARTS, Math.min(maximum, Math.round(SAMPLE_PARTS * linearToSrgb(step / TABLE_STEPS)))),
  );
  return table;
}

export const smoothStep = (from: number, to: number, value: number): number => {
  const t = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

/** Gaussian bell around a centre, 1 at its peak. */
export const bell = (value: number, centre: number, width: number): number =>
  Math.exp(-(((value - centre) / width) ** 2));

/** Antialiased coverage of a pixel of this width, from the signed distance of its centre to the edge. */
export const coverage = (distance: number, width: number): number =>
  Math.max(0, Math.min(1, 0.5 - distance / width));

/** Math.hypot guards against overflow and takes ten times as long. */
export const hypot2 = (x: number, y: number): number => Math.sqrt(x * x + y * y);
