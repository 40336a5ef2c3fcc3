import { MM_PER_INCH, type SheetPlan } from './plan_sheet.ts';

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

/** Room for marks around the bleed. */
export const SLUG_MM = 9;

export const pointsOf = (mm: number): number => (mm * 72) / MM_PER_INCH;

/** Trim inside bleed inside media, and room for marks around them where there are any. */
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
