import { clusterColors } from '../palette/cluster_colors.ts';
import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import type { Raster } from '../pixels/raster.ts';
import {
  type AreaSums,
  addPixel,
  areaSums,
  fillAreas,
  fitGradient,
  type Merged,
  MOMENTS,
  meanColor,
  modelError,
} from './area_sums.ts';
import { flattenEdges } from './flatten_edges.ts';
import { createHeap } from './heap.ts';
import { OPAQUE_MIN, type Partition, partition } from './partition.ts';
import { removeSpecks } from './regions.ts';
import type { OnProgress, Sketch } from './sketch.ts';
import { shadeSmoothly } from './smooth_areas.ts';
import type { Fill } from './write_svg.ts';

/** An outline between areas takes about one node per this many pixels, and each area takes some more where its outlines meet. */
const NODE_PX = 4.5;
const AREA_NODES = 5;

/** Estimated nodes for areas with this total outline in pixel sides: within a factor of 2, depending on roughness. */
export const estimateNodes = (outline: number, areas: number): number =>
  Math.round(outline / NODE_PX + AREA_NODES * areas);

/** Number of pixel sides between different labels. */
export function outlineOf({ labels, width }: Partition): number {
  let sides = 0;
  for (let pixel = 0, column = 1; pixel < labels.length; pixel++, column++) {
    if (column === width) column = 0;
    else if (labels[pixel] !== labels[pixel + 1]) sides++;
    if (pixel + width < labels.length && labels[pixel] !== labels[pixel + width]) sides++;
  }
  return sides;
}

/**
 * Merges adjacent areas step by step. Each order of merging follows one fixed sequence, so a further merge always contains the earlier
 * ones.
 */
interface AreaMerger {
  /**
   * Merges the pair that saves the most outline for the least error, until a pixel of outline costs `price` of error.
   */
  joinCheaper(price: number): void;
  /** Merges areas smaller than this many pixels. Areas of at least half that size stay if merging them would cost more than `price`. */
  joinSmaller(areaMin: number, price: number): void;
  /** Merges by price down to about this share of nodes; false if nothing is left to merge. */
  joinTo(share: number): boolean;
  areas(): Merged;
}

/** Overhead of a path, in pixels of outline, scaled by the traced pixels per image pixel for upscaled images. */
const PATH_COST = 80;
const PATH_COST_ENLARGED = 240;
const pathCostOf = (times: number): number => (times > 1 ? PATH_COST_ENLARGED * times : PATH_COST);

/**
 * Prices are squared error (8-bit steps, three channels) per pixel of outline. `gradients` allows linear gradients as
 * fills. Source: the energy of D. Mumford and J. Shah, 1989, minimised as by G. Koepfler, C. Lopez and J.-M. Morel,
 * 1994.
 */
function createAreaMerger(
  picture: Raster,
  start: Partition,
  terms: { readonly gradients: boolean; readonly pathCost: number },
): AreaMerger {
  const merging = begin(picture, start, terms);
  const nodes = () => estimateNodes(merging.outline, merging.count);
  return {
    joinCheaper: (price) => mergeWhile(merging, (least) => least < price),
    joinSmaller: (areaMin, price) => mergeSpecks(merging, areaMin, price),
    joinTo(share) {
      const bound = Math.floor(share * nodes());
      mergeWhile(merging, () => nodes() > bound);
      return nodes() <= bound;
    },
    areas: () => renumber(start, merging),
  };
}

interface Merging {
  readonly sums: Float64Array;
  readonly errors: Float64Array;
  readonly borders: Borders;
  readonly heap: ReturnType<typeof createHeap>;
  readonly heirs: Int32Array;
  readonly gradients: boolean;
  readonly pathCost: number;
  readonly union: Float64Array;
  /** Number of remaining areas, and the pixel sides between them. */
  count: number;
  outline: number;
}

