import type { Raster } from '../pixels/raster.ts';
import { type AreaSums, areaSums, MOMENTS, modelError } from './area_sums.ts';
import { type Borders, findBorders, joinBorders } from './borders.ts';
import { createHeap } from './heap.ts';
import { nodesAbout } from './nodes_about.ts';
import type { Partition } from './partition.ts';

/** Neighbouring areas that are joined, ever more of them. Each way of joining runs along one fixed sequence, so that going further always gives a part of what going less far gave. */
export interface AreaMerger {
  /** Joins where the drawing saves most outline for the least error, until a pixel of outline is worth `price` of error. */
  joinCheaper(price: number): void;
  /** Joins what is smaller than so many pixels, but for what is at least half as large and whose joining would cost more than `price`. */
  joinSmaller(areaMin: number, price: number): void;
  /** Goes on by price to about this share of nodes; false where nothing is left to join. */
  joinTo(share: number): boolean;
  areas(): Merged;
}

/** Areas as they are, with the sums of each. */
export interface Merged {
  readonly areas: Partition;
  readonly sums: AreaSums;
}

/** What a path costs beside its outline, in pixels of outline. */
const PATH_COST = 90;

/**
 * Prices are squared error (8-bit steps, three channels) for each pixel of outline. `gradients` says whether an area may be
 * filled with a linear gradient.
 * Source: the energy of D. Mumford and J. Shah, 1989, minimised as by G. Koepfler, C. Lopez and J.-M. Morel, 1994.
 */
export function createAreaMerger(picture: Raster, start: Partition, gradients: boolean): AreaMerger {
  const merging = begin(picture, start, gradients);
  const nodes = () => nodesAbout(merging.outline, merging.count);
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
  readonly union: Float64Array;
  /** How many areas are left, and the pixel sides between them. */
  count: number;
  outline: number;
}

function begin(picture: Raster, { labels, count }: Partition, gradients: boolean): Merging {
  const sums = areaSums(picture, labels, count);
  const borders = findBorders(labels, picture.width, count);
  const merging: Merging = {
    sums,
    errors: Float64Array.from({ length: count }, (_, area) => modelError(sums, MOMENTS * area, gradients)),
    borders,
    heap: createHeap(2 * borders.count),
    heirs: Int32Array.from({ length: count }, (_, area) => area),
    gradients,
    union: new Float64Array(MOMENTS),
    count,
    outline: borders.lengths.reduce((sum, length) => sum + length, 0),
  };
  for (let border = 0; border < borders.count; border++) merging.heap.push(priceOf(merging, border), border);
  return merging;
}

/** Squared error that removing a border adds, for each pixel of outline it saves. */
function priceOf({ sums, errors, borders, union, gradients }: Merging, border: number): number {
  const one = borders.ones[border]!;
  const two = borders.twos[border]!;
  for (let moment = 0; moment < MOMENTS; moment++)
    union[moment] = sums[MOMENTS * one + moment]! + sums[MOMENTS * two + moment]!;
  const added = modelError(union, 0, gradients) - errors[one]! - errors[two]!;
  return added / (PATH_COST + borders.lengths[border]!);
}

/** Joins areas in order of price. */
function mergeWhile(merging: Merging, wanted: (price: number) => boolean): void {
  const { heap, borders } = merging;
  while (heap.size() > 0 && wanted(heap.least())) {
    const key = heap.least();
    const border = heap.pop();
    if (borders.lengths[border] === 0) continue;
    const price = priceOf(merging, border);
    // Joins nearby have changed it since it was put in.
    if (price > key + 1e-9 * Math.abs(key)) heap.push(price, border);
    else merge(merging, border);
  }
}

/** Joins the two sides of a border; returns the area that stays. */
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

/** Joins areas smaller than `areaMin` with the neighbour where it adds least error, the smallest first; from half of that on only up to `price`. */
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
