import type { Raster } from '../pixels/raster.ts';
import { fillAreas, type Merged, MOMENTS, modelError } from './area_sums.ts';
import { correctFills } from './fill_layers.ts';
import { createHeap } from './heap.ts';
import type { Partition } from './partition.ts';
import type { VisibleParts } from './visible_parts.ts';
import { colorAt, type Fill, type Glow, shareOfGlow } from './write_svg.ts';

/** Cost of a glow, in pixels of outline of an image that is not enlarged. */
const GLOW_COST = 100;
/** Pixels of the image of the smallest area that may have glows. */
const GLOW_AREA_MIN = 400;

/** Squared error equivalent to a pixel of outline, overhead of a path in pixels of outline, and traced pixels across a pixel of the image. */
interface ShadingCosts {
  readonly price: number;
  readonly pathCost: number;
  readonly times: number;
}

/**
 * Merges areas whose border the image does not show, such as the steps of a sky, and fills large areas with glows over a gradient. Merged areas
 * stay where error and glows together cost no more than the error and the outlines before.
 */
export function shadeSmoothly(
  picture: Raster,
  settled: Merged,
  { price, pathCost, times }: ShadingCosts,
): { areas: Partition; fills: Fill[] } {
  const { areas: joined, heirs } = joinSmoothAreas(picture, settled.areas, times);
  const members = new Int32Array(joined.count);
  const errors = new Float64Array(joined.count);
  const sums = new Float64Array(MOMENTS * joined.count);
  for (const [area, heir] of heirs.entries()) {
    members[heir]!++;
    errors[heir]! += modelError(settled.sums, MOMENTS * area, true);
    for (let moment = 0; moment < MOMENTS; moment++)
      sums[MOMENTS * heir + moment]! += settled.sums[MOMENTS * area + moment]!;
  }
  const saved = savedOutlines(settled.areas, heirs, joined.count);
  const fills = fillAreas({ areas: joined, sums }, true);
  const bases = correctFills(
    fills,
    wholeParts(joined),
    Float32Array.from(
      { length: 3 * joined.labels.length },
      (_, at) => picture.data[at + Math.floor(at / 3)]!,
    ),
    { width: joined.width, times },
  );
  const boxes = boxesOf(joined);
  const worth = GLOW_COST * times * price;
  const kept = new Uint8Array(joined.count);
  const budget = { evaluations: EVALUATIONS_MAX };
  for (const [area, base] of bases.entries()) {
    if (sums[MOMENTS * area]! < GLOW_AREA_MIN * times ** 2) {
      kept[area] = members[area] === 1 ? 1 : 0;
      continue;
    }
    const { glows, error } = fitGlows(picture, joined, boxes[area]!, { base, worth, times, budget });
    const cost = error + worth * glows.length;
    const before = errors[area]! + price * (saved[area]! + pathCost * (members[area]! - 1));
    kept[area] = members[area] === 1 || cost <= before ? 1 : 0;
    if (kept[area] && glows.length > 0) fills[area] = { ...base, glows };
  }
  return restoreAreas(settled, { areas: joined, fills, heirs, kept });
}

/** Areas as if each pixel showed nothing but its own. */
function wholeParts({ labels, count }: Partition): VisibleParts {
  const starts = new Int32Array(count + 1);
  for (const label of labels) if (label >= 0) starts[label + 1]!++;
  for (let area = 0; area < count; area++) starts[area + 1]! += starts[area]!;
  const next = starts.slice();
  const pixels = new Int32Array(starts[count]!);
  for (const [pixel, label] of labels.entries()) if (label >= 0) pixels[next[label]!++] = pixel;
  return { starts, pixels, shares: new Float32Array(pixels.length).fill(1) };
}

/** For each new area the pixel sides of outline that joining took away. */
function savedOutlines({ labels, width }: Partition, heirs: Int32Array, count: number): Float64Array {
  const saved = new Float64Array(count);
  const see = (one: number, other: number): void => {
    if (one !== other && one >= 0 && other >= 0 && heirs[one] === heirs[other]) saved[heirs[one]!]!++;
  };
  for (let pixel = 0, column = 1; pixel < labels.length; pixel++, column++) {
    if (column === width) column = 0;
    else see(labels[pixel]!, labels[pixel + 1]!);
    if (pixel + width < labels.length) see(labels[pixel]!, labels[pixel + width]!);
  }
  return saved;
}

