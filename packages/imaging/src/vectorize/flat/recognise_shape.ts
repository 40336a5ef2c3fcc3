import { straighten } from '../curve.ts';
import type { Curve } from '../fit_curve.ts';

/** A closed curve known to be a simple shape, and how SVG writes it. */
export type SimpleShape =
  | { readonly kind: 'circle'; readonly x: number; readonly y: number; readonly radius: number }
  | {
      readonly kind: 'ellipse';
      readonly x: number;
      readonly y: number;
      readonly across: number;
      readonly down: number;
    }
  | {
      readonly kind: 'rect';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
    };

/** Maximum distance of points that belong to a side, in pixels. */
const SIDE_OFF = 0.8;
/** Lengths this near to a quarter of a pixel are that: shapes are drawn on grids. */
const SNAP = 0.012;

/** A length as a drawing would have it. */
export function snapLength(length: number): number {
  const quarter = Math.round(4 * length) / 4;
  return Math.abs(length - quarter) <= SNAP ? quarter : Math.round(1000 * length) / 1000;
}

/**
 * Finds a circle, ellipse or rectangle (with or without rounded corners) within `offMax` of all points of an outline;
 * shapes with the fewest parameters first.
 */
export function recogniseShapes(outline: Curve, offMax: number): SimpleShape[] {
  const points = densePoints(outline);
  const rectangle = rectangleOf(points, offMax);
  return [...ellipsesOf(points, offMax), ...(rectangle ? [rectangle] : [])];
}

/** The measures of a shape, all of which may be changed. */
export function measuresOf(shape: SimpleShape): number[] {
  if (shape.kind === 'circle') return [shape.x, shape.y, shape.radius];
  if (shape.kind === 'ellipse') return [shape.x, shape.y, shape.across, shape.down];
  const { x, y, width, height, radius } = shape;
  return radius === 0 ? [x, y, width, height] : [x, y, width, height, radius];
}

/** A shape of the same kind with other measures. */
export function withMeasures({ kind }: SimpleShape, measures: readonly number[]): SimpleShape {
  const [x, y, one, two, three] = measures as [number, number, number, number, number];
  if (kind === 'circle') return { kind, x, y, radius: one };
  if (kind === 'ellipse') return { kind, x, y, across: one, down: two };
  return { kind, x, y, width: one, height: two, radius: three ?? 0 };
}

/** A shape with its measures as a drawing would have them. */
export function snapShape(shape: SimpleShape): SimpleShape {
  if (shape.kind !== 'rect') return withMeasures(shape, measuresOf(shape).map(snapLength));
  const [x, y] = [snapLength(shape.x), snapLength(shape.y)];
  const width = snapLength(snapLength(shape.x + shape.width) - x);
  const height = snapLength(snapLength(shape.y + shape.height) - y);
  return { kind: 'rect', x, y, width, height, radius: snapLength(shape.radius) };
}

/** Points along a curve, at most a pixel apart. */
function densePoints(outline: Curve): number[] {
  const points = straighten(outline, 0.01);
  const dense: number[] = [];
  for (let at = 2; at < points.length; at += 2) {
    const [x, y] = [points[at - 2]!, points[at - 1]!];
    const [dx, dy] = [points[at]! - x, points[at + 1]! - y];
    const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy)));
    for (let step = 0; step < steps; step++) dense.push(x + (step / steps) * dx, y + (step / steps) * dy);
  }
  return dense;
}

function boxOf(points: readonly number[]) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    left = Math.min(left, points[at]!);
    right = Math.max(right, points[at]!);
    top = Math.min(top, points[at + 1]!);
    bottom = Math.max(bottom, points[at + 1]!);
  }
  return { left, top, right, bottom };
}

function areaOf(points: readonly number[]): number {
  let twice = 0;
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length;
    twice += points[at]! * points[next + 1]! - points[at + 1]! * points[next]!;
  }
  return Math.abs(twice) / 2;
}

