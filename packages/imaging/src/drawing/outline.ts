import { EndType, FillRule, inflatePathsD, JoinType, type PathsD, unionD } from 'clipper2-ts';

/** Closed polylines of points x, y, x, y …; opposite winding makes holes. */
export type Outlines = readonly number[][];

/** x' = a x + c y + e, y' = b x + d y + f, as in SVG. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A path command with absolute coordinates. */
export interface PathCommand {
  readonly type: 'M' | 'L' | 'Q' | 'C' | 'Z';
  readonly values: readonly number[];
}

/** Clockwise rotation by degrees about a point. */
export function rotation(degrees: number, x: number, y: number): Affine {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}

/** Applies `inner`, then `outer`. */
export const combine = ([a, b, c, d, e, f]: Affine, [g, h, i, j, k, l]: Affine): Affine => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

/** Largest distance of a line segment from its curve, px. */
const FLATNESS = 0.04;
const LINES_MAX = 100;

/** Flattens transformed curves to line segments. Each subpath, open or closed, becomes one polyline. */
export function flatten(commands: readonly PathCommand[], [a, b, c, d, e, f]: Affine): number[][] {
  const lines: number[][] = [];
  let line: number[] = [];
  for (const { type, values } of commands) {
    if (type === 'Z') continue;
    const points = values.map((value, at) =>
      at % 2 === 0 ? a * value + c * values[at + 1]! + e : b * values[at - 1]! + d * value + f,
    );
    if (type === 'M') {
      line = [];
      lines.push(line);
    }
    if (type === 'Q') addQuadratic(line, points);
    else if (type === 'C') addCubic(line, points);
    else line.push(...points);
  }
  return lines;
}

function addQuadratic(line: number[], [x1, y1, x, y]: readonly number[]): void {
  const [x0, y0] = line.slice(-2);
  const bend = Math.hypot(x0! - 2 * x1! + x!, y0! - 2 * y1! + y!);
  const count = linesFor(bend / 4);
  for (let at = 1; at <= count; at += 1) {
    const t = at / count;
    const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
    line.push(p * x0! + q * x1! + r * x!, p * y0! + q * y1! + r * y!);
  }
}

function addCubic(line: number[], [x1, y1, x2, y2, x, y]: readonly number[]): void {
  const [x0, y0] = line.slice(-2);
  const bend = Math.max(
    Math.hypot(x0! - 2 * x1! + x2!, y0! - 2 * y1! + y2!),
    Math.hypot(x1! - 2 * x2! + x!, y1! - 2 * y2! + y!),
  );
  const count = linesFor(0.75 * bend);
  for (let at = 1; at <= count; at += 1) {
    const t = at / count;
    const [p, q, r, s] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
    line.push(p * x0! + q * x1! + r * x2! + s * x!, p * y0! + q * y1! + r * y2! + s * y!);
  }
}

/** @param error deviation of a single line segment, px; it falls with the square of the count */
const linesFor = (error: number): number =>
  Math.min(LINES_MAX, Math.max(1, Math.ceil(Math.sqrt(error / FLATNESS))));

/** Applies an affine transform. */
export const transform = (outlines: Outlines, [a, b, c, d, e, f]: Affine): number[][] =>
  outlines.map((points) =>
    points.map((value, at) =>
      at % 2 === 0 ? a * value + c * points[at + 1]! + e : b * points[at - 1]! + d * value + f,
    ),
  );

/** Decimal places of a px that the library computes with. */
const PRECISION = 3;

/** Expands filled outlines by a distance, with round corners. */
export function grow(outlines: Outlines, distance: number): number[][] {
  const whole = unionD(toPaths(outlines), FillRule.NonZero);
  return fromPaths(
    inflatePathsD(whole, distance, JoinType.Round, EndType.Polygon, 2, PRECISION, arcTolerance(distance)),
  );
}

export const JOINS = { round: JoinType.Round, miter: JoinType.Miter, bevel: JoinType.Bevel } as const;
export const CAPS = { round: EndType.Round, butt: EndType.Butt, square: EndType.Square } as const;

export interface StrokeStyle {
  readonly width: number;
  readonly join?: keyof typeof JOINS | undefined;
  readonly cap?: keyof typeof CAPS | undefined;
}

/** Outlines of a stroke along polylines. @param isClosed the last point is joined to the first */
export function strokeOutlines(
  lines: Outlines,
  isClosed: boolean,
  { width, join = 'miter', cap = 'butt' }: StrokeStyle,
): number[][] {
  const end = isClosed ? EndType.Joined : CAPS[cap];
  const distance = width / 2;
  return fromPaths(
    inflatePathsD(toPaths(lines), distance, JOINS[join], end, 4, PRECISION, arcTolerance(distance)),
  );
}

/** Union of outlines, without overlaps. */
export const unite = (outlines: Outlines, rule: 'nonzero' | 'evenodd' = 'nonzero'): number[][] =>
  fromPaths(unionD(toPaths(outlines), FILL_RULES[rule]));

const FILL_RULES = { nonzero: FillRule.NonZero, evenodd: FillRule.EvenOdd } as const;

/** In the library's units, thousandths of a px. */
const arcTolerance = (distance: number): number => Math.max(10, Math.min(FLATNESS * 1000, distance * 100));

const toPaths = (outlines: Outlines): PathsD =>
  outlines.map((points) =>
    Array.from({ length: points.length / 2 }, (_, at) => ({ x: points[2 * at]!, y: points[2 * at + 1]! })),
  );

const fromPaths = (paths: PathsD): number[][] => paths.map((path) => path.flatMap(({ x, y }) => [x, y]));