function begin(
  picture: Raster,
  { labels, count }: Partition,
  { gradients, pathCost }: Pick<Merging, 'gradients' | 'pathCost'>,
): Merging {
  const sums = areaSums(picture, labels, count);
  const borders = findBorders(labels, picture.width, count);
  const merging: Merging = {
    sums,
    errors: Float64Array.from({ length: count }, (_, area) => modelError(sums, MOMENTS * area, gradients)),
    borders,
    heap: createHeap(2 * borders.count),
    heirs: Int32Array.from({ length: count }, (_, area) => area),
    gradients,
    pathCost,
    union: new Float64Array(MOMENTS),
    count,
    outline: borders.lengths.reduce((sum, length) => sum + length, 0),
  };
  for (let border = 0; border < borders.count; border++) merging.heap.push(priceOf(merging, border), border);
  return merging;
}

/** Squared error added by removing a border, per pixel of outline saved. */
function priceOf({ sums, errors, borders, union, gradients, pathCost }: Merging, border: number): number {
  const one = borders.ones[border]!;
  const two = borders.twos[border]!;
  for (let moment = 0; moment < MOMENTS; moment++)
    union[moment] = sums[MOMENTS * one + moment]! + sums[MOMENTS * two + moment]!;
  const added = modelError(union, 0, gradients) - errors[one]! - errors[two]!;
  return added / (pathCost + borders.lengths[border]!);
}

/** Merges areas in order of price. */
function mergeWhile(merging: Merging, wanted: (price: number) => boolean): void {
  const { heap, borders } = merging;
  while (heap.size() > 0 && wanted(heap.least())) {
    const key = heap.least();
    const border = heap.pop();
    if (borders.lengths[border] === 0) continue;
    const price = priceOf(merging, border);
    // Merges nearby have changed the price since it was queued.
    if (price > key + 1e-9 * Math.abs(key)) heap.push(price, border);
    else merge(merging, border);
  }
}

/** Merges the two areas of a border; returns the one that remains. */
function merge(merging: Merging, border: number): number {
  const { sums, errors, borders, heap, heirs } = merging;
  merging.outline -= borders.lengths[border]!;
  const { kept, gone, changed } = joinBorders(borders, border);
  for (let moment = 0; moment < MOMENTS; moment++)
    sums[MOMENTS * kept + moment]! += sums[MOMENTS * gone + moment]!;
  errors[kept] = modelError(sums, MOMENTS * kept, merging.gradients);
  heirs[gone] = kept;
  merging.count--;
  for (const other of changed) heap.push(priceOf(merging, other), other);
  return kept;
}

/**
 * Merges areas smaller than `areaMin` into the neighbour with the least added error, smallest first; areas of at least half that size only
 * up to `price`.
 */
function mergeSpecks(merging: Merging, areaMin: number, price: number): void {
  const { sums, heirs, borders } = merging;
  const bySize: number[][] = Array.from({ length: areaMin }, () => []);
  const sizeOf = (area: number) => sums[MOMENTS * area]!;
  for (let area = 0; area < heirs.length; area++)
    if (heirs[area] === area && sizeOf(area) < areaMin) bySize[sizeOf(area)]!.push(area);
  for (const [size, areas] of bySize.entries()) {
    for (const area of areas) {
      if (heirs[area] !== area || sizeOf(area) !== size) continue;
      const border = findCheapest(merging, borders.around[area]!.values());
      if (border < 0 || (2 * size >= areaMin && priceOf(merging, border) > price)) continue;
      const kept = merge(merging, border);
      if (sizeOf(kept) < areaMin) bySize[sizeOf(kept)]!.push(kept);
    }
  }
}

function findCheapest(merging: Merging, around: Iterable<number>): number {
  let best = -1;
  let least = Infinity;
  for (const border of around) {
    const price = priceOf(merging, border);
    if (price >= least) continue;
    least = price;
    best = border;
  }
  return best;
}

