import { type Curve, cubicAt } from './fit_curve.ts';

/** A curve from its end to its start. */
export function reverseCurve(curve: Curve): Curve {
  const back: Curve = [curve.at(-2)!, curve.at(-1)!];
  for (let at = curve.length - 6; at >= 2; at -= 6)
    back.push(curve[at + 2]!, curve[at + 3]!, curve[at]!, curve[at + 1]!, curve[at - 2]!, curve[at - 1]!);
  return back;
}

/** Appends a curve to one that ends at its start. */
export function appendCurve(curve: Curve, next: Curve): void {
  for (let at = 2; at < next.length; at++) curve.push(next[at]!);
}

/** Flattens a curve to points so dense that the result looks smooth. */
export function flattenCurve(curve: Curve): number[] {
  const points = [curve[0]!, curve[1]!];
  for (let at = 2; at < curve.length; at += 6) {
    if (!Number.isNaN(curve[at])) {
      const cubic = curve.slice(at - 2, at + 6);
      const bend =
        Math.hypot(cubic[0]! - 2 * cubic[2]! + cubic[4]!, cubic[1]! - 2 * cubic[3]! + cubic[5]!) +
        Math.hypot(cubic[2]! - 2 * cubic[4]! + cubic[6]!, cubic[3]! - 2 * cubic[5]! + cubic[7]!);
      const steps = Math.min(32, Math.ceil(Math.sqrt(4 * bend)));
      for (let step = 1; step < steps; step++) points.push(...cubicAt(cubic, step / steps));
    }
    points.push(curve[at + 4]!, curve[at + 5]!);
  }
  return points;
}

/** Flattens a curve to a polyline x, y, x, y … whose segments deviate from it by at most `tolerance`. */
export function straighten(curve: Curve, tolerance: number): number[] {
  const points = [curve[0]!, curve[1]!];
  for (let at = 2; at < curve.length; at += 6) {
    if (!Number.isNaN(curve[at])) {
      const cubic = curve.slice(at - 2, at + 6);
      const bend = Math.max(secondDifference(cubic, 0), secondDifference(cubic, 2));
      // Chords of a curve of degree n in m steps are off by at most n (n - 1) / 8 of its greatest second difference, by m squared.
      const steps = Math.ceil(Math.sqrt((0.75 * bend) / tolerance));
      for (let step = 1; step < steps; step++) points.push(...cubicAt(cubic, step / steps));
    }
    points.push(curve[at + 4]!, curve[at + 5]!);
  }
  return points;
}

const secondDifference = (cubic: Curve, at: number): number =>
  Math.hypot(
    cubic[at]! - 2 * cubic[at + 2]! + cubic[at + 4]!,
    cubic[at + 1]! - 2 * cubic[at + 3]! + cubic[at + 5]!,
  );

/** Points x, y, x, y … as a curve of straight pieces. */
export function straightCurve(points: readonly number[]): Curve {
  const curve = [points[0]!, points[1]!];
  for (let at = 2; at < points.length; at += 2) curve.push(NaN, NaN, NaN, NaN, points[at]!, points[at + 1]!);
  return curve;
}
