import { createDocumentCache, interpretPage } from '../content/interpret.ts';
import { type Box, expandBox, intersection, pointsOf, union } from '../content/matrix.ts';
import { writeNumber } from '../convert/write_value.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { ALL_INKS, inksOf, isPaper } from '../pdf/inks.ts';
import { mediaOf, type PdfPage, trimOf } from '../pdf/pages.ts';

/** Usual bleed. */
export const BLEED_MM = 3;
/** Tolerance for rounded sizes. */
const SLACK_MM = 0.1;
/** A mark this close to the trim counts as reaching it. */
const TOUCH_PT = 0.5;

const SIDES = ['left', 'bottom', 'right', 'top'] as const;
type Side = (typeof SIDES)[number];

export interface RepairedBoxes {
  readonly media: Box;
  readonly bleed: Box;
  readonly trim: Box;
  /**
   * Sides whose content reaches the trim but does not fill the bleed, with the mirror axis: the trim edge, or the end
   * of the content just before it.
   */
  readonly mirrorAxes: ReadonlyMap<Side, number>;
}

/** Returns repaired page boxes: the existing trim, at least 3 mm of bleed around it, and a media box around both. */
export function repairedBoxes(document: PdfDocument, page: PdfPage): RepairedBoxes {
  const trim = intersection(trimOf(page), mediaOf(page)) ?? mediaOf(page);
  const wanted = expandBox(trim, pointsOf(BLEED_MM) / page.userUnit);
  const bleed = page.bleed ? union(wanted, page.bleed) : wanted;
  const reach = paintedBox(document, page);
  const mirrorAxes = reach
    ? mirrorAxesOf({ reach, trim, wanted, unit: page.userUnit })
    : new Map<Side, number>();
  return { trim, bleed, media: union(mediaOf(page), bleed), mirrorAxes };
}

/**
 * Returns the sides whose content reaches the trim but does not fill the bleed, with their mirror axis.
 * @param unit points per unit of the boxes
 */
export function mirrorAxesOf({
  reach,
  trim,
  wanted,
  unit,
}: {
  readonly reach: Box;
  readonly trim: Box;
  readonly wanted: Box;
  readonly unit: number;
}): Map<Side, number> {
  const mirrored = new Map<Side, number>();
  for (const side of SIDES) {
    const away = side === 'left' || side === 'bottom' ? -1 : 1;
    const beyond = away * (reach[side] - trim[side]);
    const needed = away * (wanted[side] - trim[side]) - pointsOf(SLACK_MM) / unit;
    if (beyond >= -TOUCH_PT / unit && beyond < needed)
      mirrored.set(side, trim[side] + away * Math.min(0, beyond));
  }
  return mirrored;
}

/**
 * Returns the bounds of the painted content without white and registration marks, including content outside the
 * MediaBox.
 * @throws WorkBudgetExceeded
 */
export function paintedBox(document: PdfDocument, page: PdfPage): Box | undefined {
  let reach: Box | undefined;
  interpretPage(document, page, {
    shared: createDocumentCache(),
    onProblem() {},
    onMark: ({ paint, box, isInvisible, isInPattern }) => {
      const inks = paint.values.length > 0 ? inksOf(paint.space, paint.values) : undefined;
      if (isInvisible || isInPattern || inks?.has(ALL_INKS) || (inks && isPaper(inks)) || isWhite(paint))
        return;
      if (intersection(box, trimOf(page))) reach = union(reach, box);
    },
  });
  return reach;
}

const isWhite = ({
  space,
  values,
}: {
  space: { basis: string; family: string };
  values: readonly number[];
}) =>
  space.basis === 'rgb' &&
  space.family !== 'Indexed' &&
  values.length === 3 &&
  values.every((one) => one >= 1);

/** A strip along one axis: start, end and mirror axis. The middle strip has no axis. */
interface Strip {
  readonly from: number;
  readonly to: number;
  readonly axis?: number;
}

/** Strips of one axis: low bleed, middle, high bleed. The middle strip includes bleed that is already filled. */
function stripsOf(
  { bleed, mirrorAxes }: Pick<RepairedBoxes, 'bleed' | 'mirrorAxes'>,
  low: Side,
  high: Side,
): Strip[] {
  const [start, end] = [mirrorAxes.get(low), mirrorAxes.get(high)];
  return [
    ...(start === undefined ? [] : [{ from: bleed[low], to: start, axis: start }]),
    { from: start ?? bleed[low], to: end ?? bleed[high] },
    ...(end === undefined ? [] : [{ from: end, to: bleed[high], axis: end }]),
  ];
}

/** Overlap of a mirrored strip under the page, so that antialiasing shows no seam. */
const OVERLAP_PT = 0.1;

/**
 * Operators that draw a page, and its mirror image in each unfilled strip of the bleed. Page content inside such a
 * strip is clipped; marks beyond the bleed stay.
 * @param form resource name of the page as form XObject
 */
export function mirroredBleed(boxes: Omit<RepairedBoxes, 'trim'>, form: string): string {
  const columns = stripsOf(boxes, 'left', 'right');
  const rows = stripsOf(boxes, 'bottom', 'top');
  const strips = columns.flatMap((column) =>
    rows.filter((row) => column.axis !== undefined || row.axis !== undefined).map((row) => ({ column, row })),
  );
  const mirrored = strips.map(({ column, row }) => {
    const [left, right] = withOverlap(column);
    const [bottom, top] = withOverlap(row);
    const [a, e] = column.axis === undefined ? [1, 0] : [-1, 2 * column.axis];
    const [d, f] = row.axis === undefined ? [1, 0] : [-1, 2 * row.axis];
    const matrix = [a, 0, 0, d, e, f].map((value) => writeNumber(value!)).join(' ');
    return `q ${rectangle(left, bottom, right, top)} W n ${matrix} cm /${form} Do Q\n`;
  });
  const { left, bottom, right, top } = expandBox(boxes.media, 1);
  const holes = strips.map(({ column, row }) => rectangle(column.from, row.from, column.to, row.to));
  const whole = `q ${rectangle(left, bottom, right, top)} ${holes.join(' ')} W* n /${form} Do Q\n`;
  return `${mirrored.join('')}${whole}`;
}

const withOverlap = ({ from, to, axis }: Strip): [number, number] =>
  axis === undefined
    ? [from, to]
    : [from === axis ? from - OVERLAP_PT : from, to === axis ? to + OVERLAP_PT : to];

const rectangle = (left: number, bottom: number, right: number, top: number): string =>
  `${[left, bottom, right - left, top - bottom].map(writeNumber).join(' ')} re`;
