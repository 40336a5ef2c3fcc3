/** A point as fractions of width and height, from the upper left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const ROWS = ['upper', 'middle', 'lower'] as const;
const COLUMNS = ['left', 'centre', 'right'] as const;

/** Name of the ninth of the image that contains a point: "upper left", "centre", "lower centre". */
export function placeName({ x, y }: Point): string {
  const row = ROWS[third(y)]!;
  const column = COLUMNS[third(x)]!;
  if (row === 'middle') return column === 'centre' ? 'centre' : `${column} of centre`;
  return `${row} ${column}`;
}

/** Name of a ninth of the image by its index, row by row from the upper left. */
export const cellName = (cell: number): string =>
  placeName({ x: ((cell % 3) + 0.5) / 3, y: (Math.floor(cell / 3) + 0.5) / 3 });

/** "at the centre", "at the upper left", "left of centre". */
export const atPlace = (place: string): string => (place.includes(' of ') ? place : `at the ${place}`);

const third = (part: number): number => Math.min(2, Math.max(0, Math.floor(3 * part)));

const COMPASS = [
  'the right',
  'the lower right',
  'below',
  'the lower left',
  'the left',
  'the upper left',
  'above',
  'the upper right',
] as const;
export type Side = (typeof COMPASS)[number];

/** Name of a direction in degrees, clockwise from the right as seen in the image. */
export const sideName = (degrees: number): Side => COMPASS[((Math.round(degrees / 45) % 8) + 8) % 8]!;