function renumber({ width, height, labels }: Partition, { heirs, sums }: Merging): Merged {
  const names = new Int32Array(heirs.length).fill(-1);
  let count = 0;
  const nameOf = (area: number): number => {
    let last = area;
    while (heirs[last] !== last) {
      heirs[last] = heirs[heirs[last]!]!;
      last = heirs[last]!;
    }
    if (names[last]! < 0) names[last] = count++;
    return names[last]!;
  };
  const renamed = labels.map((label) => (label < 0 ? -1 : nameOf(label)));
  const own = new Float64Array(MOMENTS * count);
  for (const [area, name] of names.entries())
    if (name >= 0) own.set(sums.subarray(MOMENTS * area, MOMENTS * (area + 1)), MOMENTS * name);
  return { areas: { width, height, labels: renamed, count }, sums: own };
}

/**
 * Borders between areas: `lengths` pixel sides of area `ones` with area `twos`. A border of length 0 has been removed.
 */
interface Borders {
  readonly count: number;
  readonly ones: Int32Array;
  readonly twos: Int32Array;
  readonly lengths: Int32Array;
  /** For each area, its borders by neighbour. */
  readonly around: Map<number, number>[];
}

/** Borders between the areas of an image; pixels of label -1 have none. */
function findBorders(labels: Int32Array, width: number, count: number): Borders {
  const ones: number[] = [];
  const twos: number[] = [];
  const lengths: number[] = [];
  const around = Array.from({ length: count }, () => new Map<number, number>());
  const see = (one: number, two: number) => {
    if (one === two || one < 0 || two < 0) return;
    const known = around[one]!.get(two);
    if (known !== undefined) {
      lengths[known]!++;
      return;
    }
    around[one]!.set(two, ones.length);
    around[two]!.set(one, ones.length);
    ones.push(one);
    twos.push(two);
    lengths.push(1);
  };
  for (let pixel = 0; pixel < labels.length; pixel++) {
    if (pixel % width < width - 1) see(labels[pixel]!, labels[pixel + 1]!);
    if (pixel + width < labels.length) see(labels[pixel]!, labels[pixel + width]!);
  }
  return {
    count: ones.length,
    ones: Int32Array.from(ones),
    twos: Int32Array.from(twos),
    lengths: Int32Array.from(lengths),
    around,
  };
}

/** Merges the two areas of a border: `kept` takes over the borders of `gone`; `changed` lists those. */
function joinBorders(
  { ones, twos, lengths, around }: Borders,
  border: number,
): { kept: number; gone: number; changed: number[] } {
  const [one, two] = [ones[border]!, twos[border]!];
  const [kept, gone] = around[one]!.size >= around[two]!.size ? [one, two] : [two, one];
  const [keptAround, goneAround] = [around[kept]!, around[gone]!];
  const changed: number[] = [];
  lengths[border] = 0;
  keptAround.delete(gone);
  goneAround.delete(kept);
  // No loop over entries, which would allocate an array for each: most of the merging time is spent here.
  goneAround.forEach((moved, other) => {
    around[other]!.delete(gone);
    const known = keptAround.get(other);
    if (known === undefined) {
      ones[moved] = kept;
      twos[moved] = other;
      keptAround.set(other, moved);
      around[other]!.set(kept, moved);
      changed.push(moved);
    } else {
      lengths[known]! += lengths[moved]!;
      lengths[moved] = 0;
      changed.push(known);
    }
  });
  goneAround.clear();
  return { kept, gone, changed };
}

const ROUNDS = 2;

/**
 * Reassigns pixels along borders to the area with the best-matching fill; one pixel of outline costs `price` of squared
 * error. Merging only joins areas, so that a pixel merged with its first neighbours stays there; this corrects it and
 * smooths lines. Areas stay connected, and their number stays. `gradients` allows gradients as fills. Arguments are not
 * changed. Source: the iterated conditional modes of J. Besag, "On the statistical analysis of dirty pictures", 1986.
 */
function settleBorders(
  picture: Raster,
  { areas, sums: given }: Merged,
  { price, gradients }: { price: number; gradients: boolean },
): Merged {
  const settled = { ...areas, labels: areas.labels.slice() };
  const sums = given.slice();
  for (let round = 0; round < ROUNDS; round++)
    if (settleOnce({ picture, sums, planes: planesOf(sums, settled.count, gradients), price }, settled) === 0)
      break;
  return { areas: settled, sums };
}

