import { EngineError } from '../../errors/engine_error.ts';
import type { Size } from '../../pixels/plane.ts';
import { LAYOUT_PAGES_MAX } from '../limits.ts';
import { SLUG_MM } from '../page_marks.ts';
import { blockMarks } from './marks.ts';
import type { Pieces } from './plan_n_up.ts';
import {
  clampRect,
  expandRect,
  type LayoutPlan,
  type Line,
  type PagePlan,
  type PlacedPiece,
  type Rect,
  sizeText,
  swapSides,
} from './types.ts';

export interface BookletOptions {
  readonly kind: 'booklet';
  /** Default: the open sheet with its bleed and marks. */
  readonly paperMm?: Size | undefined;
  /** Creep: shift of the innermost pages towards the spine. Other sheets shift proportionally. */
  readonly creepMm: number;
}

/** Pages per sheet folded once. */
const PAGES_OF_A_SHEET = 4;
const FOLD_MARK_MM = 5;
const FOLD_GAP_MM = 0.5;

type Side = readonly [left: number | null, right: number | null];

/**
 * Imposes a saddle-stitched booklet: sheets are printed on both sides, nested, folded and stapled in the fold. Front
 * and back alternate, head to head, for duplex printing flipped on the short edge of the open sheet.
 * @throws EngineError invalid_input if there are too many pages or the paper is too small
 */
export function planBooklet(options: BookletOptions, pieces: Pieces): LayoutPlan {
  const { count, sizeMm, bleedMm, hasMarks } = pieces;
  const sheets = Math.ceil(count / PAGES_OF_A_SHEET);
  if (2 * sheets > LAYOUT_PAGES_MAX)
    throw invalid(
      'image',
      `The booklet has ${count} pages. At most ${2 * LAYOUT_PAGES_MAX} are supported: thicker booklets are sewn or perfect bound.`,
    );
  const blanks = sheets * PAGES_OF_A_SHEET - count;
  const order = pageOrder(sheets, count);
  const open = { width: 2 * sizeMm.width, height: sizeMm.height };
  const paper = paperFor(options, open, { bleedMm, hasMarks });
  const [left, bottom] = [(paper.width - open.width) / 2, (paper.height - open.height) / 2];
  const trim: Rect = { left, bottom, right: left + open.width, top: bottom + open.height };
  const pages = order.flatMap(({ front, back }, sheet) => {
    const creep = sheets > 1 ? (options.creepMm * sheet) / (sheets - 1) : 0;
    return [front, back].map((side) => pageOf(side, { paper, trim, creep, pieces }));
  });
  const paperNote = options.creepMm > 0 && sheets === 1 ? ['A single sheet has no creep.'] : [];
  return {
    pages,
    report: { kind: 'booklet', pages: pages.length, sheets, paperMm: paper, order, blanks },
    notes: [...blankNote(count, blanks), ...paperNote],
  };
}

/** Page order from the outermost sheet inwards: last and first page in front, second and second-to-last behind. */
function pageOrder(sheets: number, count: number): { front: Side; back: Side }[] {
  const last = sheets * PAGES_OF_A_SHEET;
  const page = (number: number): number | null => (number <= count ? number : null);
  return Array.from({ length: sheets }, (_, sheet) => ({
    front: [page(last - 2 * sheet), page(2 * sheet + 1)],
    back: [page(2 * sheet + 2), page(last - 2 * sheet - 1)],
  }));
}

function blankNote(count: number, blanks: number): string[] {
  if (blanks === 0) return [];
  const numbers = Array.from({ length: blanks }, (_, at) => count + at + 1);
  const which = blanks === 1 ? `page ${numbers[0]} is blank` : `pages ${numbers.join(', ')} are blank`;
  return [
    `A stapled booklet has a multiple of 4 pages. ${count} ${count === 1 ? 'page was' : 'pages were'} sent, so ${which}.`,
  ];
}

/** Returns the paper, rotated to match the open sheet. @throws EngineError invalid_input */
function paperFor(
  { paperMm }: BookletOptions,
  open: Size,
  { bleedMm, hasMarks }: Pick<Pieces, 'bleedMm' | 'hasMarks'>,
): Size {
  const around = 2 * (bleedMm + (hasMarks ? SLUG_MM : 0));
  if (!paperMm) return { width: open.width + around, height: open.height + around };
  const isWide = open.width >= open.height;
  const paper = isWide === paperMm.width >= paperMm.height ? paperMm : swapSides(paperMm);
  if (open.width > paper.width + 0.05 || open.height > paper.height + 0.05)
    throw invalid(
      'layout.sheet',
      `The open sheet of the booklet is ${sizeText(open)}, and the paper is ${sizeText(paper)}. Send a larger sheet, or a smaller page size (product_size custom).`,
    );
  return paper;
}

function pageOf(
  side: Side,
  {
    paper,
    trim,
    creep,
    pieces,
  }: {
    readonly paper: Size;
    readonly trim: Rect;
    readonly creep: number;
    readonly pieces: Pieces;
  },
): PagePlan {
  const { sizeMm, bleedMm, hasMarks } = pieces;
  const spine = trim.left + sizeMm.width;
  const outer = clampRect(expandRect(trim, bleedMm), paper);
  const placed = side.flatMap((page, at): PlacedPiece[] => {
    if (page === null) return [];
    // Pages are clipped at the fold.
    const clip = at === 0 ? { ...outer, right: spine } : { ...outer, left: spine };
    const x = at === 0 ? trim.left + creep : spine - creep;
    return [{ piece: page - 1, x, y: trim.bottom, isTurned: false, clip }];
  });
  const marks = hasMarks
    ? blockMarks(trim, { paper, bleedMm, columns: [trim.left, trim.right], rows: [trim.bottom, trim.top] })
    : [];
  return {
    paper,
    trim,
    bleed: outer,
    placed,
    marks,
    dashes: hasMarks ? foldMarks(spine, outer, paper) : [],
    labels: [],
  };
}

function foldMarks(spine: number, { bottom, top }: Rect, paper: Size): Line[] {
  const marks: Line[] = [
    [spine, bottom - FOLD_GAP_MM, spine, Math.max(0, bottom - FOLD_GAP_MM - FOLD_MARK_MM)],
    [spine, top + FOLD_GAP_MM, spine, Math.min(paper.height, top + FOLD_GAP_MM + FOLD_MARK_MM)],
  ];
  return marks.filter(([, y1, , y2]) => Math.abs(y2 - y1) >= 1);
}

const invalid = (field: string, message: string): EngineError =>
  new EngineError('invalid_input', message, { errors: [{ field, code: 'invalid', message }] });
