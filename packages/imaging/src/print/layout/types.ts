import type { Size } from '../../pixels/plane.ts';

/** In millimetres from the lower left corner of the paper. */
export interface Rect {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** From start to end, in millimetres. */
export type Line = readonly [x1: number, y1: number, x2: number, y2: number];

/** A piece placed on the paper: a card, a page, a poster. */
export interface PlacedPiece {
  /** Index of the piece. */
  readonly piece: number;
  /** Lower left corner of its trim. */
  readonly x: number;
  readonly y: number;
  /** Rotated by 90° counterclockwise. */
  readonly isTurned: boolean;
  /** Printed area of the piece. */
  readonly clip: Rect;
}

export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** One side of a sheet of paper. */
export interface PagePlan {
  readonly paper: Size;
  readonly trim: Rect;
  readonly bleed: Rect;
  readonly placed: readonly PlacedPiece[];
  /** Crop marks in registration colour, outside the trim. */
  readonly marks: readonly Line[];
  /** Fold and glue lines: dashed, black. */
  readonly dashes: readonly Line[];
  /** Labels: black. */
  readonly labels: readonly Label[];
}

/** Report on a layout. */
export interface LayoutReport {
  readonly kind: 'n_up' | 'booklet' | 'tiles';
  /** Pages in the file. */
  readonly pages: number;
  /** Sheets of paper. Each sheet of a booklet is two pages of the file. */
  readonly sheets: number;
  readonly paperMm: Size;
  readonly columns?: number;
  readonly rows?: number;
  readonly perSheet?: number;
  /** Copies of each piece. */
  readonly copies?: readonly number[];
  readonly isTurned?: boolean;
  /** Booklet pages on both sides of each sheet, from left to right; null is blank. */
  readonly order?: readonly {
    readonly front: readonly (number | null)[];
    readonly back: readonly (number | null)[];
  }[];
  readonly blanks?: number;
  readonly overlapMm?: number;
}

export interface LayoutPlan {
  readonly pages: readonly PagePlan[];
  readonly report: LayoutReport;
  readonly notes: readonly string[];
}

export const expandRect = ({ left, bottom, right, top }: Rect, by: number): Rect => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
});

export const clampRect = (one: Rect, { width, height }: Size): Rect => ({
  left: Math.max(0, one.left),
  bottom: Math.max(0, one.bottom),
  right: Math.min(width, one.right),
  top: Math.min(height, one.top),
});

export const millimetres = (value: number): string => String(Math.round(value * 10) / 10);
export const sizeText = ({ width, height }: Size): string =>
  `${millimetres(width)} × ${millimetres(height)} mm`;
export const swapSides = ({ width, height }: Size): Size => ({ width: height, height: width });
