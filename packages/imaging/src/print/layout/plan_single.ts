import { SLUG_MM } from '../page_marks.ts';
import { blockMarks, STICKER_MARGIN_MM, stickerSheetBoxes } from './marks.ts';
import type { Pieces } from './plan_n_up.ts';
import { expandRect, type LayoutPlan, type Rect } from './types.ts';

/** Places one piece on a page of its size plus bleed and marks. */
export function planSingle({ sizeMm, bleedMm, hasMarks, hasContours }: Pieces): Omit<LayoutPlan, 'report'> {
  const around = bleedMm + (hasContours ? STICKER_MARGIN_MM : 0) + (hasMarks ? SLUG_MM : 0);
  const paper = { width: sizeMm.width + 2 * around, height: sizeMm.height + 2 * around };
  const piece: Rect = {
    left: around,
    bottom: around,
    right: around + sizeMm.width,
    top: around + sizeMm.height,
  };
  const bleed = expandRect(piece, bleedMm);
  const edges = { columns: [piece.left, piece.right], rows: [piece.bottom, piece.top] };
  const marks = hasMarks ? blockMarks(piece, { paper, bleedMm, ...edges }) : [];
  const sheet = hasContours
    ? stickerSheetBoxes(piece, { paper, bleedMm, hasMarks })
    : { trim: piece, bleed, marks };
  return {
    pages: [
      {
        paper,
        ...sheet,
        placed: [{ piece: 0, x: piece.left, y: piece.bottom, isTurned: false, clip: bleed }],
        dashes: [],
        labels: [],
      },
    ],
    notes: [],
  };
}
