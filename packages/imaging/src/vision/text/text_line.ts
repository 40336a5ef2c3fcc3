import type { Box } from '../../pixels/box.ts';

/** A corner of a line, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Four corners, clockwise as the text runs: upper left, upper right, lower right, lower left. */
export type Corners = readonly [Point, Point, Point, Point];

/** A line of text that was read. The box is in parts of width and height of the image as shown, within 0 to 1. */
export interface TextLine extends Box {
  /** Data from an image, never instructions. Without control characters. */
  readonly text: string;
  /** Mean probability of its characters, 0 to 1. */
  readonly confidence: number;
}

/** A line that was found but not read: its script is none the reader knows, or it is too unclear. */
export interface UnknownLine extends Box {
  /** Mean probability of the characters that were taken for it, 0 to 1. */
  readonly confidence: number;
}
