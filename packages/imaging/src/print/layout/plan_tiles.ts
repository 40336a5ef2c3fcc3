import { EngineError } from '../../errors/engine_error.ts';
import type { Size } from '../../pixels/plane.ts';
import { LAYOUT_PAGES_MAX } from '../limits.ts';
import { blockMarks } from './marks.ts';
import type { Pieces } from './plan_n_up.ts';
import {
  clampRect,
  expandRect,
  type Label,
  type LayoutPlan,
  type Line,
  millimetres,
  type PagePlan,
  type Rect,
  sizeText,
  swapSides,
} from './types.ts';

export interface TilesOptions {
  readonly kind: 'tiles';
  readonly paperMm: Size;
  readonly overlapMm: number;
  /** Non-printable margin of the printer. Marks and labels are placed in it. */
  readonly marginMm: number;
}

interface Tiling {
  readonly paper: Size;
  /** Part of the poster on one sheet. */
  readonly room: Size;
  readonly columns: number;
  readonly rows: number;
}

const SLACK_MM = 1e-6;
/** Distance of the glue line from the edge of the overlap, so that the next sheet covers it. */
const GLUE_LINE_MM = 0.7;
const LABEL_FROM_TRIM_MM = 6.2;

/**
 * Divides a poster into overlapping tiles that are glued together.
 * @throws EngineError invalid_input if the overlap leaves no space or too many sheets are needed
 */
export function planTiles(options: TilesOptions, { sizeMm, bleedMm, hasMarks }: Pieces): LayoutPlan {
  const { overlapMm } = options;
  const [upright, rotated] = [
    tilingOf(options.paperMm, options, sizeMm),
    tilingOf(swapSides(options.paperMm), options, sizeMm),
  ];
  const tiling = rotated.columns * rotated.rows < upright.columns * upright.rows ? rotated : upright;
  const { columns, rows, paper } = tiling;
  const count = columns * rows;
  if (count > LAYOUT_PAGES_MAX)
    throw invalid(
      'layout.sheet',
      `A poster of ${sizeText(sizeMm)} needs ${count} sheets of ${sizeText(paper)}, and at most ${LAYOUT_PAGES_MAX} are supported. Send a larger sheet, or smaller overlap_mm and margin_mm.`,
    );
  const bleed = Math.min(bleedMm, options.marginMm);
  const pages = Array.from({ length: count }, (_, at) =>
    tileOf(at, { tiling, options, sizeMm, bleed, hasMarks }),
  );
  const gluing =
    count > 1
      ? [
          `${count} sheets, ${columns} across and ${rows} down. Trim the left and top edge of each sheet along its crop marks and glue it onto the ${millimetres(overlapMm)} mm overlap of the previous sheet, up to the dashed line.`,
        ]
      : ['The poster fits on a single sheet.'];
  return {
    pages,
    report: { kind: 'tiles', pages: count, sheets: count, paperMm: paper, columns, rows, overlapMm },
    notes: gluing,
  };
}

/** Returns equal tiles, as large as the paper allows. */
function tilingOf(paper: Size, { marginMm, overlapMm }: TilesOptions, poster: Size): Tiling {
  const most = { width: paper.width - 2 * marginMm, height: paper.height - 2 * marginMm };
  if (Math.min(most.width, most.height) <= 2 * overlapMm)
    throw invalid(
      'layout.overlap_mm',
      `Margins of ${millimetres(marginMm)} mm leave ${sizeText(most)} of the paper. The overlap of ${millimetres(overlapMm)} mm must be less than half of that. Send a smaller overlap_mm or margin_mm, or a larger sheet.`,
    );
  const along = (whole: number, side: number): number =>
    Math.max(1, Math.ceil((whole - overlapMm - SLACK_MM) / (side - overlapMm)));
  const [columns, rows] = [along(poster.width, most.width), along(poster.height, most.height)];
  const room = {
    width: (poster.width + (columns - 1) * overlapMm) / columns,
    height: (poster.height + (rows - 1) * overlapMm) / rows,
  };
  return { paper, room, columns, rows };
}

interface TileContext {
  readonly tiling: Tiling;
  readonly options: TilesOptions;
  readonly sizeMm: Size;
  readonly bleed: number;
  readonly hasMarks: boolean;
}

function tileOf(at: number, { tiling, options, sizeMm, bleed, hasMarks }: TileContext): PagePlan {
  const { paper, room, columns, rows } = tiling;
  const { overlapMm } = options;
  const [column, row] = [at % columns, Math.floor(at / columns)];
  const left = column * (room.width - overlapMm);
  const top = sizeMm.height - row * (room.height - overlapMm);
  const bottom = top - room.height;
  const [marginX, marginY] = [(paper.width - room.width) / 2, (paper.height - room.height) / 2];
  const trim: Rect = {
    left: marginX,
    bottom: marginY,
    right: marginX + room.width,
    top: marginY + room.height,
  };
  const shown = clampRect(expandRect(trim, bleed), paper);
  const strips = { right: column < columns - 1, bottom: row < rows - 1 };
  return {
    paper,
    trim,
    bleed: shown,
    placed: [{ piece: 0, x: trim.left - left, y: trim.bottom - bottom, isTurned: false, clip: shown }],
    marks: hasMarks
      ? blockMarks(trim, {
          paper,
          bleedMm: bleed,
          columns: [trim.left, trim.right],
          rows: [trim.bottom, trim.top],
        })
      : [],
    dashes: hasMarks && overlapMm > 0 ? glueLines(trim, strips, overlapMm) : [],
    labels: hasMarks ? labelOf(trim, { row, rows, column, columns }) : [],
  };
}

/** Returns the glue lines on the overlaps that the next sheets cover. */
function glueLines(trim: Rect, strips: { right: boolean; bottom: boolean }, overlapMm: number): Line[] {
  if (overlapMm <= 2 * GLUE_LINE_MM) return [];
  const x = trim.right - overlapMm + GLUE_LINE_MM;
  const y = trim.bottom + overlapMm - GLUE_LINE_MM;
  return [
    ...(strips.right ? [[x, trim.bottom, x, trim.top] as const] : []),
    ...(strips.bottom ? [[trim.left, y, trim.right, y] as const] : []),
  ];
}

function labelOf(
  trim: Rect,
  { row, rows, column, columns }: Record<'row' | 'rows' | 'column' | 'columns', number>,
): Label[] {
  if (trim.bottom < LABEL_FROM_TRIM_MM) return [];
  const text = `ROW ${row + 1}/${rows}  COLUMN ${column + 1}/${columns}`;
  return [{ text, x: trim.left + 8, y: trim.bottom - LABEL_FROM_TRIM_MM }];
}

const invalid = (field: string, message: string): EngineError =>
  new EngineError('invalid_input', message, { errors: [{ field, code: 'invalid', message }] });
