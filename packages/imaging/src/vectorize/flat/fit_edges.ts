import { type Curve, fitThrough } from '../fit_curve.ts';

/** Thresholds that distinguish corners from bends. */
export interface CornerPrecision {
  /** Maximum distance of points from the side they determine, in pixels. */
  readonly sideOff: number;
  /** The least turn, in degrees. */
  readonly turnMin: number;
  /** The fewest points of a side. */
  readonly pointsMin: number;
}

/** Points next to a corner that match neither side, because their pixels show both. */
const BLURRED = 1;
/**
 * Points on each side of a corner that determine its direction: for a curved side, otherwise for a short straight one.
 */
const REACHES = [
  { points: 6, bent: true },
  { points: 4, bent: false },
  { points: 2, bent: false },
] as const;
/** Maximum distance between a corner and the points it replaces, in pixels: large for sharp corners. */
const TIP_MAX = 3;

/**
 * Fits a curve through the points of an edge. Where two sides meet at an angle, the corner is their intersection, which
 * is beyond the points, because pixels round corners off.
 */
export function fitEdge(
  points: readonly number[],
  isLoop: boolean,
  tolerance: number,
  precision: CornerPrecision,
): Curve {
  const corners = findCorners(points, isLoop, precision);
  if (corners.length === 0)
    return fitThrough(
      Float64Array.from(isLoop ? [...points, points[0]!, points[1]!] : points),
      [],
      tolerance,
    );
  const count = points.length / 2;
  const first = isLoop ? corners[0]!.at : 0;
  const kept: number[] = [];
  const at: number[] = [];
  for (let step = 0; step < count; step++) {
    const index = (first + step) % count;
    const corner = corners.find((one) => one.at === index);
    if (corner) {
      at.push(kept.length / 2);
      kept.push(corner.x, corner.y);
    } else if (!corners.some((one) => ringDistance(one.at, index, count, isLoop) <= BLURRED))
      kept.push(points[2 * index]!, points[2 * index + 1]!);
  }
  if (isLoop) kept.push(kept[0]!, kept[1]!);
  return fitThrough(Float64Array.from(kept), isLoop ? at.slice(1) : at, tolerance);
}

const ringDistance = (one: number, other: number, count: number, isLoop: boolean): number => {
  const apart = Math.abs(one - other);
  return isLoop ? Math.min(apart, count - apart) : apart;
};

interface Corner {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly turn: number;
}

function findCorners(points: readonly number[], isLoop: boolean, precision: CornerPrecision): Corner[] {
  const count = points.length / 2;
  const found: Corner[] = [];
  for (let index = 0; index < count; index++) {
    const corner = cornerAt(points, index, isLoop, precision);
    if (corner) found.push(corner);
  }
  // Keeps the sharpest of adjacent corners.
  found.sort((one, other) => other.turn - one.turn);
  const kept: Corner[] = [];
  for (const corner of found)
    if (!kept.some(({ at }) => ringDistance(at, corner.at, count, isLoop) <= 2 * BLURRED)) kept.push(corner);
  return kept.sort((one, other) => one.at - other.at);
}

function cornerAt(
  points: readonly number[],
  at: number,
  isLoop: boolean,
  precision: CornerPrecision,
): Corner | undefined {
  const count = points.length / 2;
  for (const reach of REACHES) {
    if (reach.points < precision.pointsMin) continue;
    const far = BLURRED + reach.points;
    if (!isLoop && (at - far < 0 || at + far >= count)) continue;
    if (2 * far >= count) continue;
    const before = sideOf(points, at, -1, { ...reach, sideOff: precision.sideOff }, count);
    const after = sideOf(points, at, 1, { ...reach, sideOff: precision.sideOff }, count);
    if (!before || !after) continue;
    // Both directions point towards the corner.
    const turn = Math.PI - Math.acos(Math.max(-1, Math.min(1, before.dx * after.dx + before.dy * after.dy)));
    if (turn < (precision.turnMin * Math.PI) / 180) return undefined;
    const cross = before.dx * after.dy - before.dy * after.dx;
    if (Math.abs(cross) < 0.05) return undefined;
    const along = ((after.x - before.x) * after.dy - (after.y - before.y) * after.dx) / cross;
    const [x, y] = [before.x + along * before.dx, before.y + along * before.dy];
    const ahead = (after.x - x) * after.dx + (after.y - y) * after.dy;
    if (along < -1 || ahead > 1) return undefined;
    if (Math.hypot(x - points[2 * at]!, y - points[2 * at + 1]!) > TIP_MAX) return undefined;
    return { at, x, y, turn };
  }
  return undefined;
}

