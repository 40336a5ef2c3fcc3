import type { Corners, Point } from './text_line.ts';

/** A rectangle at any angle, in pixels. */
export interface Rectangle {
  readonly center: Point;
  /** Size along the direction `angle`; `height` is the size across it. */
  readonly width: number;
  readonly height: number;
  /** Direction of `width`, in radians clockwise from the x axis, within −π/4 to 3π/4. */
  readonly angle: number;
}

/** The smallest rectangle around points; shares an edge with their convex hull (rotating calipers). @param points at least one */
export function minAreaRectangle(points: readonly Point[]): Rectangle {
  const hull = convexHull(points);
  let best: Rectangle | undefined;
  for (const [at, point] of hull.entries()) {
    const next = hull[(at + 1) % hull.length]!;
    const found = rectangleAlong(hull, Math.atan2(next.y - point.y, next.x - point.x));
    if (!best || found.width * found.height < best.width * best.height) best = found;
  }
  return best!;
}

/** The smallest rectangle around points with its `width` in the given direction, in radians. */
export function rectangleAlong(points: readonly Point[], direction: number): Rectangle {
  const [cos, sin] = [Math.cos(direction), Math.sin(direction)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const [along, across] = [x * cos + y * sin, y * cos - x * sin];
    [left, right] = [Math.min(left, along), Math.max(right, along)];
    [top, bottom] = [Math.min(top, across), Math.max(bottom, across)];
  }
  const [along, across] = [(left + right) / 2, (top + bottom) / 2];
  return {
    center: { x: along * cos - across * sin, y: along * sin + across * cos },
    width: right - left,
    height: bottom - top,
    angle: direction,
  };
}

/** Clockwise, without collinear points (Andrew's monotone chain). */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((one, other) => one.x - other.x || one.y - other.y);
  if (sorted.length < 3) return sorted;
  const chain = (ordered: readonly Point[]): Point[] => {
    const kept: Point[] = [];
    for (const point of ordered) {
      while (kept.length >= 2 && cross(kept.at(-2)!, kept.at(-1)!, point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  const hull = [...chain(sorted), ...chain(sorted.toReversed())];
  return hull.length > 0 ? hull : [sorted[0]!];
}

const cross = (origin: Point, one: Point, other: Point): number =>
  (one.x - origin.x) * (other.y - origin.y) - (one.y - origin.y) * (other.x - origin.x);

/** Clockwise from the upper left, where `width` runs to the right. */
export function cornersOf({ center, width, height, angle }: Rectangle): Corners {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corner = (right: number, down: number): Point => ({
    x: center.x + (right * width * cos - down * height * sin) / 2,
    y: center.y + (right * width * sin + down * height * cos) / 2,
  });
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}
