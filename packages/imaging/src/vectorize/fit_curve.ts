/**
 * A path of cubic curves and straight segments: its start, then six numbers per segment (two handles and an end).
 * Handles of straight segments are NaN.
 */
export type Curve = number[];

/** Points x, y, x, y … one after the other along a line. */
export type Points = Float64Array;

const ROUNDS = 3;

/**
 * Fits the fewest segments that pass within `tolerance` of every point, with continuous tangents except at corners. The
 * first and last point are exact. Source: P. J. Schneider, "An algorithm for automatically fitting digitized curves",
 * 1990.
 */
export function fitCurve(points: Points, tolerance: number): Curve {
  const last = points.length / 2 - 1;
  const isClosed = points[0] === points[2 * last] && points[1] === points[2 * last + 1];
  const curve: Curve = [points[0]!, points[1]!];
  if (isClosed && last <= TINY_LOOP) {
    for (let index = 1; index <= last; index++) addStraight(curve, points, index);
    return curve;
  }
  return fitThrough(points, findCorners(points), tolerance);
}

/** The same with known corners, by index. A closed line with corners may start at one. */
export function fitThrough(points: Points, corners: readonly number[], tolerance: number): Curve {
  const last = points.length / 2 - 1;
  const isClosed = points[0] === points[2 * last] && points[1] === points[2 * last + 1];
  const curve: Curve = [points[0]!, points[1]!];
  const fitting = { points, curve, square: tolerance ** 2 };
  // The start of a loop is arbitrary: unless it is a corner, the tangent is continuous there.
  const through =
    isClosed && cosineAt(points, last - 3, 0, 3) > CORNER_COSINE ? loopTangent(points) : undefined;
  let from = 0;
  for (const corner of [...corners, last]) {
    const start = from === 0 ? through : undefined;
    const end: Vector | undefined = corner === last && through ? [-through[0], -through[1]] : undefined;
    if (corner > from) fitSmooth(fitting, from, corner, start, end);
    from = corner;
  }
  return curve;
}

/** Loops of up to this many points become polygons: a curve would shrink to nothing. */
const TINY_LOOP = 8;

function addStraight(curve: Curve, points: Points, index: number): void {
  curve.push(NaN, NaN, NaN, NaN, points[2 * index]!, points[2 * index + 1]!);
}