/** Coefficients of a plane: for each channel its value at (0, 0) and its slope in x and y. */
const PLANE = 9;

/** The constant colour or linear gradient that fits each area best. */
function planesOf(sums: AreaSums, count: number, gradients: boolean): Float32Array {
  const planes = new Float32Array(PLANE * count);
  for (let area = 0; area < count; area++) {
    const gradient = gradients ? fitGradient(sums, MOMENTS * area) : undefined;
    const mean = meanColor(sums, MOMENTS * area);
    for (let channel = 0; channel < 3; channel++) {
      const at = PLANE * area + 3 * channel;
      planes[at] = mean[channel]!;
      if (gradient === undefined) continue;
      const { x, y, dx, dy } = gradient;
      planes[at + 1] = gradient.change[channel]! * dx;
      planes[at + 2] = gradient.change[channel]! * dy;
      planes[at]! -= planes[at + 1]! * x + planes[at + 2]! * y;
    }
  }
  return planes;
}

interface Settling {
  readonly picture: Raster;
  /** Sums of the areas, updated as pixels move between areas. */
  readonly sums: AreaSums;
  readonly planes: Float32Array;
  readonly price: number;
}

/** One pass over all pixels except the image border; returns how many moved. */
function settleOnce(
  { picture: { data: rgba }, sums, planes, price }: Settling,
  { width, height, labels }: Partition,
): number {
  const errorOf = (area: number, pixel: number, x: number, y: number): number => {
    let error = 0;
    for (let channel = 0; channel < 3; channel++) {
      const at = PLANE * area + 3 * channel;
      const meant = planes[at]! + planes[at + 1]! * x + planes[at + 2]! * y;
      error += (rgba[4 * pixel + channel]! - meant) ** 2;
    }
    return error;
  };
  const sides = [-width, 1, width, -1];
  const costOf = (area: number, pixel: number, x: number, y: number): number => {
    let cost = errorOf(area, pixel, x, y);
    for (const side of sides) if (labels[pixel + side] !== area) cost += price;
    return cost;
  };
  let moved = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const pixel = y * width + x;
      const own = labels[pixel]!;
      if (own < 0 || !isLoose(labels, pixel, width)) continue;
      let [best, least] = [own, costOf(own, pixel, x, y)];
      for (const side of sides) {
        const other = labels[pixel + side]!;
        if (other < 0 || other === own || other === best) continue;
        const cost = costOf(other, pixel, x, y);
        if (cost < least) [best, least] = [other, cost];
      }
      if (best === own) continue;
      addPixel(sums, MOMENTS * own, x, y, rgba, pixel, -1);
      addPixel(sums, MOMENTS * best, x, y, rgba, pixel, 1);
      labels[pixel] = best;
      moved++;
    }
  }
  return moved;
}

/** Whether a pixel can leave its area without splitting it: its neighbours in that area are connected around it. */
function isLoose(labels: Int32Array, pixel: number, width: number): boolean {
  const own = labels[pixel]!;
  const up = labels[pixel - width] === own;
  const right = labels[pixel + 1] === own;
  const down = labels[pixel + width] === own;
  const left = labels[pixel - 1] === own;
  if (up && right && down && left) return false;
  const runs =
    (up && !(right && labels[pixel - width + 1] === own) ? 1 : 0) +
    (right && !(down && labels[pixel + width + 1] === own) ? 1 : 0) +
    (down && !(left && labels[pixel + width - 1] === own) ? 1 : 0) +
    (left && !(up && labels[pixel - width - 1] === own) ? 1 : 0);
  return runs === 1;
}

/** Squared error equivalent to a pixel of outline, by color_precision 1 to 10. */
const DETAIL = [6300, 5400, 4000, 3150, 1200, 470, 240, 120, 50, 18];
/** Number of colours of all areas together, by color_precision; from 5 on each area has its own. */
const COLORS = [2, 4, 8, 16];
/**
 * Colours closer than this (8-bit steps) start as one area; the tolerance is larger if the drawing omits such
 * differences anyway.
 */
