import { EngineError } from '../../errors/engine_error.ts';
import type { Size } from '../../pixels/plane.ts';
import { LAYOUT_PAGES_MAX } from '../limits.ts';
import { blockMarks, stickerSheetBoxes } from './marks.ts';
import {
  clampRect,
  expandRect,
  type LayoutPlan,
  millimetres,
  type PagePlan,
  type PlacedPiece,
  type Rect,
  sizeText,
  swapSides,
} from './types.ts';

export interface NUpOptions {
  readonly kind: 'n_up';
  readonly paperMm: Size;
  /** Copies of each piece. Default: fill the sheet. */
  readonly copies?: number | undefined;
  /** Default: twice the bleed. */
  readonly gapMm?: number | undefined;
  readonly marginMm: number;
}

/** Pieces of equal size to be cut from sheets. */
export interface Pieces {
  readonly count: number;
  readonly sizeMm: Size;
  readonly bleedMm: number;
  readonly hasMarks: boolean;
  /** Whether each piece has its own cut contour. Marks are then for trimming the sheet only. */
  readonly hasContours: boolean;
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** Size on the paper, after rotation. */
  readonly cell: Size;
  readonly isTurned: boolean;
}

/** Tolerance against rounding errors. */
const SLACK_MM = 1e-6;

/**
 * Imposes pieces n-up, centred, rotated by 90° if more fit that way.
 * @throws EngineError invalid_input if no piece fits or too many sheets are needed
 */
export function planNUp(options: NUpOptions, pieces: Pieces): LayoutPlan {
  const { paperMm: paper, marginMm } = options;
  const { count } = pieces;
  const gapMm = options.gapMm ?? 2 * pieces.bleedMm;
  const grid = bestGrid(options, pieces, gapMm);
  const perSheet = grid.columns * grid.rows;
  if (perSheet === 0) {
    const room = { width: paper.width - 2 * marginMm, height: paper.height - 2 * marginMm };
    throw invalid(
      'layout.sheet',
      `A piece of ${sizeText(pieces.sizeMm)} does not fit on paper of ${sizeText(paper)} with margins of ${millimetres(marginMm)} mm, which leave ${sizeText(room)}. Send a larger sheet, a smaller size (product_size custom) or a smaller margin_mm.`,
    );
  }
  const copies = options.copies ?? (count >= perSheet ? 1 : undefined);
  const total = copies === undefined ? perSheet : copies * count;
  const sheets = Math.ceil(total / perSheet);
  if (sheets > LAYOUT_PAGES_MAX)
    throw invalid(
      'layout.copies',
      `${total} pieces need ${sheets} sheets with ${perSheet} each, and at most ${LAYOUT_PAGES_MAX} are supported. Send fewer copies: identical sheets can be printed several times.`,
    );
  const pages = sheetsOf({ total, sheets, perSheet, grid, gapMm, paper, pieces });
  const counts = Array.from({ length: count }, () => 0);
  for (const { piece } of pages.flatMap(({ placed }) => placed)) counts[piece]! += 1;
  return {
    pages,
    report: {
      kind: 'n_up',
      pages: sheets,
      sheets,
      paperMm: paper,
      columns: grid.columns,
      rows: grid.rows,
      perSheet,
      copies: counts,
      isTurned: grid.isTurned,
    },
    notes: gapNote(options, pieces, perSheet),
  };
}

interface SheetFill {
  /** Pieces in total, and pieces per full sheet. */
  readonly total: number;
  readonly perSheet: number;
  readonly sheets: number;
  readonly grid: Grid;
  readonly gapMm: number;
  readonly paper: Size;
  readonly pieces: Pieces;
}

/** Copies of a piece are placed next to each other, so that they stay together after cutting. */
function sheetsOf({ total, sheets, perSheet, grid, gapMm, paper, pieces }: SheetFill): PagePlan[] {
  const { count, bleedMm } = pieces;
  const used = { ...grid, ...usedPart(grid, total) };
  const block = blockOf(used, paper, gapMm);
  const around = sheetAround(block, { paper, pieces, grid: used, gapMm });
  return Array.from({ length: sheets }, (_, sheet): PagePlan => {
    const first = sheet * perSheet;
    const placed = Array.from({ length: Math.min(perSheet, total - first) }, (__, at) =>
      placedAt(at, Math.floor(((first + at) * count) / total), { grid: used, block, gapMm, bleedMm }),
    );
    return { paper, ...around, placed, dashes: [], labels: [] };
  });
}

