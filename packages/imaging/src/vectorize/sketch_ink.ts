import { oklabOf } from '../pixels/oklab.ts';
import type { Raster } from '../pixels/raster.ts';
import { OPAQUE_MIN } from './partition.ts';
import { type Regions, removeSpecks } from './regions.ts';
import type { Sketch } from './sketch.ts';

const LEVELS = 256;
/** Two tones whose mean lightness differs by less than this (OKLab) are one tone. */
const CONTRAST_MIN = 0.15;

/**
 * Divides a picture into ink and nothing. Ink is what is darker than the threshold that parts the visible pixels'
 * lightness into the two most distinct groups. A picture of one tone has no such threshold: cut out of transparency it is
 * a silhouette, all ink; else it is ink when it is darker than middle grey.
 */
export function sketchInk(source: Raster, areaMin: number): Sketch {
  const { width, height } = source;
  const tones = lightnessLevels(source.data);
  const shares = inkShares(source, tones, splitTones(tones));
  const ink = Int16Array.from(shares, (share) => (share >= OPAQUE_MIN ? 1 : 0));
  const sketch = (smallest: number): Sketch => {
    const regions = removeSpecks(ink, width, smallest, (one, other) => Math.abs(one - other));
    const { labels, count } = inkOnly(regions, ink);
    return {
      picture: { width, height, channels: 4, data: opacityOf(ink, shares) },
      areas: { width, height, labels, count },
      fills: Array.from({ length: count }, () => ({ color: [0, 0, 0] })),
      correctable: false,
      coarsen: (share) =>
        sketch(Math.ceil(smallest * Math.min(COARSER_MOST, Math.max(COARSER_LEAST, 1 / share)))),
    };
  };
  return sketch(areaMin);
}

/** By how much, at least and at most, the smallest area grows where there is too much detail: how much that takes off depends. */
const COARSER_LEAST = 1.25;
const COARSER_MOST = 4;

/** Ink is opaque, but for the soft edges that tell where between two pixels an outline runs. */
function opacityOf(ink: Int16Array, shares: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(4 * ink.length);
  for (const [pixel, isInk] of ink.entries()) {
    const share = shares[pixel]!;
    rgba[4 * pixel + 3] = share >= OPAQUE_MIN === (isInk === 1) ? share : 255 * isInk;
  }
  return rgba;
}

function inkOnly({ labels, count: regions }: Regions, ink: Int16Array) {
  const names = new Int32Array(regions).fill(-1);
  let count = 0;
  for (const [pixel, label] of labels.entries())
    if (ink[pixel] === 1 && names[label]! < 0) names[label] = count++;
  return { labels: labels.map((label) => names[label]!), count };
}

/** How much of each pixel is ink, 0 to 255: what is in between lies on a soft edge. */
function inkShares({ data: rgba }: Raster, tones: Int16Array, { threshold, dark, light }: Split): Uint8Array {
  const shares = new Uint8Array(tones.length);
  for (const [pixel, tone] of tones.entries()) {
    if (tone < 0) continue;
    const distance = threshold - 0.5 - tone;
    const share =
      distance > 0 ? distance / Math.max(1, threshold - dark) : distance / Math.max(1, light - threshold);
    const ink = 127.5 + 127.5 * Math.min(1, Math.max(-1, share));
    shares[pixel] = Math.round((ink * rgba[4 * pixel + 3]!) / 255);
  }
  return shares;
}

/** OKLab lightness of each pixel in 256 levels, -1 where it is transparent. */
function lightnessLevels(rgba: Uint8Array): Int16Array {
  const tones = new Int16Array(rgba.length / 4);
  for (let pixel = 0; pixel < tones.length; pixel++) {
    const at = 4 * pixel;
    if (rgba[at + 3]! < OPAQUE_MIN) tones[pixel] = -1;
    else tones[pixel] = Math.round((LEVELS - 1) * oklabOf(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!)[0]);
  }
  return tones;
}

interface Split {
  /** Tones below are ink. */
  readonly threshold: number;
  /** Mean tones of ink and of the rest. */
  readonly dark: number;
  readonly light: number;
}

function splitTones(tones: Int16Array): Split {
  const counts = new Float64Array(LEVELS);
  for (const tone of tones) if (tone >= 0) counts[tone]!++;
  const split = otsu(counts);
  if (split.light - split.dark >= CONTRAST_MIN * LEVELS) return split;
  const threshold = tones.includes(-1) ? LEVELS : LEVELS / 2;
  return { threshold, dark: threshold - 1, light: threshold };
}

/**
 * The level that maximises the variance between what lies below it and the rest, and the means of both.
 * Source: N. Otsu, "A threshold selection method from gray-level histograms", 1979.
 */
function otsu(counts: Float64Array): Split {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const moment = counts.reduce((sum, count, level) => sum + count * level, 0);
  let best = { first: 0, last: 0, dark: 0, light: 0, between: 0 };
  let below = 0;
  let momentBelow = 0;
  for (const [level, count] of counts.entries()) {
    below += count;
    momentBelow += count * level;
    if (below === 0 || below === total) continue;
    const dark = momentBelow / below;
    const light = (moment - momentBelow) / (total - below);
    const between = below * (total - below) * (light - dark) ** 2;
    // Levels that no pixel has part the same two groups: the threshold lies in their middle, or outlines would shift towards one.
    if (count === 0 && between === best.between) best.last = level + 1;
    else if (between > best.between) best = { first: level + 1, last: level + 1, dark, light, between };
  }
  const threshold = Math.round((best.first + best.last) / 2);
  return { threshold, dark: best.dark, light: best.light };
}