const START_TOLERANCE = 5;
const START_TOLERANCE_OF_FEW = 12;
const startTolerance = (price: number): number =>
  Math.min(START_TOLERANCE_OF_FEW, Math.max(START_TOLERANCE, Math.sqrt(price) / 2));

/** A patch of half the minimum size stays if merging it would cost this many times the price. */
const STANDING_OUT = 1;

/** A filter_speckle above this also disables dots. */
const DOTTED_AREA_MIN = 8;
/** Cost of a dot and of a path of strokes, in pixels of outline; most dots join strokes or are left out, so a dot costs less than its bytes. */
const DOT_COST = 1;
const DOT_PATH_COST = 16;
/** Mean squared error per pixel, in prices, below which a drawing needs no dots. */
const NEAR_ENOUGH = 0.2;

const dotPrices = (price: number) => ({
  dot: DOT_COST * price,
  path: DOT_PATH_COST * price,
  enough: NEAR_ENOUGH * price,
});

interface ColorSettings {
  /** Size in pixels of the smallest area kept. */
  readonly areaMin: number;
  /** 1 to 10. */
  readonly colorPrecision: number;
  /** The only colours to use; empty: those of the image. */
  readonly palette: readonly Color[];
  /** Whether areas may be filled with linear gradients. */
  readonly gradients: boolean;
  /** Present if the image was upscaled. */
  readonly enlarged?: Enlargement | undefined;
  readonly onProgress: OnProgress;
}

/** Upscaling of an image before tracing. */
export interface Enlargement {
  /** Pixels across one of the image. */
  readonly times: number;
  /** Mean squared difference per channel between a pixel and the image pixel it is in. */
  readonly detail: number;
}

/** Price of a pixel of outline per traced pixel per image pixel, relative to images that are not upscaled. */
const PRICE_ENLARGED = 1 / 8;
/** Detail beyond which it costs more in proportion: foliage and hatching would take a path for every leaf and line. */
const DETAIL_USUAL = 165;

const priceFactor = (enlarged: Enlargement | undefined): number =>
  enlarged ? PRICE_ENLARGED * enlarged.times * Math.max(1, enlarged.detail / DETAIL_USUAL) : 1;

/**
 * Divides an image into areas of one colour or one linear gradient, and computes the fill of each. `opacityMin` is the minimum size of
 * opaque and transparent areas.
 */
