import type { Raster } from '../pixels/raster.ts';
import { type AreaSums, fitGradient, type Gradient, MOMENTS, meanColor } from './area_sums.ts';
import { flattenEdges } from './flatten_edges.ts';
import { createAreaMerger } from './merge_areas.ts';
import { nodesAbout, outlineOf } from './nodes_about.ts';
import type { Partition } from './partition.ts';
import { OPAQUE_MIN, partition } from './partition.ts';
import { type Color, reduceColors, restrictColors } from './reduce_colors.ts';
import { removeSpecks } from './regions.ts';
import { settleBorders } from './settle_borders.ts';
import type { OnProgress, Sketch } from './sketch.ts';
import type { Fill } from './write_svg.ts';

/** Squared error that is worth a pixel of outline, by color_precision 1 to 10. */
const DETAIL = [6300, 5400, 4000, 3150, 1200, 470, 240, 120, 50, 18];
/** Colours that all areas together may have, by color_precision; from 5 on each has its own. */
const COLORS = [2, 4, 8, 16];
/** Colours nearer than this (8-bit steps) start out as one area: farther ones where differences as large are not drawn anyway. */
const START_TOLERANCE = 5;
const START_TOLERANCE_OF_FEW = 12;
const startTolerance = (price: number): number =>
  Math.min(START_TOLERANCE_OF_FEW, Math.max(START_TOLERANCE, Math.sqrt(price) / 2));

/** A patch of half the least size stays where joining it would cost so many times the price. */
const STANDING_OUT = 1;

/** A filter_speckle that keeps only patches larger than this is asked for by whoever wants no dots either. */
const DOTTED_AREA_MIN = 8;
/** What a dot costs and what a path of dots does, in pixels of outline: about as many bytes. */
const DOT_COST = 3;
const DOT_PATH_COST = 16;
/** The mean squared error a pixel, in prices, of a drawing near enough to do without dots. */
const NEAR_ENOUGH = 0.2;

const dotPrices = (price: number) => ({
  dot: DOT_COST * price,
  path: DOT_PATH_COST * price,
  enough: NEAR_ENOUGH * price,
});

interface ColorSettings {
  /** Pixels of the smallest area that is kept. */
  readonly areaMin: number;
  /** 1 to 10. */
  readonly colorPrecision: number;
  /** Colours to be used and no other; empty for the picture's own. */
  readonly palette: readonly Color[];
  /** Whether areas may be filled with linear gradients. */
  readonly gradients: boolean;
  readonly onProgress: OnProgress;
}

/**
 * Divides a picture into areas of one colour or one even change of colour, and says how each is filled. `opacityMin` is
 * the least area of what is opaque or transparent.
 */
export function sketchColors(source: Raster, settings: ColorSettings, opacityMin = settings.areaMin): Sketch {
  const { colorPrecision, palette, areaMin, onProgress } = settings;
  const picture = settleOpacity(source, opacityMin);
  const colorCount = palette.length > 0 ? Infinity : (COLORS[colorPrecision - 1] ?? Infinity);
  const price = DETAIL[colorPrecision - 1]!;
  // Soft edges would start out as slivers of their own, but count as what they are in what follows.
  const start = partition(flattenEdges(picture), startTolerance(price));
  onProgress(0.35, 'Areas found');
  const isFree = palette.length === 0 && colorCount === Infinity;
  const gradients = settings.gradients && isFree;
  const merger = createAreaMerger(picture, start, gradients);
  const colorAreas = () => {
    const merged = merger.areas();
    if (palette.length > 0) return restrictColors(picture, merged.areas, palette);
    if (colorCount < Infinity) return reduceColors(picture, merged.areas, colorCount);
    const { areas, sums } = settleBorders(picture, merged, { price, gradients });
    return { areas, fills: fillAreas(areas, sums, gradients) };
  };
  const sketch = (): Sketch => ({
    picture,
    ...colorAreas(),
    correctable: isFree,
    ...(isFree && areaMin <= DOTTED_AREA_MIN && { dots: dotPrices(price) }),
    coarsen(share) {
      const { areas } = merger.areas();
      const all = nodesAbout(outlineOf(areas), areas.count);
      const fixed = opacityNodes(picture);
      if (2 * fixed <= share * all && merger.joinTo((share * all - fixed) / (all - fixed))) return sketch();
      // Areas that lie apart in what is transparent cannot be joined: there, larger ones have to go.
      let larger = 2 * opacityMin;
      while (larger < areas.labels.length && 2 * opacityNodes(settleOpacity(source, larger)) > share * all)
        larger *= 2;
      return sketchColors(source, settings, larger);
    },
  });
  merger.joinCheaper(price);
  merger.joinSmaller(areaMin, STANDING_OUT * price);
  onProgress(0.65, 'Areas merged');
  return sketch();
}

