import { MM_PER_INCH, type SheetPlan } from './plan_sheet.ts';

/** 0.25 pt: thin enough to cut by, thick enough to print on every plate. */
const MARK_WIDTH_MM = (0.25 / 72) * MM_PER_INCH;
/** Share of the bleed between the trim and a crop mark drawn inside the bleed. */
const CLEAR_SHARE = 0.25;
/** Ink sum, of 4 × 255, above which a mark is drawn in white to be visible. */
const DARK_INK = 2.2 * 255;
const INK = 255;

/** Pixels of one mark: columns and rows, each from the first to one past the last. */
interface Stroke {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/**
 * Draws crop marks into the rows of a sheet without space outside the bleed: eight hairlines inside the bleed, aligned
 * with the trim, in all four inks, or without ink where the image is dark.
 */
export function markRows(plan: SheetPlan): (inks: Uint8ClampedArray, row: number) => void {
  const strokes = cropMarkStrokes(plan);
  const { width } = plan.sheet;
  const chosen = new Map<Stroke, number>();
  return (inks, row) => {
    for (const stroke of strokes) {
      if (row < stroke.y[0] || row >= stroke.y[1]) continue;
      const ink = chosen.get(stroke) ?? markInk(inks, stroke);
      chosen.set(stroke, ink);
      inks.fill(ink, 4 * Math.max(0, stroke.x[0]), 4 * Math.min(width, stroke.x[1]));
    }
  };
}

function markInk(inks: Uint8ClampedArray, { x }: Stroke): number {
  const under = inks.subarray(4 * x[0], 4 * x[1]);
  const mean = under.reduce((sum, ink) => sum + ink, 0) / Math.max(1, x[1] - x[0]);
  return mean > DARK_INK ? 0 : INK;
}

function cropMarkStrokes({ sheet, trimAt, dpi }: SheetPlan): Stroke[] {
  const thickness = Math.max(1, Math.round((MARK_WIDTH_MM / MM_PER_INCH) * dpi));
  const [lengthX, lengthY] = [trimAt.x, trimAt.y].map((side) => Math.floor(side * (1 - CLEAR_SHARE)));
  const line = (place: number): [number, number] => {
    const from = place - Math.floor(thickness / 2);
    return [from, from + thickness];
  };
  const columns = [trimAt.x, sheet.width - trimAt.x].map(line);
  const rows = [trimAt.y, sheet.height - trimAt.y].map(line);
  const upright = columns.flatMap((x) => [
    { x, y: [0, lengthY!] as const },
    { x, y: [sheet.height - lengthY!, sheet.height] as const },
  ]);
  const level = rows.flatMap((y) => [
    { x: [0, lengthX!] as const, y },
    { x: [sheet.width - lengthX!, sheet.width] as const, y },
  ]);
  return [...upright, ...level];
}

/** In points, from the lower left corner of the page. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PageBoxes {
  readonly media: Box;
  readonly bleed: Box;
  readonly trim: Box;
}

/** Slug around the bleed, for marks. */
export const SLUG_MM = 9;

const pointsOf = (mm: number): number => (mm * 72) / MM_PER_INCH;

/** Returns the page boxes: trim inside bleed inside media, with a slug if the sheet has marks. */
export function pageBoxes({ trimMm, bleedMm }: SheetPlan, hasMarks: boolean): PageBoxes {
  const slug = hasMarks ? SLUG_MM : 0;
  const boxAround = (inset: number, beyond: number): Box => ({
    x: pointsOf(inset),
    y: pointsOf(inset),
    width: pointsOf(trimMm.width + 2 * beyond),
    height: pointsOf(trimMm.height + 2 * beyond),
  });
  return {
    media: boxAround(0, bleedMm + slug),
    bleed: boxAround(slug, bleedMm),
    trim: boxAround(slug + bleedMm, 0),
  };
}

/** Distance from the bleed to a crop mark. */
const GAP_MM = 1;
const LENGTH_MM = 6;
/** Minimum distance from the trim to a crop mark, so that an inaccurate cut does not show it. */
const TRIM_GAP_MM = 3;
const TARGET_RADIUS_MM = 2;
/** Handle length, as a share of the radius, of a circle made of four Bézier curves. */
const HANDLE = 0.5523;

/** In points, from the lower left corner of the page. */
export interface PageMarks {
  /** From start to end. */
  readonly lines: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[];
  readonly circles: readonly { readonly x: number; readonly y: number; readonly radius: number }[];
}

/** Returns crop marks at the corners and registration marks at the middle of each side, outside the bleed. */
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

/** Returns the operators that draw the marks in the colour space `AllInks`, which prints on every plate. */
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