export function sketchColors(source: Raster, settings: ColorSettings, opacityMin = settings.areaMin): Sketch {
  const { colorPrecision, palette, enlarged, onProgress } = settings;
  const times = enlarged?.times ?? 1;
  const areaMin = Math.round(settings.areaMin * times ** 2);
  const picture = settleOpacity(source, opacityMin);
  const colorCount = palette.length > 0 ? Infinity : (COLORS[colorPrecision - 1] ?? Infinity);
  const price = DETAIL[colorPrecision - 1]! * priceFactor(enlarged);
  // Antialiased edges would start as separate slivers, but count with their real colours afterwards.
  const start = partition(flattenEdges(picture), startTolerance(price));
  onProgress(0.35, 'Areas found');
  const isFree = palette.length === 0 && colorCount === Infinity;
  const gradients = settings.gradients && isFree;
  const merger = createAreaMerger(picture, start, { gradients, pathCost: pathCostOf(times) });
  const colorAreas = () => {
    const merged = merger.areas();
    if (palette.length > 0) return restrictColors(picture, merged.areas, palette);
    if (colorCount < Infinity) return reduceColors(picture, merged.areas, colorCount);
    const settled = settleBorders(picture, merged, { price, gradients });
    if (!gradients) return { areas: settled.areas, fills: fillAreas(settled, false) };
    return shadeSmoothly(picture, settled, { price, pathCost: pathCostOf(times), times });
  };
  const sketch = (): Sketch => ({
    picture,
    times,
    ...colorAreas(),
    correctable: isFree,
    ...(isFree && !enlarged && areaMin <= DOTTED_AREA_MIN && { dots: dotPrices(price) }),
    coarsen(share) {
      const { areas } = merger.areas();
      const all = estimateNodes(outlineOf(areas), areas.count);
      const fixed = opacityNodes(picture);
      if (2 * fixed <= share * all && merger.joinTo((share * all - fixed) / (all - fixed))) return sketch();
      // Areas separated by transparency cannot be merged, so larger ones must be dropped.
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

/** Estimated nodes of the outlines against transparent areas. */
function opacityNodes({ width, height, data: rgba }: Raster): number {
  const labels = new Int32Array(width * height);
  for (let pixel = 0; pixel < labels.length; pixel++)
    labels[pixel] = rgba[4 * pixel + 3]! >= OPAQUE_MIN ? 0 : -1;
  return estimateNodes(outlineOf({ width, height, labels, count: 1 }), 0);
}

/** Makes every pixel either opaque or transparent, and merges small patches of either kind into the other. */
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
    // Soft edges are kept: they determine the subpixel position of the outline.
    if (rgba[at]! >= OPAQUE_MIN !== (isVisible === 1)) hard[at] = isVisible === 1 ? 255 : 0;
  }
  return { ...source, data: hard };
}

/** Red, green and blue, 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

interface Reduced {
  readonly areas: Partition;
  readonly fills: Fill[];
}

/** Assigns the nearest palette colour (in OKLab) to the mean of every area, and merges neighbours of the same colour. */
function restrictColors(picture: Raster, areas: Partition, palette: readonly Color[]): Reduced {
  const labs = palette.map((color) => oklabOf(...color));
  const chosen = meansOf(picture, areas).map((mean) => {
    const lab = oklabOf(mean[0]!, mean[1]!, mean[2]!);
    const distances = labs.map((other) => oklabDistance(lab, other));
    return palette[distances.indexOf(Math.min(...distances))]!;
  });
  return joinAlike(picture, areas, chosen);
}

/** Restricts areas as `restrictColors` does, to the `count` best colours. */
function reduceColors(picture: Raster, areas: Partition, count: number): Reduced {
  const means = meansOf(picture, areas);
  const weights = new Float64Array(areas.count);
  for (const label of areas.labels) if (label >= 0) weights[label]!++;
  const labs = Float64Array.from(means.flatMap((mean) => oklabOf(mean[0]!, mean[1]!, mean[2]!)));
  const { owners, masses } = clusterColors({ count: areas.count, weights, labs }, count);
  const sums = Array.from(masses, () => [0, 0, 0, 0]);
  for (const [area, mean] of means.entries()) {
    const sum = sums[owners[area]!]!;
    for (let channel = 0; channel < 3; channel++) sum[channel]! += weights[area]! * mean[channel]!;
    sum[3]! += weights[area]!;
  }
  const colors = sums.map(([red, green, blue, weight]) =>
    [red!, green!, blue!].map((sum) => Math.round(sum / weight!)),
  );
  return joinAlike(
    picture,
    areas,
    Array.from(owners, (owner) => colors[owner]! as unknown as Color),
  );
}

function meansOf(picture: Raster, { labels, count }: Partition): number[][] {
  const sums = areaSums(picture, labels, count);
  return Array.from({ length: count }, (_, area) => meanColor(sums, MOMENTS * area));
}

function joinAlike(picture: Raster, { labels }: Partition, colors: readonly Color[]): Reduced {
  const painted = new Uint8Array(picture.data);
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const color = colors[labels[pixel]!];
    for (let channel = 0; color && channel < 3; channel++) painted[4 * pixel + channel] = color[channel]!;
  }
  const areas = partition({ ...picture, data: painted }, 0);
  const fills: Fill[] = new Array(areas.count);
  for (let pixel = 0; pixel < areas.labels.length; pixel++) {
    const area = areas.labels[pixel]!;
    if (area >= 0) fills[area] ??= { color: [...painted.subarray(4 * pixel, 4 * pixel + 3)] };
  }
  return { areas, fills };
}
