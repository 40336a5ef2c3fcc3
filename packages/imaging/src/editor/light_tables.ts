import type { DeepRaster } from '../pixels/raster.ts';
import { linearToSrgb, srgbToLinear } from '../pixels/srgb_transfer.ts';

const tables = new Map<number, Float32Array>();

/** Linear light, 0 to 1, of each possible sample value of a raster. */
export function lightTable({ data }: Pick<DeepRaster, 'data'>): Float32Array {
  const largest = data instanceof Uint8Array ? 255 : 65_535;
  const found =
    tables.get(largest) ??
    Float32Array.from({ length: largest + 1 }, (_, sample) => srgbToLinear(sample / largest));
  tables.set(largest, found);
  return found;
}

const STEPS = 65_535;
/** Encoded value for each step of linear light; the last value is repeated. */
const ENCODED = Float32Array.from(
  { length: STEPS + 2 },
  (_, step) => linearToSrgb(Math.min(1, step / STEPS)) / 255,
);
/** Linear light for each step of encoded values; the last value is repeated. */
const DECODED = Float32Array.from({ length: STEPS + 2 }, (_, step) =>
  srgbToLinear(Math.min(1, step / STEPS)),
);

/** Encodes linear light to sRGB, both 0 to 1, within 2e-5; clips other values. */
export const encodeLight = (light: number): number => between(ENCODED, light);

/** Decodes sRGB to linear light, both 0 to 1; clips other values. */
export const decodeLight = (value: number): number => between(DECODED, value);

function between(table: Float32Array, value: number): number {
  const place = value > 0 ? (value < 1 ? value * STEPS : STEPS) : 0;
  const step = place | 0;
  return table[step]! + (place - step) * (table[step + 1]! - table[step]!);
}