/** The circle and the axis-parallel ellipse through points by least squares of a x² + b y² + c x + d y = 1, about their middle. */
function ellipsesOf(points: readonly number[], offMax: number): SimpleShape[] {
  const { left, top, right, bottom } = boxOf(points);
  const [mx, my] = [(left + right) / 2, (top + bottom) / 2];
  const size = Math.max(right - left, bottom - top) / 2;
  if (size < 1) return [];
  const rows: number[][] = [];
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [(points[at]! - mx) / size, (points[at + 1]! - my) / size];
    rows.push([x * x, y * y, x, y]);
  }
  const round = solveLeast(rows.map(([xx, yy, x, y]) => [xx! + yy!, x!, y!]));
  const free = solveLeast(rows);
  if (!round || !free) return [];
  const circle = axesOf([round[0]!, round[0]!, round[1]!, round[2]!]);
  const ellipse = axesOf(free as [number, number, number, number]);
  const place = ({ x, y }: Axes) => ({ x: mx + size * x, y: my + size * y });
  const found: SimpleShape[] = [];
  if (isOn(rows, circle, size, offMax))
    found.push({ kind: 'circle', ...place(circle), radius: size * circle.rx });
  if (isOn(rows, ellipse, size, offMax))
    found.push({ kind: 'ellipse', ...place(ellipse), across: size * ellipse.rx, down: size * ellipse.ry });
  return found;
}

interface Axes {
  readonly x: number;
  readonly y: number;
  readonly rx: number;
  readonly ry: number;
}

function axesOf([a, b, c, d]: readonly [number, number, number, number]): Axes {
  const [x, y] = [-c / (2 * a), -d / (2 * b)];
  const scale = 1 + a * x * x + b * y * y;
  return { x, y, rx: Math.sqrt(scale / a), ry: Math.sqrt(scale / b) };
}

function isOn(
  rows: readonly (readonly number[])[],
  { x, y, rx, ry }: Axes,
  size: number,
  offMax: number,
): boolean {
  return rows.every(([, , px, py]) => {
    const [u, v] = [(px! - x) / rx, (py! - y) / ry];
    const slope = 2 * Math.hypot(u / rx, v / ry);
    return Math.abs(u * u + v * v - 1) * size <= offMax * slope;
  });
}

/**
 * Least-squares solution for coefficients whose weighted sum of columns is 1. Undefined if the rows do not determine
 * them.
 */
function solveLeast(rows: readonly (readonly number[])[]): number[] | undefined {
  const count = rows[0]!.length;
  const table = Array.from({ length: count }, (_, one) =>
    Array.from({ length: count + 1 }, (_, other) =>
      rows.reduce((sum, row) => sum + row[one]! * (other < count ? row[other]! : 1), 0),
    ),
  );
  for (let at = 0; at < count; at++) {
    const pivot = table[at]![at]!;
    if (Math.abs(pivot) < 1e-9) return undefined;
    for (let row = 0; row < count; row++) {
      if (row === at) continue;
      const factor = table[row]![at]! / pivot;
      for (let column = at; column <= count; column++) table[row]![column]! -= factor * table[at]![column]!;
    }
  }
  return table.map((row, at) => row[count]! / row[at]!);
}

/** Bounding box of points, each side at the mean of the points along it. */
function sidesOf(points: readonly number[]): ReturnType<typeof boxOf> {
  const box = boxOf(points);
  const middle = (axis: 0 | 1, side: number, from: number, to: number): number => {
    const length = to - from;
    const near: number[] = [];
    for (let at = 0; at < points.length; at += 2) {
      const along = points[at + 1 - axis]!;
      const isBeside = Math.abs(points[at + axis]! - side) < SIDE_OFF;
      if (isBeside && along > from + SIDE_SHARE * length && along < to - SIDE_SHARE * length)
        near.push(points[at + axis]!);
    }
    near.sort((one, other) => one - other);
    return near[near.length >> 1] ?? side;
  };
  return {
    left: middle(0, box.left, box.top, box.bottom),
    right: middle(0, box.right, box.top, box.bottom),
    top: middle(1, box.top, box.left, box.right),
    bottom: middle(1, box.bottom, box.left, box.right),
  };
}

