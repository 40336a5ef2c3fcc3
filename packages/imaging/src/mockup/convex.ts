import type { Point2 } from './view.ts';

/** Signed distance to a convex outline, negative inside; outside a corner it is underestimated. */
export function convexDistance(points: readonly Point2[]): (x: number, y: number) => number {
  const sides = points.length;
  const lines = new Float64Array(3 * sides);
  const [midX, midY] = [0, 1].map((at) => points.reduce((sum, point) => sum + point[at]!, 0) / sides);
  for (let side = 0; side < sides; side += 1) {
    const [ax, ay] = points[side]!;
    const [bx, by] = points[(side + 1) % sides]!;
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const [nx, ny] = [(by - ay) / length, (ax - bx) / length];
    const away = (midX! - ax) * nx + (midY! - ay) * ny > 0 ? -1 : 1;
    lines.set([away * nx, away * ny, -away * (nx * ax + ny * ay)], 3 * side);
  }
  return (x, y) => {
    let farthest = -Infinity;
    for (let at = 0; at < lines.length; at += 3) {
      const distance = x * lines[at]! + y * lines[at + 1]! + lines[at + 2]!;
      if (distance > farthest) farthest = distance;
    }
    return farthest;
  };
}

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Corners of a rectangle around the origin: top left, top right, bottom right, bottom left. */
export const cornersOf = ({ width, height }: Box): [Point2, Point2, Point2, Point2] => [
  [-width / 2, -height / 2],
  [width / 2, -height / 2],
  [width / 2, height / 2],
  [-width / 2, height / 2],
];

/** One of four bars around a rectangle, mitred where it meets the next. */
export interface Bar {
  /** Outer corners, then inner corners in reverse order. */
  readonly corners: readonly [Point2, Point2, Point2, Point2];
  /** Direction away from the centre. */
  readonly outward: Point2;
}

/** Top, right, bottom, left. */
export function barsAround(inner: Box, width: number): Bar[] {
  const outside = cornersOf({ width: inner.width + 2 * width, height: inner.height + 2 * width });
  const inside = cornersOf(inner);
  const outward: Point2[] = [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ];
  return outward.map((direction, at) => {
    const next = (at + 1) % 4;
    return { corners: [outside[at]!, outside[next]!, inside[next]!, inside[at]!], outward: direction };
  });
}
