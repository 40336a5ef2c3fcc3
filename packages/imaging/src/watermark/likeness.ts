import type { Plane } from '../pixels/plane.ts';
import { TILE_CELLS } from './carrier.ts';
import type { AlignedFrame } from './placement.ts';
import { cellMeans } from './visibility.ts';
import { CELL_PX } from './wavelet.ts';

/** Side of the blocks whose brightness is compared, in cells: 16 pixels of the frame. */
const BLOCK_CELLS = 2;
/** Period of the watermark in blocks. A cropped image may be shifted by one or two periods. */
const TILE_BLOCKS = TILE_CELLS / BLOCK_CELLS;

/**
 * Visual descriptor of a watermarked image, in the coordinates of its watermark: which of two adjacent blocks is brighter, and where
 * clearly.
 */
export interface Likeness {
  /** In blocks. */
  readonly columns: number;
  readonly rows: number;
  /** Two bits per block, row by row, most significant first: brighter to the right, brighter below. */
  readonly brighter: Uint8Array;
  /** In the same order: whether the difference is clear enough to survive editing. */
  readonly clear: Uint8Array;
}

/** Block brightness of a query image, in the coordinates of the watermark detected in it. */
export interface SeenBlocks {
  readonly firstColumn: number;
  readonly firstRow: number;
  readonly columns: number;
  readonly rows: number;
  /** Brightness of each block, 0 to 255; -1 outside the image. */
  readonly levels: Float32Array;
}

/** The visual descriptor of a watermarked frame. @param frame watermarked, with sides in whole cells */
export function likenessOf(frame: Plane): Likeness {
  const grid = { columns: frame.width / CELL_PX, rows: frame.height / CELL_PX, firstColumn: 0, firstRow: 0 };
  const { columns, rows, levels } = seenBlocks({
    frame,
    grid,
    usable: new Uint8Array(grid.columns * grid.rows).fill(1),
  });
  const brighter = new Uint8Array(Math.ceil((2 * columns * rows) / 8));
  const clear = new Uint8Array(brighter.length);
  const set = (bit: number, difference: number) => {
    if (difference > 0) brighter[bit >> 3]! |= 0x80 >> (bit & 7);
    if (Math.abs(difference) >= KEPT_CLEAR_LEVELS) clear[bit >> 3]! |= 0x80 >> (bit & 7);
  };
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      if (column + 1 < columns) set(2 * at, levels[at + 1]! - levels[at]!);
      if (row + 1 < rows) set(2 * at + 1, levels[at + columns]! - levels[at]!);
    }
  }
  return { columns, rows, brighter, clear };
}

export function seenBlocks({ frame, grid, usable }: AlignedFrame): SeenBlocks {
  const means = cellMeans(frame);
  const firstColumn = Math.ceil(grid.firstColumn / BLOCK_CELLS);
  const firstRow = Math.ceil(grid.firstRow / BLOCK_CELLS);
  const columns = Math.floor((grid.firstColumn + grid.columns) / BLOCK_CELLS) - firstColumn;
  const rows = Math.floor((grid.firstRow + grid.rows) / BLOCK_CELLS) - firstRow;
  const levels = new Float32Array(columns * rows);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      const left = (firstColumn + column) * BLOCK_CELLS - grid.firstColumn;
      const top = (firstRow + row) * BLOCK_CELLS - grid.firstRow;
      let [sum, known] = [0, true];
      for (let y = top; y < top + BLOCK_CELLS; y++) {
        for (let x = left; x < left + BLOCK_CELLS; x++) {
          sum += means[y * grid.columns + x]!;
          known &&= usable[y * grid.columns + x] === 1;
        }
      }
      levels[at] = known ? sum / BLOCK_CELLS ** 2 : -1;
    }
  }
  return { firstColumn, firstRow, columns, rows, levels };
}

/** How well a query image matches the image a watermark was made for. */
export interface LikenessJudgement {
  /** Share of the visible blocks that match, 0 to 1. */
  readonly share: number;
  /** Number of visible blocks that differ clearly from their neighbours. */
  readonly evidence: number;
}

