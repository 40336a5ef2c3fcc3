import type { Raster } from '../pixels/raster.ts';

/** Which area each pixel belongs to. */
export interface Partition {
  readonly width: number;
  readonly height: number;
  /** Area of each pixel; -1 if not drawn. */
  readonly labels: Int32Array;
  readonly count: number;
}

/** Pixels below half opacity are omitted: shapes have hard edges. */
export const OPAQUE_MIN = 128;

/** Areas the merging starts from: more would take memory and time, and be merged anyway. */
const AREAS_MAX = 250_000;
/** Range of colour differences, in whole 8-bit steps; the value itself marks a missing pair. */
const LEVELS = 443;

/**
 * Merges neighbouring pixels of similar colour, the most similar first, into initial areas. `tolerance` is the maximum
 * difference between the means of two areas (8-bit steps); it is raised until there are at most 250 000 areas. Source:
 * the ordering of R. Nock and F. Nielsen, "Statistical region merging", 2004.
 */
export function partition(picture: Raster, tolerance: number): Partition {
  const forest = createForest(picture);
  let apart = sortPairs(picture);
  let count = forest.count;
  for (let reach = tolerance; ; reach = Math.max(1, 1.5 * reach)) {
    let left = 0;
    for (const pair of apart) {
      const outcome = join(forest, pair >> 1, partner(pair, picture.width), reach ** 2);
      if (outcome === 'joined') count--;
      else if (outcome === 'apart') apart[left++] = pair;
    }
    if (count <= AREAS_MAX || reach > LEVELS) break;
    apart = apart.subarray(0, left);
  }
  return number(forest, picture);
}

const partner = (pair: number, width: number): number => (pair >> 1) + (pair & 1 ? width : 1);

interface Forest {
  readonly parents: Int32Array;
  readonly sizes: Int32Array;
  /** Three sums a root. */
  readonly sums: Float64Array;
  readonly count: number;
}

function createForest({ data: rgba }: Raster): Forest {
  const pixels = rgba.length / 4;
  const parents = new Int32Array(pixels);
  const sums = new Float64Array(3 * pixels);
  let count = 0;
  for (let pixel = 0; pixel < pixels; pixel++) {
    parents[pixel] = pixel;
    if (rgba[4 * pixel + 3]! < OPAQUE_MIN) continue;
    count++;
    for (let channel = 0; channel < 3; channel++) sums[3 * pixel + channel] = rgba[4 * pixel + channel]!;
  }
  return { parents, sizes: new Int32Array(pixels).fill(1), sums, count };
}

/**
 * Pairs of visible neighbours, the most similar first: twice the pixel, plus 1 if the other is below instead of right.
 */
function sortPairs({ width, height, data: rgba }: Raster): Int32Array {
  const levels = new Uint16Array(2 * width * height).fill(LEVELS);
  const starts = new Int32Array(LEVELS + 2);
  for (let y = 0, pixel = 0; y < height; y++) {
    for (let x = 0; x < width; x++, pixel++) {
      if (rgba[4 * pixel + 3]! < OPAQUE_MIN) continue;
      if (x < width - 1 && rgba[4 * pixel + 7]! >= OPAQUE_MIN)
        levels[2 * pixel] = levelOf(rgba, pixel, pixel + 1);
      if (y < height - 1 && rgba[4 * (pixel + width) + 3]! >= OPAQUE_MIN)
        levels[2 * pixel + 1] = levelOf(rgba, pixel, pixel + width);
    }
  }
  for (const level of levels) starts[level + 1]!++;
  for (let level = 0; level < LEVELS; level++) starts[level + 1]! += starts[level]!;
  const order = new Int32Array(starts[LEVELS]!);
  for (let pair = 0; pair < levels.length; pair++)
    if (levels[pair]! < LEVELS) order[starts[levels[pair]!]!++] = pair;
  return order;
}

function levelOf(rgba: Uint8Array, one: number, other: number): number {
  const red = rgba[4 * one]! - rgba[4 * other]!;
  const green = rgba[4 * one + 1]! - rgba[4 * other + 1]!;
  const blue = rgba[4 * one + 2]! - rgba[4 * other + 2]!;
  return Math.floor(Math.sqrt(red * red + green * green + blue * blue));
}

function rootOf(parents: Int32Array, pixel: number): number {
  let root = pixel;
  while (parents[root] !== root) {
    parents[root] = parents[parents[root]!]!;
    root = parents[root]!;
  }
  return root;
}

/** Merges the areas of two pixels if their means are within the tolerance. */
function join({ parents, sizes, sums }: Forest, pixel: number, other: number, square: number) {
  const one = rootOf(parents, pixel);
  const two = rootOf(parents, other);
  if (one === two) return 'one already';
  let distance = 0;
  for (let channel = 0; channel < 3; channel++)
    distance += (sums[3 * one + channel]! / sizes[one]! - sums[3 * two + channel]! / sizes[two]!) ** 2;
  if (distance > square) return 'apart';
  const [kept, gone] = sizes[one]! >= sizes[two]! ? [one, two] : [two, one];
  parents[gone] = kept;
  sizes[kept]! += sizes[gone]!;
  for (let channel = 0; channel < 3; channel++) sums[3 * kept + channel]! += sums[3 * gone + channel]!;
  return 'joined';
}

function number({ parents }: Forest, { width, height, data: rgba }: Raster): Partition {
  const labels = new Int32Array(parents.length).fill(-1);
  const names = new Int32Array(parents.length).fill(-1);
  let count = 0;
  for (let pixel = 0; pixel < labels.length; pixel++) {
    if (rgba[4 * pixel + 3]! < OPAQUE_MIN) continue;
    const root = rootOf(parents, pixel);
    if (names[root]! < 0) names[root] = count++;
    labels[pixel] = names[root]!;
  }
  return { width, height, labels, count };
}
