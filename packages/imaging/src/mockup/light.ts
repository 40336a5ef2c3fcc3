import { linearToSrgb } from '../pixels/srgb_transfer.ts';

/** Linear light, 1 is the white of the screen. */
export type Light = readonly [red: number, green: number, blue: number];

/** So fine that near black, where sRGB's curve is steepest, a step is a fifth of a sample. */
export const TABLE_STEPS = 16384;
/** Parts of a sample that are told apart. */
export const SAMPLE_PARTS = 256;
/** Grain may add so many parts, or take them, and stay a sample. */
export const GRAIN_PARTS = 320;
let table: Uint16Array | undefined;

/** Samples in parts for linear light of 0 to `TABLE_STEPS`; as whole numbers, which a loop over pixels handles quicker. */
export function sampleTable(): Uint16Array {
  const most = 255 * SAMPLE_PARTS - GRAIN_PARTS;
  table ??= Uint16Array.from({ length: TABLE_STEPS + 1 }, (_, step) =>
    Math.max(GRAIN_PARTS, Math.min(most, Math.round(SAMPLE_PARTS * linearToSrgb(step / TABLE_STEPS)))),
  );
  return table;
}

export const smoothStep = (from: number, to: number, value: number): number => {
  const t = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

/** Height of a bell of this width around a place: 1 there. */
export const bell = (value: number, centre: number, width: number): number =>
  Math.exp(-(((value - centre) / width) ** 2));

/** How much of a width lies inside, by the distance of its middle to the edge. */
export const coverOf = (distance: number, width: number): number =>
  Math.max(0, Math.min(1, 0.5 - distance / width));

/** Math.hypot guards against overflow and takes ten times as long. */
export const lengthOf = (x: number, y: number): number => Math.sqrt(x * x + y * y);