/** Note on how many more pieces fit without the default gaps. */
function gapNote(options: NUpOptions, pieces: Pieces, perSheet: number): string[] {
  if (options.gapMm !== undefined) return [];
  const { columns, rows } = bestGrid(options, pieces, 0);
  const more = columns * rows;
  if (more <= perSheet) return [];
  return [
    `${perSheet} pieces fit on a sheet with gaps of ${millimetres(2 * pieces.bleedMm)} mm for the bleed. With gap_mm 0, ${more} fit; adjacent pieces then share a cut.`,
  ];
}

function bestGrid({ paperMm, marginMm }: NUpOptions, { sizeMm }: Pieces, gapMm: number): Grid {
  const fitting = (cell: Size, isTurned: boolean): Grid => {
    const fit = (paper: number, side: number): number =>
      Math.max(0, Math.floor((paper - 2 * marginMm + gapMm + SLACK_MM) / (side + gapMm)));
    return {
      columns: fit(paperMm.width, cell.width),
      rows: fit(paperMm.height, cell.height),
      cell,
      isTurned,
    };
  };
  const [upright, rotated] = [fitting(sizeMm, false), fitting(swapSides(sizeMm), true)];
  return rotated.columns * rotated.rows > upright.columns * upright.rows ? rotated : upright;
}

/** Columns and rows that the first sheet uses. */
const usedPart = ({ columns, rows }: Grid, total: number) => ({
  columns: Math.min(columns, total),
  rows: Math.min(rows, Math.ceil(total / columns)),
});

function blockOf({ columns, rows, cell }: Grid, paper: Size, gapMm: number): Rect {
  const width = columns * cell.width + (columns - 1) * gapMm;
  const height = rows * cell.height + (rows - 1) * gapMm;
  const [left, bottom] = [(paper.width - width) / 2, (paper.height - height) / 2];
  return { left, bottom, right: left + width, top: bottom + height };
}

/** Returns boxes and marks of a sheet. */
function sheetAround(
  block: Rect,
  { paper, pieces, grid, gapMm }: { paper: Size; pieces: Pieces; grid: Grid; gapMm: number },
): Pick<PagePlan, 'trim' | 'bleed' | 'marks'> {
  const { bleedMm, hasMarks, hasContours } = pieces;
  if (hasContours) return stickerSheetBoxes(block, { paper, bleedMm, hasMarks });
  return {
    trim: block,
    bleed: clampRect(expandRect(block, bleedMm), paper),
    marks: hasMarks ? gridMarks(grid, { block, paper, bleedMm, gapMm }) : [],
  };
}

interface Block {
  readonly block: Rect;
  readonly gapMm: number;
  readonly bleedMm: number;
}

/** Places pieces row by row from the upper left. Neighbours split a gap that is too narrow for both bleeds. */
function placedAt(
  at: number,
  piece: number,
  { grid, block, gapMm, bleedMm }: Block & { grid: Grid },
): PlacedPiece {
  const { columns, rows, cell, isTurned } = grid;
  const [column, row] = [at % columns, Math.floor(at / columns)];
  const x = block.left + column * (cell.width + gapMm);
  const y = block.top - cell.height - row * (cell.height + gapMm);
  const shared = Math.min(bleedMm, gapMm / 2);
  return {
    piece,
    x,
    y,
    isTurned,
    clip: {
      left: x - (column === 0 ? bleedMm : shared),
      right: x + cell.width + (column === columns - 1 ? bleedMm : shared),
      bottom: y - (row === rows - 1 ? bleedMm : shared),
      top: y + cell.height + (row === 0 ? bleedMm : shared),
    },
  };
}

function gridMarks(grid: Grid, { block, paper, bleedMm, gapMm }: Block & { paper: Size }) {
  const edges = (start: number, count: number, side: number): number[] => {
    const all = Array.from({ length: count }, (_, at) => start + at * (side + gapMm)).flatMap((edge) => [
      edge,
      edge + side,
    ]);
    return all.filter((edge, at) => at === 0 || edge - all[at - 1]! > SLACK_MM);
  };
  const columns = edges(block.left, grid.columns, grid.cell.width);
  const rows = edges(block.bottom, grid.rows, grid.cell.height);
  return blockMarks(block, { paper, bleedMm, columns, rows });
}

const invalid = (field: string, message: string): EngineError =>
  new EngineError('invalid_input', message, { errors: [{ field, code: 'invalid', message }] });