/** Joined areas that are not kept fall into those they were made of. */
function restoreAreas(
  settled: Merged,
  { areas, fills, heirs, kept }: { areas: Partition; fills: Fill[]; heirs: Int32Array; kept: Uint8Array },
): { areas: Partition; fills: Fill[] } {
  const own = fillAreas(settled, true);
  const names = new Int32Array(areas.count).fill(-1);
  const final: Fill[] = [];
  const newNames = Int32Array.from(heirs, (heir, area) => {
    if (!kept[heir]) return final.push(own[area]!) - 1;
    if (names[heir]! < 0) names[heir] = final.push(fills[heir]!) - 1;
    return names[heir]!;
  });
  const labels = settled.areas.labels.map((label) => (label < 0 ? -1 : newNames[label]!));
  return { areas: { ...settled.areas, labels, count: final.length }, fills: final };
}

/**
 * A border shows no edge where the image steps by no more than this across it: in the mean, and as the root of the mean square (8-bit RGB). Steps
 * are differences between the means of so many pixels of the image on either side; the shorter find threads and hairs, the longer soft edges.
 */
const STEPS = [
  { reachPx: 1, meanMax: 7, rmsMax: 14 },
  { reachPx: 3, meanMax: 6, rmsMax: 12 },
] as const;

/** Merged areas, and the new area of each former one. */
interface SmoothJoin {
  readonly areas: Partition;
  readonly heirs: Int32Array;
}

/**
 * Merges areas wherever the image shows no edge along their border, which would be a contour of the drawing only.
 * @param times traced pixels across a pixel of the image
 */
