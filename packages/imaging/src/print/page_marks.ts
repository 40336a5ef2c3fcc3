import { MARK_WIDTH_MM } from './marks.ts';
import { type PageBoxes, pointsOf } from './page_boxes.ts';
import type { SheetPlan } from './plan_sheet.ts';

/** Between the bleed and the beginning of a crop mark. */
const GAP_MM = 1;
const LENGTH_MM = 6;
/** No crop mark begins nearer to the trim than this, so that a cut that is off shows none. */
const TRIM_GAP_MM = 3;
const TARGET_RADIUS_MM = 2;
/** A circle as four Bézier curves: how far their handles reach, of the radius. */
const HANDLE = 0.5523;

/** In points, from the lower left corner of the page. */
export interface PageMarks {
  /** From one end to the other. */
  readonly lines: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[];
  readonly circles: readonly { readonly x: number; readonly y: number; readonly radius: number }[];
}

/** Crop marks at the corners and register targets at the middle of each side, outside the bleed. */
export function pageMarks({ bleedMm }: SheetPlan, { media, trim }: PageBoxes): PageMarks {
  const gap = Math.max(bleedMm + GAP_MM, TRIM_GAP_MM);
  const [near, far] = [pointsOf(gap), pointsOf(Math.min(gap + LENGTH_MM, bleedMm + GAP_MM + LENGTH_MM + 1))];
  const [left, right] = [trim.x, trim.x + trim.width];
  const [low, high] = [trim.y, trim.y + trim.height];
  const level = [low, high].flatMap((y) => [
    [left - near, y, left - far, y] as const,
    [right + near, y, right + far, y] as const,
  ]);
  const upright = [left, right].flatMap((x) => [
    [x, low - near, x, low - far] as const,
    [x, high + near, x, high + far] as const,
  ]);
  const away = pointsOf(bleedMm + GAP_MM + TARGET_RADIUS_MM + 1.5);
  const [middleX, middleY] = [media.width / 2, media.height / 2];
  const targets = [
    { x: middleX, y: low - away },
    { x: middleX, y: high + away },
    { x: left - away, y: middleY },
    { x: right + away, y: middleY },
  ];
  const radius = pointsOf(TARGET_RADIUS_MM);
  const arm = 1.5 * radius;
  const crosses = targets.flatMap(({ x, y }) => [
    [x - arm, y, x + arm, y] as const,
    [x, y - arm, x, y + arm] as const,
  ]);
  return {
    lines: [...level, ...upright, ...crosses],
    circles: targets.map((place) => ({ ...place, radius: 0.6 * radius })),
  };
}

/** The content stream that draws the marks, in the colour `AllInks` that prints on every plate. */
export function markStrokes(plan: SheetPlan, boxes: PageBoxes): string {
  const { lines, circles } = pageMarks(plan, boxes);
  const strokes = [...lines.map((ends) => line(...ends)), ...circles.map(circle)].join('');
  return `q /AllInks CS 1 SCN ${number(pointsOf(MARK_WIDTH_MM))} w\n${strokes}Q\n`;
}

const number = (value: number): string => String(Math.round(value * 1e4) / 1e4);

const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `${number(x1)} ${number(y1)} m ${number(x2)} ${number(y2)} l S\n`;

function circle({ x, y, radius }: PageMarks['circles'][number]): string {
  const handle = HANDLE * radius;
  const curve = (...places: number[]) => `${places.map(number).join(' ')} c\n`;
  return [
    `${number(x + radius)} ${number(y)} m\n`,
    curve(x + radius, y + handle, x + handle, y + radius, x, y + radius),
    curve(x - handle, y + radius, x - radius, y + handle, x - radius, y),
    curve(x - radius, y - handle, x - handle, y - radius, x, y - radius),
    curve(x + handle, y - radius, x + radius, y - handle, x + radius, y),
    's\n',
  ].join('');
}
