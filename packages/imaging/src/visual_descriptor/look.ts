import type { Swatch } from '../palette/palette_of_pixels.ts';
import type { Oklab } from '../pixels/oklab.ts';
import { oklabOf } from '../pixels/oklab.ts';

export const LOOK_COLORS_MAX = 8;
/** A packed colour is red, green, blue and its share of the picture in 1/65535 (two bytes, the higher first). */
const COLOR_BYTES = 5;
const WHOLE = 65_535;

/** What a work is found by beside its words. */
export interface Look {
  /** PDQ of the picture as it is and turned and mirrored, in the order of DIHEDRAL; 32 bytes each. */
  readonly hashes: readonly Uint8Array[];
  /** 0 to 100; below 50 the hash says little. */
  readonly quality: number;
  /** Its main colours, packed, the largest share first. */
  readonly colors: Uint8Array;
  /** Where it is light and dark, and its shape, as `layoutOf` packs it. */
  readonly layout: Uint8Array;
}

/** One main colour of a picture. */
export interface LookColor {
  /** 0xRRGGBB */
  readonly color: number;
  readonly oklab: Oklab;
  /** 0 to 1. */
  readonly share: number;
}

/** Colours as bytes, to be kept. */
export function packColors(swatches: readonly Swatch[]): Uint8Array {
  return Uint8Array.from(
    swatches.slice(0, LOOK_COLORS_MAX).flatMap(({ color, share }) => {
      const part = Math.round(share * WHOLE);
      return [color >> 16, (color >> 8) & 255, color & 255, part >> 8, part & 255];
    }),
  );
}

export function unpackColors(packed: Uint8Array): LookColor[] {
  return Array.from({ length: Math.floor(packed.length / COLOR_BYTES) }, (_, at) => {
    const [red, green, blue, high, low] = packed.subarray(at * COLOR_BYTES) as unknown as Five;
    return {
      color: (red << 16) | (green << 8) | blue,
      oklab: oklabOf(red, green, blue),
      share: ((high << 8) | low) / WHOLE,
    };
  });
}

type Five = readonly [number, number, number, number, number];
