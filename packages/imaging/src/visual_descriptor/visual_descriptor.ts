import type { Swatch } from '../palette/palette_of_pixels.ts';
import type { Oklab } from '../pixels/oklab.ts';
import { oklabOf } from '../pixels/oklab.ts';

export const DESCRIPTOR_COLORS_MAX = 8;
/** A packed colour: red, green, blue, and its share of the image in 1/65535 (two bytes, big-endian). */
const COLOR_BYTES = 5;
const WHOLE = 65_535;

/** Visual descriptor of a work: the data visual search uses. */
export interface VisualDescriptor {
  /** PDQ hashes of the image and its rotations and reflections, in the order of DIHEDRAL; 32 bytes each. */
  readonly hashes: readonly Uint8Array[];
  /** PDQ quality, 0 to 100; below 50 the hash is unreliable. */
  readonly quality: number;
  /** Packed main colours, in descending order of share. */
  readonly colors: Uint8Array;
  /** Layout descriptor, as packed by `layoutOf`. */
  readonly layout: Uint8Array;
}

/** One main colour of an image. */
export interface DescriptorColor {
  /** 0xRRGGBB */
  readonly color: number;
  readonly oklab: Oklab;
  /** 0 to 1. */
  readonly share: number;
}

/** Packs colours into bytes for storage. */
export function packColors(swatches: readonly Swatch[]): Uint8Array {
  return Uint8Array.from(
    swatches.slice(0, DESCRIPTOR_COLORS_MAX).flatMap(({ color, share }) => {
      const part = Math.round(share * WHOLE);
      return [color >> 16, (color >> 8) & 255, color & 255, part >> 8, part & 255];
    }),
  );
}

/** Inverse of `packColors`. */
export function unpackColors(packed: Uint8Array): DescriptorColor[] {
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
