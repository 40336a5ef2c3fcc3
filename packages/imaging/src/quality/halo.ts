import { lumaOf } from '../pixels/luma.ts';
import type { Size } from '../pixels/plane.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { roundTo } from '../pixels/round_to.ts';
import { flattenedColors } from './flattened_colors.ts';
import { spreadPoint } from './spread_points.ts';

/** The region of the source that an image shows, in source pixels; may be fractional. */
interface Part extends Size {
  readonly left: number;
  readonly top: number;
}

export interface Halo {
  /** Number of sampled pixels next to an edge. */
  readonly beside: number;
  /** Number of those that are lighter or darker than every source pixel around them. */
  readonly beyond: number;
}

/** Sampled positions, at edges or not. */
const POINTS = 8192;
/** Local luma range, in levels, that counts as an edge. */
const EDGE_LEVELS = 32;
/** Levels by which a pixel must leave the local range to count. Less is rounding error and invisible. */
const BEYOND_LEVELS = 4;
/** Side in pixels of the neighbourhood. */
const AROUND = 4;
/** Fewer edge pixels give no reliable figure. */
const BESIDE_MIN = 64;

/**
 * Counts halos in an image at least as large as the source region it shows: pixels next to edges that leave the range of the 4 × 4 source
 * pixels around them, as ringing kernels and exaggerating networks produce.
 */
export function countHalo(source: DeepRaster, large: DeepRaster, part: Part): Halo {
  let [beside, beyond] = [0, 0];
  const [maxLeft, maxTop] = [Math.max(0, source.width - AROUND), Math.max(0, source.height - AROUND)];
  const size = { width: Math.min(AROUND, source.width), height: Math.min(AROUND, source.height) };
  for (let index = 0; index < POINTS; index += 1) {
    const [across, down] = spreadPoint(index);
    const [x, y] = [Math.floor(across * large.width), Math.floor(down * large.height)];
    const column = Math.floor(part.left + ((x + 0.5) * part.width) / large.width - 0.5);
    const row = Math.floor(part.top + ((y + 0.5) * part.height) / large.height - 0.5);
    const left = Math.min(maxLeft, Math.max(0, column - 1));
    const top = Math.min(maxTop, Math.max(0, row - 1));
    const { least, most } = rangeOf(flattenedColors(source, { left, top, ...size }));
    if (most - least < EDGE_LEVELS) continue;
    beside += 1;
    const { least: light } = rangeOf(flattenedColors(large, { left: x, top: y, width: 1, height: 1 }));
    if (light < least - BEYOND_LEVELS || light > most + BEYOND_LEVELS) beyond += 1;
  }
  return { beside, beyond };
}

/** Percentage of the pixels next to edges; undefined if there are too few. */
export function haloPercent(...halos: readonly Halo[]): number | undefined {
  const beside = halos.reduce((sum, halo) => sum + halo.beside, 0);
  const beyond = halos.reduce((sum, halo) => sum + halo.beyond, 0);
  return beside < BESIDE_MIN ? undefined : roundTo((100 * beyond) / beside, 2);
}

function rangeOf(seen: Float32Array): { least: number; most: number } {
  let [least, most] = [255, 0];
  for (let at = 0; at < seen.length; at += 3) {
    const light = lumaOf(seen[at]!, seen[at + 1]!, seen[at + 2]!);
    least = Math.min(least, light);
    most = Math.max(most, light);
  }
  return { least, most };
}
