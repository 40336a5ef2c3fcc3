import { type Curve, cubicAt } from '../fit_curve.ts';

/** Samples per pixel and axis in Skia, times the fractions it counts in. */
const UNITS = 4 * 64;
const SHIFT_MAX = 6;

/**
 * Flattens a curve exactly as Skia does before filling. Most artwork is antialiased by Skia (browsers) or resvg, whose
 * edges deviate up to 0.1 px inwards from the true curve: shades can only be matched with the same segments. Source:
 * setup of cubic edges in Skia (SkEdge) and tiny-skia.
 */
export function skiaPoints(curve: Curve): number[] {
  const points = [curve[0]!, curve[1]!];
  for (let at = 2; at < curve.length; at += 6) {
    if (Number.isNaN(curve[at])) points.push(curve[at + 4]!, curve[at + 5]!);
    else for (const part of chopAtExtrema(curve.slice(at - 2, at + 6))) addPieces(points, part);
  }
  return points;
}

function addPieces(points: number[], cubic: readonly number[]): void {
  const count = 2 ** shiftOf(cubic);
  for (let step = 1; step <= count; step++) points.push(...cubicAt(cubic, step / count));
}

function shiftOf(cubic: readonly number[]): number {
  const [dx, dy] = [deltaFromLine(cubic, 0), deltaFromLine(cubic, 1)];
  const distance = Math.max(dx, dy) + Math.min(dx, dy) / 2;
  const eighths = Math.floor((distance + 16) / 32);
  return Math.min(SHIFT_MAX, Math.floor((32 - Math.clz32(eighths)) / 2) + 1);
}

function deltaFromLine(cubic: readonly number[], axis: 0 | 1): number {
  const [a, b, c, d] = [0, 2, 4, 6].map((at) => UNITS * cubic[at + axis]!) as [
    number,
    number,
    number,
    number,
  ];
  return Math.max(Math.abs(8 * a - 15 * b + 6 * c + d), Math.abs(a + 6 * b - 15 * c + 8 * d)) / 27;
}

/** Monotonic parts of a cubic, split at its vertical extrema. */
function chopAtExtrema(cubic: readonly number[]): number[][] {
  const [y0, y1, y2, y3] = [cubic[1]!, cubic[3]!, cubic[5]!, cubic[7]!];
  const [a, b, c] = [y3 - y0 + 3 * (y1 - y2), 2 * (y0 - 2 * y1 + y2), y1 - y0];
  const root = Math.sqrt(b * b - 4 * a * c);
  const places = (Math.abs(a) < 1e-12 ? [-c / b] : [(-b - root) / (2 * a), (-b + root) / (2 * a)])
    .filter((t) => t > 1e-4 && t < 1 - 1e-4)
    .sort((one, other) => one - other);
  const parts: number[][] = [];
  let rest = [...cubic];
  let done = 0;
  for (const t of places) {
    const [first, second] = splitCubic(rest, (t - done) / (1 - done));
    parts.push(first);
    rest = second;
    done = t;
  }
  return [...parts, rest];
}

function splitCubic(cubic: readonly number[], t: number): [number[], number[]] {
  const mix = (one: number, other: number): number => one + t * (other - one);
  const level = (values: readonly number[]): number[] =>
    values.slice(0, -2).map((value, at) => mix(value, values[at + 2]!));
  const once = level(cubic);
  const twice = level(once);
  const thrice = level(twice);
  return [
    [...cubic.slice(0, 2), ...once.slice(0, 2), ...twice.slice(0, 2), ...thrice],
    [...thrice, ...twice.slice(2, 4), ...once.slice(4, 6), ...cubic.slice(6, 8)],
  ];
}
