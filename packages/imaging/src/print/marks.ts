import { MM_PER_INCH, type SheetPlan } from './plan_sheet.ts';

/** A quarter of a point: thin enough to cut by, thick enough for every plate. */
export const MARK_WIDTH_MM = (0.25 / 72) * MM_PER_INCH;
/** Part of the bleed left free between the trim and the beginning of a mark drawn in the bleed. */
const FREE_SHARE = 0.25;
/** Total ink, of 4 × 255, above which a mark has to be white to be seen. */
const DARK_INK = 2.2 * 255;
const INK = 255;

/** Pixels of one mark: columns and rows from, up to but not including. */
interface Stroke {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/**
 * Draws crop marks into rows of a sheet that has no room outside the bleed: eight hairlines in the bleed area, on the
 * lines of the trim, in all four inks, or in none where the picture is dark.
 */
export function markRows(plan: SheetPlan): (inks: Uint8ClampedArray, row: number) => void {
  const strokes = strokesOf(plan);
  const { width } = plan.sheet;
  const chosen = new Map<Stroke, number>();
  return (inks, row) => {
    for (const stroke of strokes) {
      if (row < stroke.y[0] || row >= stroke.y[1]) continue;
      const ink = chosen.get(stroke) ?? inkOn(inks, stroke);
      chosen.set(stroke, ink);
      inks.fill(ink, 4 * Math.max(0, stroke.x[0]), 4 * Math.min(width, stroke.x[1]));
    }
  };
}

function inkOn(inks: Uint8ClampedArray, { x }: Stroke): number {
  const under = inks.subarray(4 * x[0], 4 * x[1]);
  const mean = under.reduce((sum, ink) => sum + ink, 0) / Math.max(1, x[1] - x[0]);
  return mean > DARK_INK ? 0 : INK;
}

function strokesOf({ sheet, trimAt, dpi }: SheetPlan): Stroke[] {
  const thickness = Math.max(1, Math.round((MARK_WIDTH_MM / MM_PER_INCH) * dpi));
  const [lengthX, lengthY] = [trimAt.x, trimAt.y].map((side) => Math.floor(side * (1 - FREE_SHARE)));
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