/** About how many nodes the outlines against what is transparent take. */
function opacityNodes({ width, height, data: rgba }: Raster): number {
  const labels = new Int32Array(width * height);
  for (let pixel = 0; pixel < labels.length; pixel++)
    labels[pixel] = rgba[4 * pixel + 3]! >= OPAQUE_MIN ? 0 : -1;
  return nodesAbout(outlineOf({ width, height, labels, count: 1 }), 0);
}

/** The picture with every pixel wholly opaque or not at all, small patches of either kind given to the other. */
function settleOpacity(source: Raster, areaMin: number): Raster {
  const { width, height, data: rgba } = source;
  const visible = new Int16Array(width * height);
  for (let pixel = 0; pixel < visible.length; pixel++)
    visible[pixel] = rgba[4 * pixel + 3]! >= OPAQUE_MIN ? 1 : 0;
  if (!visible.includes(0)) return source;
  removeSpecks(visible, width, areaMin, (one, other) => Math.abs(one - other));
  const hard = new Uint8Array(rgba);
  for (const [pixel, isVisible] of visible.entries()) {
    const at = 4 * pixel + 3;
    // A soft edge stays: it tells where between two pixels the outline runs.
    if (rgba[at]! >= OPAQUE_MIN !== (isVisible === 1)) hard[at] = isVisible === 1 ? 255 : 0;
  }
  return { ...source, data: hard };
}

/** The fill of each area that fits its pixels best: its mean, or where that pays and `gradients` allows, a gradient. */
function fillAreas(areas: Partition, sums: AreaSums, gradients: boolean): Fill[] {
  const found = Array.from({ length: areas.count }, (_, area) =>
    gradients ? fitGradient(sums, MOMENTS * area) : undefined,
  );
  const extents = extentsOf(areas, found);
  return found.map((gradient, area) =>
    gradient === undefined
      ? { color: meanColor(sums, MOMENTS * area) }
      : fillBetween(gradient, extents[2 * area]!, extents[2 * area + 1]!),
  );
}

/** How far each area reaches along its gradient: least and greatest distance from the gradient's own place. */
function extentsOf({ width, labels, count }: Partition, gradients: readonly (Gradient | undefined)[]) {
  const extents = new Float64Array(2 * count);
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const area = labels[pixel]!;
    const gradient = gradients[area];
    if (gradient === undefined) continue;
    const x = pixel % width;
    const along = (x - gradient.x) * gradient.dx + ((pixel - x) / width - gradient.y) * gradient.dy;
    extents[2 * area] = Math.min(extents[2 * area]!, along);
    extents[2 * area + 1] = Math.max(extents[2 * area + 1]!, along);
  }
  return extents;
}

function fillBetween({ x, y, dx, dy, color, change }: Gradient, first: number, last: number): Fill {
  // Sums count pixels by their corner; a drawing's coordinates lie half a pixel further.
  const place = (along: number) => [x + 0.5 + along * dx, y + 0.5 + along * dy] as const;
  const stop = (along: number) =>
    color.map((value, channel) => Math.min(255, Math.max(0, value + along * change[channel]!)));
  return { from: place(first), to: place(last), stops: [stop(first), stop(last)] };
}
