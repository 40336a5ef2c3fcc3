import { type Field, fieldOf, valueAt } from './field.ts';
import { hypot2 } from './light.ts';

type Point = readonly [x: number, y: number];
/** A cubic Bézier segment from the end of the previous one; a single point is a straight line. */
type Step = readonly [Point] | readonly [Point, Point, Point];

const CURVE_SEGMENTS = 24;

/** Flattens a closed outline to a polyline. */
export function flattenOutline(start: Point, steps: readonly Step[]): Point[] {
  const points: Point[] = [start];
  for (const step of steps) {
    const from = points.at(-1)!;
    if (step.length === 1) {
      points.push(step[0]);
      continue;
    }
    const [one, two, end] = step;
    for (let piece = 1; piece <= CURVE_SEGMENTS; piece += 1)
      points.push(curve([from, one, two, end], piece / CURVE_SEGMENTS));
  }
  return points;
}

/** Completes the right half of an outline, from top centre to bottom centre, with its mirror image at x = 500. */
export const mirrorOutline = (half: readonly Point[]): Point[] => [
  ...half,
  ...half.map(([x, y]) => [1000 - x, y] as const).reverse(),
];

function curve([a, b, c, d]: readonly [Point, Point, Point, Point], t: number): Point {
  const s = 1 - t;
  const [wa, wb, wc, wd] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return [wa * a[0] + wb * b[0] + wc * c[0] + wd * d[0], wa * a[1] + wb * b[1] + wc * c[1] + wd * d[1]];
}

/** Signed distance to an outline, negative inside. */
export function distanceField(points: readonly Point[]): Field {
  const distance = polylineDistance([...points, points[0]!]);
  const signed = (x: number, y: number) => (isInside(points, x, y) ? -distance(x, y) : distance(x, y));
  return nearField(signed, NEAR);
}

/** Distance to the nearest of several polylines. */
export function polylineField(lines: readonly (readonly Point[])[]): Field {
  const distances = lines.map(polylineDistance);
  return nearField(
    (x, y) => distances.reduce((minimum, distance) => Math.min(minimum, distance(x, y)), Infinity),
    NEAR_LINES,
  );
}

function nearField(distance: (x: number, y: number) => number, near: number): Field {
  const coarse = fieldOf(distance, COARSE_SIDE);
  return fieldOf((x, y) => {
    const about = valueAt(coarse, x, y);
    return Math.abs(about) > near ? about : distance(x, y);
  });
}

/** Far from an outline, a coarser grid is accurate enough. */
const COARSE_SIDE = 125;
const NEAR = 16;
/** Stitches run along lines up to this far away. */
const NEAR_LINES = 48;

/** Distance to a polyline. */
export function polylineDistance(points: readonly Point[]): (x: number, y: number) => number {
  const pieces = points.length - 1;
  const numbers = new Float64Array(5 * pieces);
  for (let piece = 0; piece < pieces; piece += 1) {
    const [ax, ay] = points[piece]!;
    const [dx, dy] = [points[piece + 1]![0] - ax, points[piece + 1]![1] - ay];
    numbers.set([ax, ay, dx, dy, 1 / (dx * dx + dy * dy || 1)], 5 * piece);
  }
  return (x, y) => {
    let nearest = Infinity;
    for (let at = 0; at < numbers.length; at += 5) {
      const px = x - numbers[at]!;
      const py = y - numbers[at + 1]!;
      const dx = numbers[at + 2]!;
      const dy = numbers[at + 3]!;
      const along = Math.max(0, Math.min(1, (px * dx + py * dy) * numbers[at + 4]!));
      const ex = px - along * dx;
      const ey = py - along * dy;
      const square = ex * ex + ey * ey;
      if (square < nearest) nearest = square;
    }
    return Math.sqrt(nearest);
  };
}

function isInside(points: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  let last = points.at(-1)!;
  for (const point of points) {
    if (
      point[1] > y !== last[1] > y &&
      x < ((last[0] - point[0]) * (y - point[1])) / (last[1] - point[1]) + point[0]
    )
      inside = !inside;
    last = point;
  }
  return inside;
}

export interface RoundedRectangle {
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}

/** Signed distance to a rounded rectangle around the origin, negative inside. */
export function roundedRectangle(x: number, y: number, { width, height, radius }: RoundedRectangle): number {
  const dx = Math.abs(x) - width / 2 + radius;
  const dy = Math.abs(y) - height / 2 + radius;
  return hypot2(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}
