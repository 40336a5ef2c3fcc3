import { NUMBER_MAX } from '../limits.ts';

/** [a b c d e f] as in the operator cm: x' = a·x + c·y + e, y' = b·x + d·y + f. ISO 32000-1, 8.3.3 */
export type Matrix = readonly [number, number, number, number, number, number];

/** In points, from the lower left corner of the page. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export type Point = readonly [number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Applies `one`, then `other`. Values stay within ±NUMBER_MAX, however often matrices are multiplied. */
export const multiply = (one: Matrix, other: Matrix): Matrix => [
  bounded(one[0] * other[0] + one[1] * other[2]),
  bounded(one[0] * other[1] + one[1] * other[3]),
  bounded(one[2] * other[0] + one[3] * other[2]),
  bounded(one[2] * other[1] + one[3] * other[3]),
  bounded(one[4] * other[0] + one[5] * other[2] + other[4]),
  bounded(one[4] * other[1] + one[5] * other[3] + other[5]),
];

const bounded = (value: number): number => Math.min(NUMBER_MAX, Math.max(-NUMBER_MAX, value));

export const transformPoint = ([a, b, c, d, e, f]: Matrix, x: number, y: number): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** Mean scale factor: the square root of the area scale factor. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.sqrt(Math.abs(a * d - b * c));

export const matrixOf = (numbers: readonly number[]): Matrix =>
  numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : IDENTITY;

/** Returns the four transformed corners of a box. */
export const corners = (matrix: Matrix, { left, bottom, right, top }: Box): Point[] => [
  transformPoint(matrix, left, bottom),
  transformPoint(matrix, right, bottom),
  transformPoint(matrix, right, top),
  transformPoint(matrix, left, top),
];

/** Bounding box of points. Undefined for no or non-finite points. */
export function boxAround(points: readonly Point[]): Box | undefined {
  if (points.length === 0) return undefined;
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return [left, bottom, right, top].every(Number.isFinite) ? { left, bottom, right, top } : undefined;
}

/** Intersection of two boxes. Undefined if empty; a box of zero width or height is not empty. */
export function intersection(one: Box, other: Box): Box | undefined {
  const box = {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  };
  return box.left <= box.right && box.bottom <= box.top ? box : undefined;
}

export const union = (one: Box | undefined, other: Box): Box =>
  one
    ? {
        left: Math.min(one.left, other.left),
        bottom: Math.min(one.bottom, other.bottom),
        right: Math.max(one.right, other.right),
        top: Math.max(one.top, other.top),
      }
    : other;

/** Tests whether `inner` lies inside `outer`, with a tolerance of 0.01 mm. */
export const containsBox = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left - SLACK_PT &&
  inner.bottom >= outer.bottom - SLACK_PT &&
  inner.right <= outer.right + SLACK_PT &&
  inner.top <= outer.top + SLACK_PT;

export const expandBox = ({ left, bottom, right, top }: Box, by: number): Box => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
});

const SLACK_PT = 0.03;
export const MM_PER_POINT = 25.4 / 72;
export const pointsOf = (mm: number): number => mm / MM_PER_POINT;
