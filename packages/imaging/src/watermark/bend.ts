/**
 * The perspective part of a projective map: how much the image shrinks to the right and downwards, as in a photograph taken from the side. A point X
 * is rectified to c + (X - c) / (1 + p · (X - c)).
 */
export interface Bend {
  /** Per pixel of the frame. */
  readonly across: number;
  readonly down: number;
  /** The fixed point c: the centre of the image. */
  readonly x: number;
  readonly y: number;
}

export type Point = readonly [x: number, y: number];

/** Position of an image point after removal of the perspective. */
export function straighten({ across, down, x, y }: Bend, [u, v]: Point): Point {
  const depth = 1 + across * (u - x) + down * (v - y);
  return [x + (u - x) / depth, y + (v - y) / depth];
}

/** The inverse of `straighten`. */
export function bendBack({ across, down, x, y }: Bend, [u, v]: Point): Point {
  const depth = 1 - across * (u - x) - down * (v - y);
  return [x + (u - x) / depth, y + (v - y) / depth];
}