function loopTangent(points: Points): Vector {
  const last = points.length / 2 - 1;
  const [dx, dy] = [points[4]! - points[2 * last - 4]!, points[5]! - points[2 * last - 3]!];
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

/** Points examined before and after a corner, and its minimum turn as a cosine. */
const CORNER_REACH = 4;
const CORNER_COSINE = Math.cos((50 * Math.PI) / 180);

/** Finds sharp turns of a line, and moves their points to the intersection of both sides. */
function findCorners(points: Points): number[] {
  const count = points.length / 2;
  const cosines = new Float64Array(count).fill(1);
  for (let index = 2; index < count - 2; index++) {
    const reach = Math.min(CORNER_REACH, index, count - 1 - index);
    cosines[index] = cosineAt(points, index - reach, index, index + reach);
  }
  const corners: number[] = [];
  for (let index = 2; index < count - 2; index++) {
    if (cosines[index]! > CORNER_COSINE) continue;
    let sharpest = true;
    for (let near = Math.max(0, index - 3); near <= Math.min(count - 1, index + 3); near++)
      if (cosines[near]! < cosines[index]! || (cosines[near] === cosines[index] && near < index))
        sharpest = false;
    if (sharpest) corners.push(index);
  }
  for (const corner of corners) sharpen(points, corner);
  return corners;
}

function cosineAt(points: Points, before: number, at: number, after: number): number {
  const ax = points[2 * at]! - points[2 * before]!;
  const ay = points[2 * at + 1]! - points[2 * before + 1]!;
  const bx = points[2 * after]! - points[2 * at]!;
  const by = points[2 * after + 1]! - points[2 * at + 1]!;
  return (ax * bx + ay * by) / (Math.hypot(ax, ay) * Math.hypot(bx, by) || 1);
}

/**
 * Moves a corner to the intersection of its two sides, by at most one pixel: points are at the middle of pixel sides,
 * beside the corner.
 */
function sharpen(points: Points, corner: number): void {
  const far = points.length / 2 - 1;
  const [b0, b1] = [Math.max(0, corner - 3), corner - 1];
  const [a0, a1] = [Math.min(far, corner + 3), corner + 1];
  const [px, py] = [points[2 * b1]!, points[2 * b1 + 1]!];
  const [dx, dy] = [px - points[2 * b0]!, py - points[2 * b0 + 1]!];
  const [qx, qy] = [points[2 * a1]!, points[2 * a1 + 1]!];
  const [ex, ey] = [qx - points[2 * a0]!, qy - points[2 * a0 + 1]!];
  const cross = dx * ey - dy * ex;
  if (Math.abs(cross) < 0.3 * Math.hypot(dx, dy) * Math.hypot(ex, ey)) return;
  const along = ((qx - px) * ey - (qy - py) * ex) / cross;
  const [x, y] = [px + along * dx, py + along * dy];
  if (Math.hypot(x - points[2 * corner]!, y - points[2 * corner + 1]!) > 1) return;
  points[2 * corner] = x;
  points[2 * corner + 1] = y;
}

interface Fitting {
  readonly points: Points;
  readonly curve: Curve;
  readonly square: number;
}

type Vector = readonly [x: number, y: number];

function fitSmooth(fitting: Fitting, from: number, to: number, start?: Vector, end?: Vector): void {
  const { points, curve, square } = fitting;
  if (to - from === 1 || (start === undefined && end === undefined && isStraight(points, from, to, square))) {
    addStraight(curve, points, to);
    return;
  }
  const left = start ?? tangent(points, from, Math.min(to, from + 3));
  const right = end ?? tangent(points, to, Math.max(from, to - 3));
  const places = byLength(points, from, to);
  let worst = (from + to) >> 1;
  const isLoop = points[2 * from] === points[2 * to] && points[2 * from + 1] === points[2 * to + 1];
  for (let round = isLoop ? Infinity : 0; round <= ROUNDS; round++) {
    const handles = solveHandles(points, from, to, places, left, right);
    const error = findFarthest(points, from, to, places, handles);
    worst = error.at;
    if (error.square <= square) {
      curve.push(...handles.slice(2));
      return;
    }
    if (error.square > 9 * square) break;
    for (let index = from + 1; index < to; index++)
      places[index - from] = newtonStep(handles, points, index, places[index - from]!);
  }
  const middle = Math.min(to - 1, Math.max(from + 1, worst));
  const through = tangent(points, Math.max(from, middle - 2), Math.min(to, middle + 2));
  fitSmooth(fitting, from, middle, start, [-through[0], -through[1]]);
  fitSmooth(fitting, middle, to, through, end);
}

function isStraight(points: Points, from: number, to: number, square: number): boolean {
  const [x, y] = [points[2 * from]!, points[2 * from + 1]!];
  const [dx, dy] = [points[2 * to]! - x, points[2 * to + 1]! - y];
  const length = dx * dx + dy * dy;
  if (length === 0) return false;
  for (let index = from + 1; index < to; index++) {
    const off = (points[2 * index]! - x) * dy - (points[2 * index + 1]! - y) * dx;
    if (off * off > square * length) return false;
  }
  return true;
}

function tangent(points: Points, from: number, to: number): Vector {
  const dx = points[2 * to]! - points[2 * from]!;
  const dy = points[2 * to + 1]! - points[2 * from + 1]!;
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

/** Position of each point along the line, 0 to 1. */
function byLength(points: Points, from: number, to: number): Float64Array {
  const places = new Float64Array(to - from + 1);
  for (let index = from + 1; index <= to; index++) {
    const dx = points[2 * index]! - points[2 * index - 2]!;
    const dy = points[2 * index + 1]! - points[2 * index - 1]!;
    places[index - from] = places[index - from - 1]! + Math.sqrt(dx * dx + dy * dy);
  }
  const length = places.at(-1)! || 1;
  return places.map((place) => place / length);
}

/** Fits a cubic (eight numbers) with given tangents: least squares over the lengths of its handles. */
function solveHandles(
  points: Points,
  from: number,
  to: number,
  places: Float64Array,
  left: Vector,
  right: Vector,
): number[] {
  const [x0, y0] = [points[2 * from]!, points[2 * from + 1]!];
  const [x3, y3] = [points[2 * to]!, points[2 * to + 1]!];
  let [c00, c01, c11, v0, v1] = [0, 0, 0, 0, 0];
  const dot = left[0] * right[0] + left[1] * right[1];
  for (let index = from; index <= to; index++) {
    const t = places[index - from]!;
    const s = 1 - t;
    const b1 = 3 * t * s * s;
    const b2 = 3 * t * t * s;
    const b01 = s * s * s + b1;
    const b23 = b2 + t * t * t;
    const rx = points[2 * index]! - x0 * b01 - x3 * b23;
    const ry = points[2 * index + 1]! - y0 * b01 - y3 * b23;
    c00 += b1 * b1;
    c01 += b1 * b2 * dot;
    c11 += b2 * b2;
    v0 += b1 * (left[0] * rx + left[1] * ry);
    v1 += b2 * (right[0] * rx + right[1] * ry);
  }
  const determinant = c00 * c11 - c01 * c01;
  const chord = Math.hypot(x3 - x0, y3 - y0);
  let one = determinant > 1e-12 ? (v0 * c11 - v1 * c01) / determinant : 0;
  let two = determinant > 1e-12 ? (v1 * c00 - v0 * c01) / determinant : 0;
  if (!(one > 1e-3 * chord && two > 1e-3 * chord && one < 3 * chord && two < 3 * chord))
    one = two = chord / 3;
  return [x0, y0, x0 + left[0] * one, y0 + left[1] * one, x3 + right[0] * two, y3 + right[1] * two, x3, y3];
}

function findFarthest(points: Points, from: number, to: number, places: Float64Array, cubic: number[]) {
  let square = 0;
  let at = (from + to) >> 1;
  for (let index = from + 1; index < to; index++) {
    const [x, y] = cubicAt(cubic, places[index - from]!);
    const distance = (x - points[2 * index]!) ** 2 + (y - points[2 * index + 1]!) ** 2;
    if (distance <= square) continue;
    square = distance;
    at = index;
  }
  return { square, at };
}

/** The point of a cubic (eight numbers) at `t`. */
export function cubicAt(c: readonly number[], t: number): Vector {
  const s = 1 - t;
  const [b0, b1, b2, b3] = [s * s * s, 3 * t * s * s, 3 * t * t * s, t * t * t];
  return [
    b0 * c[0]! + b1 * c[2]! + b2 * c[4]! + b3 * c[6]!,
    b0 * c[1]! + b1 * c[3]! + b2 * c[5]! + b3 * c[7]!,
  ];
}

/** One step of Newton's towards where the cubic is nearest to a point. */
function newtonStep(c: readonly number[], points: Points, index: number, t: number): number {
  const s = 1 - t;
  const slope = (axis: number): [number, number] => {
    const [d0, d1, d2] = [c[2 + axis]! - c[axis]!, c[4 + axis]! - c[2 + axis]!, c[6 + axis]! - c[4 + axis]!];
    return [3 * (s * s * d0 + 2 * s * t * d1 + t * t * d2), 6 * (s * (d1 - d0) + t * (d2 - d1))];
  };
  const [x, y] = cubicAt(c, t);
  const [dx, ddx] = slope(0);
  const [dy, ddy] = slope(1);
  const [ox, oy] = [x - points[2 * index]!, y - points[2 * index + 1]!];
  const bottom = dx * dx + dy * dy + ox * ddx + oy * ddy;
  if (Math.abs(bottom) < 1e-12) return t;
  return Math.min(1, Math.max(0, t - (ox * dx + oy * dy) / bottom));
}
