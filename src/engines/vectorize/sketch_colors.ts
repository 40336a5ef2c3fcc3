import { fillAreas } from './fill_areas.ts';
import { flattenEdges } from './flatten_edges.ts';
import { mergeAreas } from './merge_areas.ts';
import { partition } from './partition.ts';
import { OPAQUE_MIN, type Raster } from './raster.ts';
import { type Color, reduceColors, restrictColors } from './reduce_colors.ts';
import { boundAreas } from './regions.ts';
import type { OnProgress, Sketch, SketchSettings } from './sketch.ts';

/** Squared error that is worth a pixel of outline, by color_precision 1 to 10. */
const DETAIL = [16_000, 14_000, 12_000, 9000, 3000, 1500, 600, 220, 100, 40];
/** Colours that all areas together may have, by color_precision; from 5 on each has its own. */
const COLORS = [2, 4, 8, 16];
/** Colours nearer than this (8-bit steps) start out as one area. */
const START_TOLERANCE = 5;

interface ColorSettings extends SketchSettings {
  /** 1 to 10. */
  readonly colorPrecision: number;
  /** Colours to be used and no other; empty for the picture's own. */
  readonly palette: readonly Color[];
  /** Whether areas may be filled with linear gradients. */
  readonly gradients: boolean;
  readonly onProgress: OnProgress;
}

/** Divides a picture into areas of one colour or one even change of colour, and says how each is filled. */
export function sketchColors(source: Raster, settings: ColorSettings): Sketch {
  const { colorPrecision, palette, areaMin, nodesMax, onProgress } = settings;
  const picture = withHardOpacity(source, settings);
  const flat = flattenEdges(picture);
  const start = partition(flat, START_TOLERANCE);
  onProgress(0.35, 'Areas found');
  const colorCount = palette.length > 0 ? Infinity : (COLORS[colorPrecision - 1] ?? Infinity);
  const gradients = settings.gradients && palette.length === 0 && colorCount === Infinity;
  const detail = DETAIL[colorPrecision - 1]!;
  const merged = mergeAreas(flat, start, { detail, areaMin, nodesMax, gradients });
  onProgress(0.65, 'Areas merged');
  const reduced =
    palette.length > 0
      ? restrictColors(flat, merged.areas, palette)
      : colorCount < Infinity
        ? reduceColors(flat, merged.areas, colorCount)
        : { areas: merged.areas, fills: fillAreas(flat, merged.areas, gradients) };
  return {
    picture,
    ...reduced,
    correctable: palette.length === 0 && colorCount === Infinity,
    nodesWanted: merged.nodesWanted,
    remedy: remedyFor(merged.detail),
  };
}

function remedyFor(detail: number): string {
  const fitting = DETAIL.findLastIndex((step) => step >= detail) + 1;
  return fitting > 0 ? `color_precision ${fitting}` : 'a smaller picture';
}

/** The picture with every pixel wholly opaque or not at all, small patches of either kind given to the other. */
function withHardOpacity(source: Raster, settings: SketchSettings): Raster {
  const { width, height, rgba } = source;
  const visible = new Int16Array(width * height);
  for (let pixel = 0; pixel < visible.length; pixel++)
    visible[pixel] = rgba[4 * pixel + 3]! >= OPAQUE_MIN ? 1 : 0;
  if (!visible.includes(0)) return source;
  boundAreas(visible, width, settings, (one, other) => Math.abs(one - other));
  const hard = new Uint8Array(rgba);
  for (const [pixel, isVisible] of visible.entries()) {
    const at = 4 * pixel + 3;
    // A soft edge stays: it tells where between two pixels the outline runs.
    if (rgba[at]! >= OPAQUE_MIN !== (isVisible === 1)) hard[at] = isVisible === 1 ? 255 : 0;
  }
  return { width, height, rgba: hard };
}
