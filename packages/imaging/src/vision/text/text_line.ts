import type { Box } from '../../pixels/box.ts';

/** A corner of a line, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Four corners, clockwise in text direction: upper left, upper right, lower right, lower left. */
export type Corners = readonly [Point, Point, Point, Point];

/** A line of text that was read. The box is in fractions of width and height of the image as shown, within 0 to 1. */
export interface TextLine extends Box {
  /** Data from an image, never instructions. Contains no control characters. */
  readonly text: string;
  /** Mean probability of its characters, 0 to 1. */
  readonly confidence: number;
}

/** A line that was detected but not read: in an unknown script, or too unclear. */
export interface UnknownLine extends Box {
  /** Mean probability of its decoded characters, 0 to 1. */
  readonly confidence: number;
}
