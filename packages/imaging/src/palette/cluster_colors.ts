import type { ColorCells } from './color_cells.ts';

/** Colours to cluster: OKLab, three numbers each, and their weights. */
export type WeightedColors = Pick<ColorCells, 'count' | 'weights' | 'labs'>;

export interface Clusters {
  /** OKLab centres, three numbers per cluster. */
  centers: Float64Array;
  /** Weight of each cluster. */
  masses: Float64Array;
  /** Cluster of each cell. */
  owners: Uint16Array;
}

const ROUNDS_MAX = 60;
/** Centres that move less than this (in OKLab) no longer change an 8-bit colour. */
const SETTLED = 1e-4;

/**
 * Deterministic weighted k-means in OKLab. Seeds: the widest cluster is split across its longest axis until there are `count`. Returns
 * fewer clusters if there are fewer cells.
 */
export function clusterColors(cells: WeightedColors, count: number, roundsMax = ROUNDS_MAX): Clusters {
  return settle(cells, cutApart(cells, count), roundsMax);
}

/** Lloyd's iteration until the centres converge. Clusters that lose all cells are dropped. */
export function settle(cells: WeightedColors, start: Float64Array, roundsMax = ROUNDS_MAX): Clusters {
  let centers = start;
  const owners = new Uint16Array(cells.count);
  let masses: Float64Array = new Float64Array(centers.length / 3);
  for (let round = 0; round < roundsMax; round++) {
    assign(cells, centers, owners);
    const moved = centersOf(cells, owners, centers.length / 3);
    masses = moved.masses;
    const shift = greatestShift(centers, moved.centers, masses);
    centers = moved.centers;
    if (shift < SETTLED) break;
  }
  return dropEmpty({ centers, masses, owners });
}

function assign({ count, labs }: WeightedColors, centers: Float64Array, owners: Uint16Array): void {
  for (let cell = 0; cell < count; cell++) {
    const l = labs[3 * cell]!;
    const a = labs[3 * cell + 1]!;
    const b = labs[3 * cell + 2]!;
    let best = 0;
    let least = Infinity;
    for (let at = 0; at < centers.length; at += 3) {
      const dl = l - centers[at]!;
      const da = a - centers[at + 1]!;
      const db = b - centers[at + 2]!;
      const square = dl * dl + da * da + db * db;
      if (square < least) {
        least = square;
        best = at;
      }
    }
    owners[cell] = best / 3;
  }
}

/** Weighted mean and mass of each cluster; an empty one has mass 0. */
export function centersOf(
  cells: WeightedColors,
  owners: Uint16Array,
  count: number,
): { centers: Float64Array; masses: Float64Array } {
  const centers = new Float64Array(3 * count);
  const masses = new Float64Array(count);
  for (let cell = 0; cell < cells.count; cell++) {
    const weight = cells.weights[cell]!;
    const at = 3 * owners[cell]!;
    masses[owners[cell]!]! += weight;
    for (let axis = 0; axis < 3; axis++) centers[at + axis]! += weight * cells.labs[3 * cell + axis]!;
  }
  for (let at = 0; at < centers.length; at++) {
    const mass = masses[Math.floor(at / 3)]!;
    if (mass > 0) centers[at]! /= mass;
  }
  return { centers, masses };
}

function greatestShift(before: Float64Array, after: Float64Array, masses: Float64Array): number {
  let greatest = 0;
  for (let at = 0; at < before.length; at++) {
    if (masses[Math.floor(at / 3)]! > 0) greatest = Math.max(greatest, Math.abs(before[at]! - after[at]!));
  }
  return greatest;
}