function joinSmoothAreas(picture: Raster, areas: Partition, times: number): SmoothJoin {
  const { width, height, labels, count } = areas;
  const parents = Int32Array.from({ length: count }, (_, area) => area);
  const rootOf = (area: number): number => {
    let root = area;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  const [near, far] = STEPS.map((step) => bordersBetween(picture, areas, step, times)) as [
    Border[],
    Border[],
  ];
  for (const [index, { one, other, isEdge }] of near.entries())
    if (!isEdge && !far[index]!.isEdge) parents[rootOf(one)] = rootOf(other);
  const names = new Int32Array(count).fill(-1);
  let left = 0;
  const heirs = Int32Array.from({ length: count }, (_, area) => {
    const root = rootOf(area);
    if (names[root]! < 0) names[root] = left++;
    return names[root]!;
  });
  const joined = labels.map((label) => (label < 0 ? -1 : heirs[label]!));
  return { areas: { width, height, labels: joined, count: left }, heirs };
}

interface Border {
  readonly one: number;
  readonly other: number;
  readonly isEdge: boolean;
}

/** Every pair of areas that meet, always in the same order, and whether the image shows an edge between them. */
function bordersBetween(
  picture: Raster,
  { width, height, labels, count }: Partition,
  { reachPx, meanMax, rmsMax }: (typeof STEPS)[number],
  times: number,
): Border[] {
  const reach = Math.round(reachPx * times);
  const indexOf = new Map<number, number>();
  /** For each pair: pixel sides, sums of the three steps, and of their squares. */
  const sums: number[] = [];
  const tables = [integralOf(picture, 1), integralOf(picture, width)];
  const see = (pixel: number, x: number, y: number, isDown: boolean): void => {
    const next = pixel + (isDown ? width : 1);
    const [label, other] = [labels[pixel]!, labels[next]!];
    if (label === other || label < 0 || other < 0) return;
    const key = Math.min(label, other) * count + Math.max(label, other);
    let at = indexOf.get(key);
    if (at === undefined) {
      at = sums.length;
      indexOf.set(key, at);
      sums.push(0, 0, 0, 0, 0);
    }
    const sign = label < other ? 1 : -1;
    const [table, stride] = [tables[isDown ? 1 : 0]!, isDown ? width : 1];
    const place = isDown ? y : x;
    const before = Math.min(reach, place + 1);
    const after = Math.min(reach, (isDown ? height : width) - 1 - place);
    sums[at]!++;
    for (let channel = 0; channel < 3; channel++) {
      const through = table[3 * pixel + channel]!;
      const start = place >= before ? table[3 * (pixel - before * stride) + channel]! : 0;
      const end = table[3 * (pixel + after * stride) + channel]!;
      const step = (end - through) / after - (through - start) / before;
      sums[at + 1 + channel]! += sign * step;
      sums[at + 4]! += step * step;
    }
  };
  for (let y = 0, pixel = 0; y < height; y++)
    for (let x = 0; x < width; x++, pixel++) {
      if (x + 1 < width) see(pixel, x, y, false);
      if (y + 1 < height) see(pixel, x, y, true);
    }
  return [...indexOf].map(([key, at]) => {
    const sides = sums[at]!;
    const mean = Math.hypot(sums[at + 1]!, sums[at + 2]!, sums[at + 3]!) / sides;
    const isEdge = mean > meanMax || Math.sqrt(sums[at + 4]! / sides) > rmsMax;
    return { one: Math.floor(key / count), other: key % count, isEdge };
  });
}

/** Running sums of the three channels along rows (stride 1) or columns (stride `width`). */
function integralOf({ width, height, data: rgba }: Raster, stride: number): Int32Array {
  const table = new Int32Array(3 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const isFirst = stride === 1 ? pixel % width === 0 : pixel < width;
    for (let channel = 0; channel < 3; channel++)
      table[3 * pixel + channel] =
        rgba[4 * pixel + channel]! + (isFirst ? 0 : table[3 * (pixel - stride) + channel]!);
  }
  return table;
}

/** Side, in pixels of the image, of the smallest cells whose means glows are fitted to: finer differences are noise and grain. */
const CELL_PX = 2;
/** Spread (8-bit RGB, root of the mean square) in a cell above which it is not fitted. */
const GRAIN_MAX = 14;
/** Radii of glows, in cells of each level; those of a level are twice as large as those of the one before. */
const RADII = [3, 4.25] as const;
/** Maximum number of glows in an area, and of second evaluations of candidates in an image; each takes about 1 µs. */
const GLOWS_MAX = 250;
const EVALUATIONS_MAX = 500_000;

/** An area of a partition: its number, and the bounding box of its pixels. */
interface AreaBox {
  readonly area: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Evaluations left for an image. */
interface Budget {
  evaluations: number;
}

interface GlowFit {
  readonly glows: readonly Glow[];
  /** Squared error of the area over three channels, glows included. */
  readonly error: number;
}

/**
 * Round glows over the base fill of an area, which follow its smooth shading: each takes more than `worth` off the squared error.
 * Source: the matching pursuit of S. Mallat and Z. Zhang, 1993, with radial atoms on a pyramid.
 */
function fitGlows(
  picture: Raster,
  { labels }: Partition,
  box: AreaBox,
  { base, worth, times, budget }: { base: Fill; worth: number; times: number; budget: Budget },
): GlowFit {
  const { finest, grain } = cellsOf(picture, labels, box, base, Math.round(CELL_PX * times));
  const levels = [finest];
  while (Math.min(levels.at(-1)!.columns, levels.at(-1)!.rows) > RADII[0]) levels.push(halve(levels.at(-1)!));
  const glows = pursue(levels, worth, budget).map(
    ({ x, y, radius, color }): Glow => ({ x: x + box.left, y: y + box.top, radius, color }),
  );
  return { glows, error: grain + missOf(finest) };
}

/** Cells of an area within its bounding box: their pixels, the mean of the image and the colour drawn, three channels each. */
interface Cells {
  /** In traced pixels. */
  readonly side: number;
  readonly columns: number;
  readonly rows: number;
  readonly pixels: Float32Array;
  readonly target: Float32Array;
  readonly drawn: Float32Array;
}

/** The smallest cells, and the squared differences of the pixels from the means of theirs. */
function cellsOf(
  { width, data: rgba }: Raster,
  labels: Int32Array,
  { area, left, top, right, bottom }: AreaBox,
  base: Fill,
  side: number,
): { finest: Cells; grain: number } {
  const finest = emptyCells(side, Math.ceil((right + 1 - left) / side), Math.ceil((bottom + 1 - top) / side));
  const { columns, pixels, target, drawn } = finest;
  const squares = new Float32Array(pixels.length);
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const pixel = y * width + x;
      if (labels[pixel] !== area) continue;
      const cell = Math.floor((y - top) / side) * columns + Math.floor((x - left) / side);
      const color = colorAt(base, x, y);
      pixels[cell]!++;
      for (let channel = 0; channel < 3; channel++) {
        // Of the pixels only what differs from the base counts: a slope within a cell is no grain.
        const miss = rgba[4 * pixel + channel]! - color[channel]!;
        target[3 * cell + channel]! += miss;
        drawn[3 * cell + channel]! += color[channel]!;
        squares[cell]! += miss * miss;
      }
    }
  let grain = 0;
  for (let cell = 0; cell < pixels.length; cell++) {
    const count = pixels[cell]!;
    if (count === 0) continue;
    let spread = squares[cell]!;
    for (let at = 3 * cell; at < 3 * cell + 3; at++) {
      spread -= target[at]! ** 2 / count;
      drawn[at]! /= count;
      target[at] = drawn[at]! + target[at]! / count;
    }
    grain += Math.max(0, spread);
    if (spread <= count * GRAIN_MAX ** 2) continue;
    // Something smaller than areas: a glow would smear it.
    grain += count * squareMiss(finest, cell);
    pixels[cell] = 0;
  }
  return { finest, grain };
}

function emptyCells(side: number, columns: number, rows: number): Cells {
  const count = columns * rows;
  return {
    side,
    columns,
    rows,
    pixels: new Float32Array(count),
    target: new Float32Array(3 * count),
    drawn: new Float32Array(3 * count),
  };
}

/** Cells twice as large. */
function halve(fine: Cells): Cells {
  const coarse = emptyCells(2 * fine.side, Math.ceil(fine.columns / 2), Math.ceil(fine.rows / 2));
  for (let row = 0; row < fine.rows; row++)
    for (let column = 0; column < fine.columns; column++)
      coarse.pixels[(row >> 1) * coarse.columns + (column >> 1)]! +=
        fine.pixels[row * fine.columns + column]!;
  averageCells(fine, coarse, 'target', wholeOf(coarse));
  averageCells(fine, coarse, 'drawn', wholeOf(coarse));
  return coarse;
}

interface Span {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const wholeOf = ({ columns, rows }: Cells): Span => ({
  left: 0,
  top: 0,
  right: columns - 1,
  bottom: rows - 1,
});

/** Writes the means of the fine cells into the coarse ones of a span. */
function averageCells(
  fine: Cells,
  coarse: Cells,
  plane: 'target' | 'drawn',
  { left, top, right, bottom }: Span,
): void {
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) {
      const cell = row * coarse.columns + column;
      const sum = [0, 0, 0];
      for (let down = 2 * row; down < Math.min(fine.rows, 2 * row + 2); down++)
        for (let across = 2 * column; across < Math.min(fine.columns, 2 * column + 2); across++) {
          const from = down * fine.columns + across;
          for (let channel = 0; channel < 3; channel++)
            sum[channel]! += fine.pixels[from]! * fine[plane][3 * from + channel]!;
        }
      const count = Math.max(1, coarse.pixels[cell]!);
      for (let channel = 0; channel < 3; channel++) coarse[plane][3 * cell + channel] = sum[channel]! / count;
    }
}

function missOf(cells: Cells): number {
  let error = 0;
  for (const [cell, count] of cells.pixels.entries()) error += count * squareMiss(cells, cell);
  return error;
}

const squareMiss = ({ target, drawn }: Cells, cell: number): number =>
  (target[3 * cell]! - drawn[3 * cell]!) ** 2 +
  (target[3 * cell + 1]! - drawn[3 * cell + 1]!) ** 2 +
  (target[3 * cell + 2]! - drawn[3 * cell + 2]!) ** 2;

/** Cells about the one in the middle of a glow, and the share that it has of each. */
interface Stencil {
  readonly radius: number;
  readonly across: Int8Array;
  readonly down: Int8Array;
  readonly shares: Float32Array;
}

const STENCILS: readonly Stencil[] = RADII.map((radius) => {
  const reach = Math.floor(radius);
  const found: [across: number, down: number, share: number][] = [];
  for (let down = -reach; down <= reach; down++)
    for (let across = -reach; across <= reach; across++) {
      const share = shareOfGlow(Math.hypot(across, down) / radius);
      if (share > 0) found.push([across, down, share]);
    }
  return {
    radius,
    across: Int8Array.from(found, ([across]) => across),
    down: Int8Array.from(found, ([, down]) => down),
    shares: Float32Array.from(found, ([, , share]) => share),
  };
});

/** Adds the glow that takes off most, as long as one is worth it. Places are in traced pixels from the corner of the cells. */
function pursue(levels: readonly Cells[], worth: number, budget: Budget): Glow[] {
  const starts = [0];
  for (const { columns, rows } of levels) starts.push(starts.at(-1)! + STENCILS.length * columns * rows);
  const heap = createHeap(1024);
  const weighs = levels.map(weigherOf);
  for (const [level, { pixels }] of levels.entries())
    for (let cell = 0; cell < pixels.length; cell++)
      for (let size = 0; size < STENCILS.length; size++) {
        const { gain } = weighs[level]!(cell, STENCILS[size]!);
        if (gain > worth) heap.push(-gain, starts[level]! + STENCILS.length * cell + size);
      }
  const glows: Glow[] = [];
  while (heap.size() > 0 && glows.length < GLOWS_MAX && budget.evaluations-- > 0) {
    const item = heap.pop();
    const level = starts.findIndex((start) => start > item) - 1;
    const within = item - starts[level]!;
    const cell = Math.floor(within / STENCILS.length);
    const stencil = STENCILS[within % STENCILS.length]!;
    const { gain, color } = weighs[level]!(cell, stencil);
    if (gain <= worth) continue;
    if (heap.size() > 0 && gain < -heap.least()) {
      heap.push(-gain, item);
      continue;
    }
    const { side, columns } = levels[level]!;
    const column = cell % columns;
    const glow = {
      x: side * (column + 0.5),
      y: side * ((cell - column) / columns + 0.5),
      radius: side * stencil.radius,
      color: color.map(Math.round),
    };
    paintGlow(levels, glow);
    glows.push(glow);
  }
  return glows;
}

/** Says which colour a glow about a cell had best, and what squared error it takes off; overwritten by the next call. */
function weigherOf({ columns, rows, pixels, target, drawn }: Cells) {
  const found = { gain: 0, color: [0, 0, 0] };
  const wanted = [0, 0, 0];
  return (middle: number, { across, down, shares }: Stencil): typeof found => {
    const column = middle % columns;
    const row = (middle - column) / columns;
    let [squares, spared] = [0, 0];
    wanted.fill(0);
    for (let index = 0; index < shares.length; index++) {
      const [x, y] = [column + across[index]!, row + down[index]!];
      if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
      const cell = y * columns + x;
      const weight = pixels[cell]!;
      if (weight === 0) continue;
      const share = shares[index]!;
      squares += weight * share * share;
      for (let at = 3 * cell, channel = 0; channel < 3; at++, channel++) {
        const under = share * drawn[at]!;
        const miss = target[at]! - drawn[at]!;
        wanted[channel]! += weight * share * (miss + under);
        spared += weight * under * (2 * miss + under);
      }
    }
    found.gain = -spared;
    for (let channel = 0; squares > 0 && channel < 3; channel++) {
      const value = Math.min(255, Math.max(0, wanted[channel]! / squares));
      found.color[channel] = value;
      found.gain += value * (2 * wanted[channel]! - value * squares);
    }
    return found;
  };
}

/** Paints a glow over the smallest cells, and takes over their means into the larger ones. */
function paintGlow(levels: readonly Cells[], { x, y, radius, color }: Glow): void {
  const [finest] = levels as [Cells];
  const { side, columns, rows, drawn } = finest;
  let span: Span = {
    left: Math.max(0, Math.floor((x - radius) / side)),
    top: Math.max(0, Math.floor((y - radius) / side)),
    right: Math.min(columns - 1, Math.floor((x + radius) / side)),
    bottom: Math.min(rows - 1, Math.floor((y + radius) / side)),
  };
  for (let row = span.top; row <= span.bottom; row++)
    for (let column = span.left; column <= span.right; column++) {
      const share = shareOfGlow(Math.hypot(side * (column + 0.5) - x, side * (row + 0.5) - y) / radius);
      const at = 3 * (row * columns + column);
      for (let channel = 0; channel < 3; channel++)
        drawn[at + channel]! += share * (color[channel]! - drawn[at + channel]!);
    }
  for (let level = 1; level < levels.length; level++) {
    span = { left: span.left >> 1, top: span.top >> 1, right: span.right >> 1, bottom: span.bottom >> 1 };
    averageCells(levels[level - 1]!, levels[level]!, 'drawn', span);
  }
}

/** Bounding boxes of the areas. */
function boxesOf({ width, labels, count }: Partition): AreaBox[] {
  const boxes = Array.from({ length: count }, (_, area) => ({
    area,
    left: Infinity,
    top: Infinity,
    right: -1,
    bottom: -1,
  }));
  for (let pixel = 0, x = 0, y = 0; pixel < labels.length; pixel++, x++) {
    if (x === width) {
      x = 0;
      y++;
    }
    if (labels[pixel]! < 0) continue;
    const box = boxes[labels[pixel]!]!;
    if (x < box.left) box.left = x;
    if (x > box.right) box.right = x;
    if (y < box.top) box.top = y;
    box.bottom = y;
  }
  return boxes;
}
