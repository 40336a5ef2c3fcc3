import type { Size } from '../pixels/plane.ts';
import type { Part } from '../resample/resample.ts';

/** Row-major 3 × 3 matrix that maps points (x, y, 1) of a result to points of its source; pixel centres are at halves. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Applies `inner`, then `outer`. */
export function compose(outer: Matrix, inner: Matrix): Matrix {
  const at = (row: number, column: number): number =>
    outer[row * 3]! * inner[column]! +
    outer[row * 3 + 1]! * inner[3 + column]! +
    outer[row * 3 + 2]! * inner[6 + column]!;
  return [at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(1, 2), at(2, 0), at(2, 1), at(2, 2)];
}

export function apply([a, b, c, d, e, f, g, h, i]: Matrix, x: number, y: number): [number, number] {
  const w = g * x + h * y + i;
  return [(a * x + b * y + c) / w, (d * x + e * y + f) / w];
}

export const translation = (x: number, y: number): Matrix => [1, 0, x, 0, 1, y, 0, 0, 1];
export const scaling = (x: number, y: number): Matrix => [x, 0, 0, 0, y, 0, 0, 0, 1];

/** Anticlockwise rotation about the origin on screen: the source position of a pixel in an image rotated clockwise. */
export function turning(degrees: number): Matrix {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, 0, -sin, cos, 0, 0, 0, 1];
}

const NEAR = 1e-9;
const isZero = (value: number): boolean => Math.abs(value) < NEAR;

/** Whether the matrix only scales, shifts, mirrors or transposes. */
export const isUpright = ([a, b, , d, e, , g, h]: Matrix): boolean =>
  isZero(g) && isZero(h) && ((isZero(b) && isZero(d)) || (isZero(a) && isZero(e)));

/** The part of the source that an upright matrix maps a result to. */
export function partOf(matrix: Matrix, { width, height }: Size): Part {
  const [left, top] = apply(matrix, 0, 0);
  const [right, bottom] = apply(matrix, width, height);
  return {
    left: Math.min(left, right),
    top: Math.min(top, bottom),
    width: Math.abs(right - left),
    height: Math.abs(bottom - top),
  };
}

/**
 * The homography that maps the corners of a rectangle, clockwise from the upper left, to four points. Source: Paul Heckbert, "Fundamentals of Texture
 * Mapping and Image Warping", 1989, section 2.2.3.
 * @returns undefined if three of the points are collinear
 */
export function quadMatrix(
  { width, height }: Size,
  points: readonly (readonly [number, number])[],
): Matrix | undefined {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = points as [
    [number, number],
    [number, number],
    [number, number],
    [number, number],
  ];
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const below = dx1 * dy2 - dx2 * dy1;
  if (isZero(below)) return undefined;
  const g = (sx * dy2 - dx2 * sy) / below;
  const h = (dx1 * sy - sx * dy1) / below;
  const unit: Matrix = [
    x1 - x0 + g * x1,
    x3 - x0 + h * x3,
    x0,
    y1 - y0 + g * y1,
    y3 - y0 + h * y3,
    y0,
    g,
    h,
    1,
  ];
  return compose(unit, scaling(1 / width, 1 / height));
}

/** Size of an image rotated by any angle; fractions below a hundredth of a pixel do not add a row. */
export function turnedSize({ width, height }: Size, degrees: number): Size {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const side = (length: number): number => Math.max(1, Math.ceil(length - 0.01));
  return { width: side(width * cos + height * sin), height: side(width * sin + height * cos) };
}

/** The largest upright rectangle with the same aspect ratio inside an image rotated by up to 90°, one pixel from its edges. */
export function innerSize({ width, height }: Size, degrees: number): Size {
  const angle = (Math.abs(degrees) * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const scale = Math.min(width / (width * cos + height * sin), height / (width * sin + height * cos));
  return {
    width: Math.max(1, Math.floor(width * scale) - 2),
    height: Math.max(1, Math.floor(height * scale) - 2),
  };
}

/** Inverse of a regular matrix. */
export function invert([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const [p, q, r] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const whole = a * p + b * q + c * r;
  const adjugate = [
    p,
    c * h - b * i,
    b * f - c * e,
    q,
    a * i - c * g,
    c * d - a * f,
    r,
    b * g - a * h,
    a * e - b * d,
  ];
  return adjugate.map((value) => value / whole) as unknown as Matrix;
}
