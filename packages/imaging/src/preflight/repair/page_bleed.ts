import { interpretPage, newShared } from '../content/interpret.ts';
import { type Box, grown, overlap, pointsOf, union } from '../content/matrix.ts';
import { writeNumber } from '../convert/write_value.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { ALL_INKS, inksOf, isPaper } from '../pdf/inks.ts';
import { mediaOf, type PdfPage, trimOf } from '../pdf/pages.ts';

/** What printers ask for. */
export const BLEED_MM = 3;
/** Up to which the trade rounds. */
const SLACK_MM = 0.1;
/** A mark this near to the cut is meant to reach it. */
const TOUCH_PT = 0.5;

const SIDES = ['left', 'bottom', 'right', 'top'] as const;
type Side = (typeof SIDES)[number];

export interface RepairedBoxes {
  readonly media: Box;
  readonly bleed: Box;
  readonly trim: Box;
  /** Sides where what reaches the cut ends before the bleed does, and the line it is mirrored about: the cut, or where it ends just before. */
  readonly mirrored: ReadonlyMap<Side, number>;
}

/** Boxes as a printer wants them: the trim that is there, 3 mm of bleed around it or as much as there is, and a page around both. */
export function repairedBoxes(document: PdfDocument, page: PdfPage): RepairedBoxes {
  const trim = overlap(trimOf(page), mediaOf(page)) ?? mediaOf(page);
  const wanted = grown(trim, pointsOf(BLEED_MM) / page.userUnit);
  const bleed = page.bleed ? union(wanted, page.bleed) : wanted;
  const reach = reachOf(document, page);
  const mirrored = reach
    ? mirroredSides({ reach, trim, wanted, unit: page.userUnit })
    : new Map<Side, number>();
  return { trim, bleed, media: union(mediaOf(page), bleed), mirrored };
}

/** Sides where what reaches the cut ends before the bleed does, with the line to mirror it about. @param unit points that a unit of the boxes has */
export function mirroredSides({
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

/** What the page paints beside paper and marks on all plates, also outside its MediaBox. @throws WorkSpent */
export function reachOf(document: PdfDocument, page: PdfPage): Box | undefined {
  let reach: Box | undefined;
  interpretPage(document, page, {
    shared: newShared(),
    onProblem() {},
    onMark: ({ paint, box, isInvisible, isOfTile }) => {
      const inks = paint.values.length > 0 ? inksOf(paint.space, paint.values) : undefined;
      if (isInvisible || isOfTile || inks?.has(ALL_INKS) || (inks && isPaper(inks)) || isWhite(paint)) return;
      if (overlap(box, trimOf(page))) reach = union(reach, box);
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

/** A strip of the bleed along one axis: from, to, and the line it is mirrored about; a middle one has none. */
interface Strip {
  readonly from: number;
  readonly to: number;
  readonly about?: number;
}

/** The strips of one axis: before, between and behind. Where a side has bleed of its own, the middle one covers that as well. */
function stripsOf(
  { bleed, mirrored }: Pick<RepairedBoxes, 'bleed' | 'mirrored'>,
  low: Side,
  high: Side,
): Strip[] {
  const [start, end] = [mirrored.get(low), mirrored.get(high)];
  return [
    ...(start === undefined ? [] : [{ from: bleed[low], to: start, about: start }]),
    { from: start ?? bleed[low], to: end ?? bleed[high] },
    ...(end === undefined ? [] : [{ from: end, to: bleed[high], about: end }]),
  ];
}

/** How far a strip reaches under the page it continues, so that no seam shows where a screen smooths edges. */
const OVERLAP_PT = 0.1;

/**
 * Operators that draw a page with its mirror image in each strip of the bleed that is empty. What the page itself has in such a strip is left out;
 * marks beyond the bleed stay.
 * @param form its name in the resources
 */
export function mirroredBleed(boxes: Omit<RepairedBoxes, 'trim'>, form: string): string {
  const columns = stripsOf(boxes, 'left', 'right');
  const rows = stripsOf(boxes, 'bottom', 'top');
  const strips = columns.flatMap((column) =>
    rows
      .filter((row) => column.about !== undefined || row.about !== undefined)
      .map((row) => ({ column, row })),
  );
  const mirrored = strips.map(({ column, row }) => {
    const [left, right] = underlaid(column);
    const [bottom, top] = underlaid(row);
    const [a, e] = column.about === undefined ? [1, 0] : [-1, 2 * column.about];
    const [d, f] = row.about === undefined ? [1, 0] : [-1, 2 * row.about];
    const matrix = [a, 0, 0, d, e, f].map((value) => writeNumber(value!)).join(' ');
    return `q ${rectangle(left, bottom, right, top)} W n ${matrix} cm /${form} Do Q\n`;
  });
  const { left, bottom, right, top } = grown(boxes.media, 1);
  const holes = strips.map(({ column, row }) => rectangle(column.from, row.from, column.to, row.to));
  const whole = `q ${rectangle(left, bottom, right, top)} ${holes.join(' ')} W* n /${form} Do Q\n`;
  return `${mirrored.join('')}${whole}`;
}

const underlaid = ({ from, to, about }: Strip): [number, number] =>
  about === undefined
    ? [from, to]
    : [from === about ? from - OVERLAP_PT : from, to === about ? to + OVERLAP_PT : to];

const rectangle = (left: number, bottom: number, right: number, top: number): string =>
  `${[left, bottom, right - left, top - bottom].map(writeNumber).join(' ')} re`;