/**
 * End and direction of one side of a possible corner, from the straight line or parabola through its points. Undefined
 * if neither fits.
 */
function sideOf(
  points: readonly number[],
  at: number,
  way: 1 | -1,
  { points: reach, bent, sideOff }: (typeof REACHES)[number] & { readonly sideOff: number },
  count: number,
): { x: number; y: number; dx: number; dy: number } | undefined {
  const place = (index: number): [number, number] => {
    const own = (((at + way * index) % count) + count) % count;
    return [points[2 * own]!, points[2 * own + 1]!];
  };
  const [nx, ny] = place(BLURRED + 1);
  const [fx, fy] = place(BLURRED + reach);
  const length = Math.hypot(nx - fx, ny - fy);
  if (length < 0.5) return undefined;
  const [ux, uy] = [(nx - fx) / length, (ny - fy) / length];
  const own: [along: number, off: number][] = [];
  for (let index = BLURRED + 1; index <= BLURRED + reach; index++) {
    const [x, y] = place(index);
    own.push([(x - nx) * ux + (y - ny) * uy, (x - nx) * -uy + (y - ny) * ux]);
  }
  const [c0, c1, c2] = fitParabola(own, bent);
  for (const [along, off] of own)
    if (Math.abs(off - c0 - c1 * along - c2 * along * along) > sideOff) return undefined;
  // Halfway to the corner, where the tangent equals that at the end.
  const end = bent ? BLURRED : 0;
  const slope = c1 + 2 * c2 * end;
  const norm = Math.hypot(1, slope);
  const off = c0 + c1 * end + c2 * end * end;
  return {
    x: nx + end * ux - off * uy,
    y: ny + end * uy + off * ux,
    dx: (ux - slope * uy) / norm,
    dy: (uy + slope * ux) / norm,
  };
}

/** Coefficients of the parabola, or the line, with the least squares through points. */
function fitParabola(
  points: readonly (readonly [number, number])[],
  bent: boolean,
): [number, number, number] {
  let [n, s1, s2, s3, s4, t0, t1, t2] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const [x, y] of points) {
    n++;
    s1 += x;
    s2 += x * x;
    s3 += x ** 3;
    s4 += x ** 4;
    t0 += y;
    t1 += x * y;
    t2 += x * x * y;
  }
  if (!bent) {
    const bottom = n * s2 - s1 * s1 || 1;
    const slope = (n * t1 - s1 * t0) / bottom;
    return [(t0 - slope * s1) / n, slope, 0];
  }
  const determinant = n * (s2 * s4 - s3 * s3) - s1 * (s1 * s4 - s3 * s2) + s2 * (s1 * s3 - s2 * s2) || 1;
  return [
    (t0 * (s2 * s4 - s3 * s3) - s1 * (t1 * s4 - s3 * t2) + s2 * (t1 * s3 - s2 * t2)) / determinant,
    (n * (t1 * s4 - s3 * t2) - t0 * (s1 * s4 - s3 * s2) + s2 * (s1 * t2 - t1 * s2)) / determinant,
    (n * (s2 * t2 - t1 * s3) - s1 * (s1 * t2 - t1 * s2) + t0 * (s1 * s3 - s2 * s2)) / determinant,
  ];
}