function dropEmpty({ centers, masses, owners }: Clusters): Clusters {
  const kept = [...masses.keys()].filter((cluster) => masses[cluster]! > 0);
  const place = new Uint16Array(masses.length);
  kept.forEach((cluster, index) => {
    place[cluster] = index;
  });
  return {
    centers: Float64Array.from(
      kept.flatMap((cluster) => [...centers.subarray(3 * cluster, 3 * cluster + 3)]),
    ),
    masses: Float64Array.from(kept, (cluster) => masses[cluster]!),
    owners: owners.map((cluster) => place[cluster]!),
  };
}

/** A range of `order` (cell numbers) that forms one cluster during splitting, with its mean and its spread along its longest axis. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly mean: readonly [number, number, number];
  readonly axis: readonly [number, number, number];
  /** Weighted squared distance along `axis`: the largest gain of a split. */
  readonly spread: number;
}

function cutApart(cells: WeightedColors, count: number): Float64Array {
  const order = Int32Array.from({ length: cells.count }, (_, cell) => cell);
  const pieces = [measure(cells, order, 0, cells.count)];
  while (pieces.length < count) {
    const widest = pieces.reduce(
      (best, piece, index) => (piece.spread > pieces[best]!.spread ? index : best),
      0,
    );
    const piece = pieces[widest]!;
    if (piece.spread <= 1e-12) break;
    const middle = partition(cells, order, piece);
    if (middle === piece.from || middle === piece.to) break;
    pieces.splice(
      widest,
      1,
      measure(cells, order, piece.from, middle),
      measure(cells, order, middle, piece.to),
    );
  }
  return Float64Array.from(pieces.flatMap(({ mean }) => mean));
}

function measure({ labs, weights }: WeightedColors, order: Int32Array, from: number, to: number): Piece {
  let mass = 0;
  const sum = [0, 0, 0] as [number, number, number];
  for (let index = from; index < to; index++) {
    const cell = order[index]!;
    mass += weights[cell]!;
    for (let axis = 0; axis < 3; axis++) sum[axis]! += weights[cell]! * labs[3 * cell + axis]!;
  }
  const mean = [sum[0] / mass, sum[1] / mass, sum[2] / mass] as const;
  const scatter = new Float64Array(9);
  for (let index = from; index < to; index++) {
    const at = 3 * order[index]!;
    const weight = weights[order[index]!]!;
    for (let row = 0; row < 3; row++) {
      const offset = weight * (labs[at + row]! - mean[row]!);
      for (let column = 0; column < 3; column++)
        scatter[3 * row + column]! += offset * (labs[at + column]! - mean[column]!);
    }
  }
  return { from, to, mean, ...longestAxis(scatter) };
}

/** Principal eigenvector of a 3×3 matrix by power iteration, started at its largest row. */
function longestAxis(matrix: Float64Array): Pick<Piece, 'axis' | 'spread'> {
  const largest = [0, 1, 2].reduce((best, row) => (matrix[4 * row]! > matrix[4 * best]! ? row : best), 0);
  let axis = [...matrix.subarray(3 * largest, 3 * largest + 3)] as [number, number, number];
  let spread = 0;
  for (let round = 0; round < 16; round++) {
    const length = Math.hypot(...axis);
    if (length === 0) return { axis: [1, 0, 0], spread: 0 };
    const unit = axis.map((part) => part / length) as [number, number, number];
    axis = [0, 1, 2].map((row) =>
      unit.reduce((sum, part, column) => sum + matrix[3 * row + column]! * part, 0),
    ) as typeof axis;
    spread = Math.hypot(...axis);
  }
  return { axis, spread };
}

/** Moves the cells on the near side of the mean to the front of the piece; returns the start of the far side. */
function partition({ labs }: WeightedColors, order: Int32Array, { from, to, mean, axis }: Piece): number {
  let low = from;
  let high = to - 1;
  while (low <= high) {
    const cell = order[low]!;
    const side = axis.reduce((sum, part, index) => sum + part * (labs[3 * cell + index]! - mean[index]!), 0);
    if (side <= 0) low++;
    else {
      order[low] = order[high]!;
      order[high--] = cell;
    }
  }
  return low;
}