/** Differences of this many grey levels count in full, smaller ones less: below, noise decides which block is brighter. */
const CLEAR_LEVELS = 6;
/** A difference this large at embedding survives editing. If less than `GONE_LEVELS` is left, a flat area covers it. */
const KEPT_CLEAR_LEVELS = 8;
const GONE_LEVELS = 1.5;
/** It may vanish where overexposure turns both blocks white; that counts less. */
const WHITE_LEVEL = 250;
const WHITE_WEIGHT = 0.35;
/** Side of the regions judged separately, in blocks: 128 pixels of the frame. */
const REGION_BLOCKS = 8;
/** Regions with less evidence are not judged. */
const REGION_EVIDENCE_MIN = 8;
/**
 * Agreement from which a region counts as unchanged; unrelated images agree on half. Each axis must agree as well, because skies are
 * brighter above in most images.
 */
const REGION_AGREEMENT_MIN = 0.75;
const AXIS_AGREEMENT_MIN = 0.65;

/** Compares the visible blocks with the stored ones, at the best shift by whole tile periods. */
export function judgeLikeness(kept: Likeness, seen: SeenBlocks): LikenessJudgement {
  let best: LikenessJudgement = { share: 0, evidence: 0 };
  for (const top of shifts(kept.rows, seen.firstRow, seen.rows)) {
    for (const left of shifts(kept.columns, seen.firstColumn, seen.columns)) {
      const judged = judgeAt(kept, seen, left, top);
      if (best.evidence === 0 || judged.share > best.share) best = judged;
    }
  }
  return best;
}

/** Possible positions of the first of `count` visible blocks that overlap the stored ones. */
function shifts(kept: number, first: number, count: number): number[] {
  const within = ((first % TILE_BLOCKS) + TILE_BLOCKS) % TILE_BLOCKS;
  const all: number[] = [];
  for (let shift = within; shift < kept; shift += TILE_BLOCKS) all.push(shift);
  for (let shift = within - TILE_BLOCKS; shift > -count; shift -= TILE_BLOCKS) all.push(shift);
  return all;
}

interface Region {
  /** Total weight, and weight of agreeing blocks, per axis. */
  readonly all: [number, number];
  readonly agreeing: [number, number];
}

function judgeAt(kept: Likeness, seen: SeenBlocks, left: number, top: number): LikenessJudgement {
  const regions = new Map<number, Region>();
  const { columns, rows, levels } = seen;
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      if (levels[at]! < 0) continue;
      const key = Math.floor(row / REGION_BLOCKS) * columns + Math.floor(column / REGION_BLOCKS);
      let region = regions.get(key);
      if (!region) {
        region = { all: [0, 0], agreeing: [0, 0] };
        regions.set(key, region);
      }
      for (const axis of [0, 1] as const) {
        const [right, below] = axis === 0 ? [1, 0] : [0, 1];
        if (column + right >= columns || row + below >= rows) continue;
        const other = levels[at + (axis === 0 ? 1 : columns)]!;
        if (other < 0) continue;
        const difference = other - levels[at]!;
        const bit = bitAt(kept, column + left, row + top, axis);
        const isGone = Math.abs(difference) < GONE_LEVELS && isSet(kept.clear, bit);
        const goneWeight = Math.min(other, levels[at]!) >= WHITE_LEVEL ? WHITE_WEIGHT : 1;
        const weight = isGone ? goneWeight : Math.min(1, Math.abs(difference) / CLEAR_LEVELS);
        region.all[axis] += weight;
        if (!isGone && bit !== undefined && isSet(kept.brighter, bit) === difference > 0)
          region.agreeing[axis] += weight;
      }
    }
  }
  return sumRegions([...regions.values()]);
}

/** Undefined outside the descriptor, and in its last column or row. */
function bitAt({ columns, rows }: Likeness, column: number, row: number, axis: 0 | 1): number | undefined {
  const isWithin = column >= 0 && row >= 0 && column + (axis === 0 ? 1 : 0) < columns && row + axis < rows;
  return isWithin ? 2 * (row * columns + column) + axis : undefined;
}

const isSet = (bits: Uint8Array, bit: number | undefined): boolean =>
  bit !== undefined && ((bits[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1;

function sumRegions(regions: readonly Region[]): LikenessJudgement {
  let [evidence, alike] = [0, 0];
  for (const { all, agreeing } of regions) {
    const weight = all[0] + all[1];
    if (weight < REGION_EVIDENCE_MIN) continue;
    evidence += weight;
    const axes = ([0, 1] as const).every((axis) => agreeing[axis] >= AXIS_AGREEMENT_MIN * all[axis]);
    if (axes && agreeing[0] + agreeing[1] >= REGION_AGREEMENT_MIN * weight) alike += weight;
  }
  return { share: evidence === 0 ? 0 : alike / evidence, evidence };
}
