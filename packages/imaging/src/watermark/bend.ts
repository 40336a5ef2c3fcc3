/**
 * What remains of a projective map beside a linear one: how much smaller things get to the right and below, as when a picture is
 * photographed from the side. A point X of the picture is straightened to c + (X - c) / (1 + p · (X - c)).
 */
export interface Bend {
  /** In parts of a pixel of the frame. */
  readonly across: number;
  readonly down: number;
  /** The point c that stays where it is: the middle of the picture. */
  readonly x: number;
  readonly y: number;
}

export type Point = readonly [x: number, y: number];

/** Where a point of a picture would lie without the bend. */
export function straighten({ across, down, x, y }: Bend, [u, v]: Point): Point {
  const depth = 1 + across * (u - x) + down * (v - y);
  return [x + (u - x) / depth, y + (v - y) / depth];
}

/** The inverse of `straighten`. */
export function bendBack({ across, down, x, y }: Bend, [u, v]: Point): Point {
  const depth = 1 - across * (u - x) - down * (v - y);
  return [x + (u - x) / depth, y + (v - y) / depth];
}
