import type { Size } from '../pixels/plane.ts';
import { MM_PER_INCH } from '../print/plan_sheet.ts';
import type { Part } from '../resample/resample.ts';

/** Sheet sizes in millimetres, portrait. */
export const SHEETS = {
  a3: { width: 297, height: 420 },
  a4: { width: 210, height: 297 },
  a5: { width: 148, height: 210 },
  letter: { width: 215.9, height: 279.4 },
} as const;
export type SheetName = keyof typeof SHEETS;

/** Unprintable margin of most printers. */
const MARGIN_MM = 5;
/** Cut marks in the margin: distance from the documents, and length. */
const MARK_MM = { distance: 1, length: 3 } as const;

type Point = readonly [x: number, y: number];

/** Positions of documents of one size on a sheet, edge to edge. Lengths in px. */
export interface Imposition {
  readonly sheet: Size;
  readonly cells: readonly Part[];
  /** Cut marks in the margin. */
  readonly marks: readonly (readonly [Point, Point])[];
}

/**
 * Places as many documents as possible on a sheet, which is rotated if more fit.
 * @returns undefined if none fits
 */
export function impose(document: Size, name: SheetName, dpi: number): Imposition | undefined {
  const px = (mm: number): number => Math.round((mm * dpi) / MM_PER_INCH);
  const upright = { width: px(SHEETS[name].width), height: px(SHEETS[name].height) };
  const turned = { width: upright.height, height: upright.width };
  const fits = (sheet: Size) => ({
    sheet,
    columns: Math.floor((sheet.width - 2 * px(MARGIN_MM)) / document.width),
    rows: Math.floor((sheet.height - 2 * px(MARGIN_MM)) / document.height),
  });
  const [first, second] = [fits(upright), fits(turned)];
  const { sheet, columns, rows } = second.columns * second.rows > first.columns * first.rows ? second : first;
  if (columns < 1 || rows < 1) return undefined;
  const left = Math.round((sheet.width - columns * document.width) / 2);
  const top = Math.round((sheet.height - rows * document.height) / 2);
  const cells = Array.from({ length: columns * rows }, (_, at) => ({
    left: left + (at % columns) * document.width,
    top: top + Math.floor(at / columns) * document.height,
    ...document,
  }));
  const block = { left, top, width: columns * document.width, height: rows * document.height };
  return { sheet, cells, marks: marksAround(block, document, px) };
}

function marksAround(
  { left, top, width, height }: Part,
  document: Size,
  px: (mm: number) => number,
): Imposition['marks'] {
  const [near, far] = [px(MARK_MM.distance), px(MARK_MM.distance + MARK_MM.length)];
  const edges = (start: number, whole: number, side: number) =>
    Array.from({ length: whole / side + 1 }, (_, at) => start + at * side);
  const across = edges(left, width, document.width).flatMap((x): [Point, Point][] => [
    [
      [x, top - far],
      [x, top - near],
    ],
    [
      [x, top + height + near],
      [x, top + height + far],
    ],
  ]);
  const down = edges(top, height, document.height).flatMap((y): [Point, Point][] => [
    [
      [left - far, y],
      [left - near, y],
    ],
    [
      [left + width + near, y],
      [left + width + far, y],
    ],
  ]);
  return [...across, ...down];
}
