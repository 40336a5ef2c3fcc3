import { sharp } from '../../codecs/sharp.ts';
import { writeTaggedTiff } from '../../codecs/write_tagged_tiff.ts';
import { applyLink, type ColorLink, computeLink } from '../../color/color_link.ts';
import { srgbOfLab } from '../../color/lab.ts';
import { isWorkableProfile } from '../../color/wide_profile.ts';
import type { ColorSpace } from '../pdf/color_space.ts';
import { inkLimiter } from './limit_inks.ts';

/** Four inks, 0 to 1. */
export type Cmyk = readonly [cyan: number, magenta: number, yellow: number, black: number];

/** Grid points per axis of a link from another RGB to sRGB. */
const GRID = 33;

/** Converts RGB and Lab colours to the inks of a printing condition. Neutral colours become black only. */
export class PressColors {
  /** Link from sRGB to four inks and the gamut error. */
  readonly link: ColorLink;
  /** Total area coverage limit in per cent for colours already in inks. Absent: they stay unchanged. */
  readonly inkLimit: number | undefined;
  readonly #cache = new Map<number, Cmyk>();
  readonly #profiles = new Map<string, ColorLink>();

  constructor(link: ColorLink, inkLimit?: number) {
    this.link = link;
    this.inkLimit = inkLimit;
  }

  /** Reduces a CMYK or DeviceN colour to the limit. Undefined if unchanged. */
  limit(space: ColorSpace, inks: readonly number[]): readonly number[] | undefined {
    if (this.inkLimit === undefined || inks.length !== space.components) return undefined;
    return inkLimiter(space, this.inkLimit)?.(inks)?.map((ink) => Math.floor(1e4 * ink) / 1e4);
  }

  /** @param rgb sRGB, 0 to 1 */
  inksOf(rgb: readonly number[]): Cmyk {
    const bytes = Uint8Array.from({ length: 3 }, (_, index) => Math.round(255 * clamp(rgb[index] ?? 0)));
    const key = (bytes[0]! << 16) | (bytes[1]! << 8) | bytes[2]!;
    const known = this.#cache.get(key);
    if (known) return known;
    const inks = applyLink(this.link, bytes);
    const cmyk = [0, 1, 2, 3].map((ink) => Math.round((1e4 * inks[ink]!) / 255) / 1e4) as unknown as Cmyk;
    if (this.#cache.size < COLORS_KEPT_MAX) this.#cache.set(key, cmyk);
    return cmyk;
  }

  /** Converts an RGB or Lab colour, or an entry of a table of RGB colours, to inks. Undefined for other spaces. */
  inksIn(space: ColorSpace, values: readonly number[]): Cmyk | undefined {
    const { base, lookup } = space;
    if (space.family === 'Indexed') {
      if (!base || !lookup) return undefined;
      const from = Math.max(0, Math.round(values[0] ?? 0)) * base.components;
      const row = Array.from({ length: base.components }, (_, at) => (lookup[from + at] ?? 0) / 255);
      return base.basis === 'rgb' ? this.inksIn(base, row) : undefined;
    }
    if (space.basis === 'lab') {
      const [light = 0, a = 0, b = 0] = values;
      return this.inksOf(srgbOfLab([light, a, b]).map((value) => value / 255));
    }
    if (space.basis !== 'rgb') return undefined;
    return this.inksOf(this.#toSrgb(space, values));
  }

  /** Builds the link of a profile once, so that its colours can be converted. */
  async prepare({ profile }: ColorSpace, icc: Uint8Array): Promise<void> {
    if (!profile || this.#profiles.has(profile.sha256) || this.#profiles.size >= PROFILES_MAX) return;
    if (!isWorkableProfile(icc)) return;
    this.#profiles.set(profile.sha256, await linkToSrgb(icc));
  }

  /** Converts samples to inks, four bytes per pixel. */
  inksOfPixels(space: ColorSpace, samples: Uint8Array): Uint8Array {
    const own = space.profile && this.#profiles.get(space.profile.sha256);
    const five = applyLink(this.link, own ? applyLink(own, samples) : samples);
    const inks = new Uint8Array((five.length / 5) * 4);
    for (let from = 0, to = 0; from < five.length; from += 5, to += 4) {
      inks[to] = five[from]!;
      inks[to + 1] = five[from + 1]!;
      inks[to + 2] = five[from + 2]!;
      inks[to + 3] = five[from + 3]!;
    }
    return inks;
  }

  #toSrgb({ profile }: ColorSpace, values: readonly number[]): readonly number[] {
    const own = profile && this.#profiles.get(profile.sha256);
    if (!own) return values;
    const bytes = Uint8Array.from({ length: 3 }, (_, at) => Math.round(255 * clamp(values[at] ?? 0)));
    return [...applyLink(own, bytes)].map((byte) => byte / 255);
  }
}

const COLORS_KEPT_MAX = 100_000;
const PROFILES_MAX = 8;
const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/**
 * Builds a link from the RGB of a profile to sRGB by converting every grid point with libvips. Neutral colours stay
 * neutral.
 */
async function linkToSrgb(icc: Uint8Array): Promise<ColorLink> {
  const nodes: number[] = [];
  computeLink(3, 1, (samples) => void nodes.push(...samples));
  const data = Uint8Array.from(nodes, Math.round);
  const tiff = writeTaggedTiff({
    width: GRID * GRID,
    height: GRID,
    model: 'rgb',
    hasAlpha: false,
    data,
    profile: icc,
  });
  const srgb = await sharp(tiff).toColourspace('srgb').removeAlpha().raw().toBuffer();
  let at = 0;
  return computeLink(3, 3, ([red, green, blue], out) => {
    const color = [srgb[at]!, srgb[at + 1]!, srgb[at + 2]!];
    at += 3;
    const mean = Math.round((color[0]! + color[1]! + color[2]!) / 3);
    out.set(red === green && green === blue ? [mean, mean, mean] : color);
  });
}