/** Maximum share of a side, at each end, for rounded corners. */
const SIDE_SHARE = 0.35;

/** A rectangle lacks (4 − π) r² of its box, where r is the radius of its corners. */
function rectangleOf(points: readonly number[], offMax: number): SimpleShape | undefined {
  const { left, top, right, bottom } = sidesOf(points);
  const [width, height] = [right - left, bottom - top];
  if (width < 0.5 || height < 0.5) return undefined;
  const lack = Math.max(0, width * height - areaOf(points));
  const told = Math.sqrt(lack / (4 - Math.PI));
  const radius = told < 0.3 ? 0 : told;
  if (2 * radius > Math.min(width, height) - 0.5) return undefined;
  for (let at = 0; at < points.length; at += 2) {
    // Distance to the nearest point of the rectangle inset by the radius: for a point on the outline, it equals the radius.
    const dx = Math.max(left + radius - points[at]!, points[at]! - right + radius);
    const dy = Math.max(top + radius - points[at + 1]!, points[at + 1]! - bottom + radius);
    const off = dx > 0 && dy > 0 ? Math.hypot(dx, dy) - radius : Math.max(dx, dy) - radius;
    if (Math.abs(off) > offMax) return undefined;
  }
  return { kind: 'rect', x: left, y: top, width, height, radius };
}

/** The handle of a cubic that stands for a quarter of a circle, by its radius. */
const QUARTER = 0.5522847498;

/** A simple shape as a closed curve. */
export function curveOfShape(shape: SimpleShape): Curve {
  if (shape.kind !== 'rect') {
    const [rx, ry] = shape.kind === 'circle' ? [shape.radius, shape.radius] : [shape.across, shape.down];
    return roundedCurve(shape.x - rx, shape.y - ry, 2 * rx, 2 * ry, rx, ry);
  }
  return roundedCurve(shape.x, shape.y, shape.width, shape.height, shape.radius, shape.radius);
}

function roundedCurve(x: number, y: number, width: number, height: number, rx: number, ry: number): Curve {
  const [kx, ky] = [rx * (1 - QUARTER), ry * (1 - QUARTER)];
  const [right, bottom] = [x + width, y + height];
  const line = (toX: number, toY: number) => [NaN, NaN, NaN, NaN, toX, toY];
  if (rx === 0) return [x, y, ...line(right, y), ...line(right, bottom), ...line(x, bottom), ...line(x, y)];
  return [
    ...[x + rx, y, ...line(right - rx, y)],
    ...[right - kx, y, right, y + ky, right, y + ry, ...line(right, bottom - ry)],
    ...[right, bottom - ky, right - kx, bottom, right - rx, bottom, ...line(x + rx, bottom)],
    ...[x + kx, bottom, x, bottom - ky, x, bottom - ry, ...line(x, y + ry)],
    ...[x, y + ky, x + kx, y, x + rx, y],
  ];
}

/** The element of SVG for a simple shape; `paint` are its other attributes. */
export function writeShape(shape: SimpleShape, paint: string): string {
  if (shape.kind === 'circle') return `<circle${paint} cx="${shape.x}" cy="${shape.y}" r="${shape.radius}"/>`;
  if (shape.kind === 'ellipse')
    return `<ellipse${paint} cx="${shape.x}" cy="${shape.y}" rx="${shape.across}" ry="${shape.down}"/>`;
  const corner = shape.radius > 0 ? ` rx="${shape.radius}"` : '';
  return `<rect${paint} x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}"${corner}/>`;
}
