import type { Size } from '../../pixels/plane.ts';
import { clampRect, expandRect, type Line, type PagePlan, type Rect } from './types.ts';

/** Distance from the bleed to a mark, mark length, and minimum useful length. */
const GAP_MM = 0.5;
const LENGTH_MM = 5;
const LENGTH_MM_MIN = 1.5;
/** Minimum distance from the trim to a mark, so that an inaccurate cut does not show it. */
const TRIM_GAP_MM = 2;

/**
 * Returns crop marks around a block, in the paper margin outside the bleed.
 * @param columns x positions of cuts
 * @param rows y positions of cuts
 */
export function blockMarks(
  block: Rect,
  {
    paper,
    bleedMm,
    columns,
    rows,
  }: {
    readonly paper: Size;
    readonly bleedMm: number;
    readonly columns: readonly number[];
    readonly rows: readonly number[];
  },
): Line[] {
  const start = Math.max(bleedMm + GAP_MM, TRIM_GAP_MM);
  const length = (room: number): number => Math.min(LENGTH_MM, room - start);
  const [left, right] = [length(block.left), length(paper.width - block.right)];
  const [bottom, top] = [length(block.bottom), length(paper.height - block.top)];
  const vertical = columns.flatMap((x): Line[] => [
    [x, block.bottom - start, x, block.bottom - start - bottom],
    [x, block.top + start, x, block.top + start + top],
  ]);
  const horizontal = rows.flatMap((y): Line[] => [
    [block.left - start, y, block.left - start - left, y],
    [block.right + start, y, block.right + start + right, y],
  ]);
  const isLong = ([x1, y1, x2, y2]: Line, at: number): boolean => {
    const rooms = at < vertical.length ? [bottom, top] : [left, right];
    return rooms[at % 2]! >= LENGTH_MM_MIN && Math.hypot(x2 - x1, y2 - y1) >= LENGTH_MM_MIN;
  };
  return [...vertical, ...horizontal].filter(isLong);
}

/**
 * Distance between the bleed of stickers and the trim of the sheet, and bleed of the sheet: 3 mm as printers require.
 */
const STICKER_GAP_MM = 1;
const SHEET_BLEED_MM = 3;

/**
 * Returns boxes and marks of a sheet of stickers. The stickers are cut by contour; the sheet is cut outside them,
 * through bare material.
 */
export function stickerSheetBoxes(
  block: Rect,
  {
    paper,
    bleedMm,
    hasMarks,
  }: { readonly paper: Size; readonly bleedMm: number; readonly hasMarks: boolean },
): Pick<PagePlan, 'trim' | 'bleed' | 'marks'> {
  const trim = clampRect(expandRect(block, bleedMm + STICKER_GAP_MM), paper);
  const edges = { columns: [trim.left, trim.right], rows: [trim.bottom, trim.top] };
  return {
    trim,
    bleed: clampRect(expandRect(trim, SHEET_BLEED_MM), paper),
    marks: hasMarks ? blockMarks(trim, { paper, bleedMm: SHEET_BLEED_MM, ...edges }) : [],
  };
}

/** Margin around a single sticker, in addition to its bleed. */
export const STICKER_MARGIN_MM = STICKER_GAP_MM + SHEET_BLEED_MM;
