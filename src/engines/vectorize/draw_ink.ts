import { oklabOf } from '../palette/oklab.ts';
import { OPAQUE_MIN, type Raster } from './raster.ts';
import { boundAreas } from './regions.ts';
import { type Drawing, traceInk } from './trace.ts';

const LEVELS = 256;
/** Two tones whose mean lightness differs by less than this (OKLab) are one tone. */
const CONTRAST_MIN = 0.15;

/**
 * Traces a picture as black shapes on nothing. Ink is what is darker than the threshold that parts the visible pixels'
 * lightness into the two most distinct groups. A picture of one tone has no such threshold: cut out of transparency it is
 * a silhouette, all ink; else it is ink when it is darker than middle grey.
 */
export function drawInk(picture: Raster, areaMin: number): Drawing {
  const tones = lightnessLevels(picture.rgba);
  const threshold = inkBelow(tones);
  const ink = Int16Array.from(tones, (tone) => (tone >= 0 && tone < threshold ? 1 : 0));
  const bounded = boundAreas(ink, picture.width, areaMin, (one, other) => Math.abs(one - other));
  const rgba = new Uint8Array(picture.rgba.length).fill(255);
  for (const [pixel, isInk] of ink.entries()) if (isInk) rgba.fill(0, 4 * pixel, 4 * pixel + 3);
  return {
    shapes: traceInk({ width: picture.width, height: picture.height, rgba }),
    areaMin: bounded.areaMin,
  };
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

function inkBelow(tones: Int16Array): number {
  const counts = new Float64Array(LEVELS);
  for (const tone of tones) if (tone >= 0) counts[tone]!++;
  const { threshold, contrast } = otsu(counts);
  if (contrast >= CONTRAST_MIN * LEVELS) return threshold;
  return tones.includes(-1) ? LEVELS : LEVELS / 2;
}

/**
 * The level that maximises the variance between what lies below it and the rest, and how far their means are apart.
 * Source: N. Otsu, "A threshold selection method from gray-level histograms", 1979.
 */
function otsu(counts: Float64Array): { threshold: number; contrast: number } {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const moment = counts.reduce((sum, count, level) => sum + count * level, 0);
  let best = { threshold: 0, contrast: 0, between: 0 };
  let below = 0;
  let momentBelow = 0;
  for (const [level, count] of counts.entries()) {
    below += count;
    momentBelow += count * level;
    if (below === 0 || below === total) continue;
    const contrast = (moment - momentBelow) / (total - below) - momentBelow / below;
    const between = below * (total - below) * contrast ** 2;
    if (between > best.between) best = { threshold: level + 1, contrast, between };
  }
  return best;
}
