import type { Curve } from './stages.ts';

/**
 * A smooth curve through points that overshoots none of them; level beyond the first and the last.
 * Source: F. N. Fritsch and R. E. Carlson, "Monotone Piecewise Cubic Interpolation", 1980.
 * @returns undefined where two points have the same x
 */
export function monotoneCurve(points: readonly (readonly [number, number])[]): Curve | undefined {
  const sorted = [...points].sort(([one], [other]) => one - other);
  const xs = sorted.map(([x]) => x);
  const ys = sorted.map(([, y]) => y);
  if (xs.some((x, at) => at > 0 && x === xs[at - 1])) return undefined;
  const slopes = tangents(xs, ys);
  return (value) => {
    const last = xs.length - 1;
    if (value <= xs[0]!) return ys[0]!;
    if (value >= xs[last]!) return ys[last]!;
    const at = xs.findLastIndex((x) => x <= value);
    const width = xs[at + 1]! - xs[at]!;
    const t = (value - xs[at]!) / width;
    const u = 1 - t;
    return (
      ys[at]! * (1 + 2 * t) * u * u +
      width * slopes[at]! * t * u * u +
      ys[at + 1]! * t * t * (3 - 2 * t) -
      width * slopes[at + 1]! * t * t * u
    );
  };
}

function tangents(xs: readonly number[], ys: readonly number[]): number[] {
  const secants = xs.slice(1).map((x, at) => (ys[at + 1]! - ys[at]!) / (x - xs[at]!));
  if (secants.length === 0) return [0];
  const slopes = xs.map((_, at) => {
    const [before, after] = [secants[at - 1] ?? secants[at]!, secants[at] ?? secants[at - 1]!];
    return before * after <= 0 ? 0 : (before + after) / 2;
  });
  for (const [at, secant] of secants.entries()) {
    if (secant === 0) {
      slopes[at] = 0;
      slopes[at + 1] = 0;
      continue;
    }
    const [alpha, beta] = [slopes[at]! / secant, slopes[at + 1]! / secant];
    const length = Math.hypot(alpha, beta);
    if (length <= 3) continue;
    slopes[at] = (3 / length) * alpha * secant;
    slopes[at + 1] = (3 / length) * beta * secant;
  }
  return slopes;
}
