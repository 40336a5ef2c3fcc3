import { convexDistance } from '../convex.ts';
import { projectCircle } from '../cylinder.ts';
import { hypot2, smoothStep } from '../light.ts';
import { convexHull, type Point2, type Vector, type View } from '../view.ts';

/** A mug of 325 ml, 82 mm in diameter and 96 mm tall, in scene units; its axis is x = z = 0, y = 0 is half its height. */
export const BODY = { radius: 222, top: -262, bottom: 262 };
export const WALL = 13;
const FOOT = 26;
const LIP = 6;

/** Inset of the body at a height, near its base and at its lip. */
export function inset(y: number): number {
  const foot = Math.min(1, Math.max(0, FOOT - (BODY.bottom - y)) / FOOT);
  const lip = Math.min(1, Math.max(0, LIP - (y - BODY.top)) / LIP);
  return (
    0.62 * FOOT * (1 - Math.sqrt(Math.max(0, 1 - foot * foot))) +
    LIP * (1 - Math.sqrt(Math.max(0, 1 - lip * lip)))
  );
}

/** Slope of the surface at a height: positive faces down, negative up. */
export function tilt(y: number): number {
  const foot = Math.max(0, FOOT - (BODY.bottom - y)) / FOOT;
  const lip = Math.max(0, LIP - (y - BODY.top)) / LIP;
  return 0.85 * foot * foot - 0.95 * lip * lip;
}

/** The projected outline of the body. */
export function bodyOutline(view: View): Point2[] {
  const heights = [0, 0.15, 0.4, 0.7, 1].flatMap((part) => [
    BODY.top + LIP * part,
    BODY.bottom - FOOT * (1 - part),
  ]);
  return convexHull(heights.flatMap((y) => projectCircle(view, y, BODY.radius - inset(y))));
}

export const ringEdge = (view: View, y: number, radius: number) =>
  convexDistance(convexHull(projectCircle(view, y, radius)));

/** The handle as spheres along a curve: centres and radii. */
export interface Spheres {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly radius: Float64Array;
}

const SPHERES = 180;
const HANDLE = { upper: -158, lower: 150, reach: 152, thick: 22 };

/** A handle that leaves the body horizontally at the top and returns at a slant, thicker at the joints. It lies in z = 0. */
export function handleSpheres(): Spheres {
  const x = new Float64Array(SPHERES);
  const y = new Float64Array(SPHERES);
  const radius = new Float64Array(SPHERES);
  const start = BODY.radius - 26;
  const corners = [
    [start, HANDLE.upper],
    [start + 1.28 * HANDLE.reach, HANDLE.upper - 26],
    [start + 1.34 * HANDLE.reach, HANDLE.lower - 26],
    [start, HANDLE.lower],
  ] as const;
  for (let at = 0; at < SPHERES; at += 1) {
    const t = at / (SPHERES - 1);
    const s = 1 - t;
    const weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    x[at] = corners.reduce((sum, [px], index) => sum + weights[index]! * px, 0);
    y[at] = corners.reduce((sum, [, py], index) => sum + weights[index]! * py, 0);
    const joined = Math.max(0, x[at]! - BODY.radius);
    radius[at] = HANDLE.thick + 6 * Math.exp(-((joined / 15) ** 2)) - 2.5 * smoothStep(0, 1, t);
  }
  return { count: SPHERES, x, y, radius };
}

/** The closest approach of a ray to the handle. */
export interface SphereHit {
  /** Signed distance to its surface, negative at a hit. */
  edge: number;
  /** Distance along the ray to the hit. */
  along: number;
  normal: [x: number, y: number, z: number];
  y: number;
}

/** Intersects a ray with spheres so close together that their union is a tube. */
export function intersectSpheres(
  spheres: Spheres,
  eye: Vector,
  direction: Float64Array,
  found: SphereHit,
): void {
  const [wx, wy, wz] = [direction[0]!, direction[1]!, direction[2]!];
  const square = wx * wx + wy * wy + wz * wz;
  const awayFrom = (at: number): number => {
    const dx = spheres.x[at]! - eye[0];
    const dy = spheres.y[at]! - eye[1];
    const dz = -eye[2];
    const along = (dx * wx + dy * wy + dz * wz) / square;
    return Math.sqrt(Math.max(0, dx * dx + dy * dy + dz * dz - along * along * square)) - spheres.radius[at]!;
  };
  const about = nearestOf(awayFrom, { from: 0, to: spheres.count - 1, by: STRIDE });
  const sphere = nearestOf(awayFrom, {
    from: Math.max(0, about - STRIDE),
    to: Math.min(spheres.count - 1, about + STRIDE),
    by: 1,
  });
  const nearest = awayFrom(sphere);
  const position = refined(spheres, sphere, awayFrom);
  const radius = between(spheres.radius, position);
  const [dx, dy, dz] = [
    between(spheres.x, position) - eye[0],
    between(spheres.y, position) - eye[1],
    -eye[2],
  ];
  const middle = (dx * wx + dy * wy + dz * wz) / square;
  const away = Math.min(radius, nearest + radius);
  const along = middle - Math.sqrt(Math.max(0, radius * radius - away * away) / square);
  const scale = nearest > 0 ? radius / (nearest + radius) : 1;
  const normal = [along * wx - dx, along * wy - dy, along * wz - dz].map((value) => (value * scale) / radius);
  const length = Math.sqrt(normal.reduce((sum, value) => sum + value * value, 0)) || 1;
  found.edge = nearest;
  found.along = along;
  found.normal = normal.map((value) => value / length) as SphereHit['normal'];
  found.y = eye[1] + along * wy;
}

/** Stride of the coarse search: the distance varies smoothly from sphere to sphere. */
const STRIDE = 6;

function nearestOf(
  distance: (at: number) => number,
  { from, to, by }: { from: number; to: number; by: number },
): number {
  let [minimum, nearest] = [Infinity, from];
  for (let at = from; at <= to; at += by) {
    const here = distance(at);
    if (here < minimum) [minimum, nearest] = [here, at];
  }
  return nearest;
}

/** Refines the nearest of three spheres with a parabola through their distances; otherwise individual spheres would be visible. */
function refined({ count }: Spheres, sphere: number, distance: (at: number) => number): number {
  if (sphere === 0 || sphere === count - 1) return sphere;
  const [before, here, after] = [distance(sphere - 1), distance(sphere), distance(sphere + 1)];
  const bend = before - 2 * here + after;
  return bend > 1e-9 ? sphere + Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend)) : sphere;
}

function between(values: Float64Array, position: number): number {
  const at = Math.min(values.length - 2, Math.floor(position));
  return values[at]! + (position - at) * (values[at + 1]! - values[at]!);
}

/** Signed distance to the body and the handle, for shadows; negative inside. */
export function mugDistance(spheres: Spheres, x: number, y: number, z: number): number {
  const out = hypot2(x, z) - BODY.radius + inset(Math.max(BODY.top, Math.min(BODY.bottom, y)));
  const body = Math.max(out, y - BODY.bottom, BODY.top - y);
  // Far from the handle, the distance to its bounding box suffices.
  const away = Math.max(Math.abs(z) - 40, BODY.radius - 50 - x, Math.abs(y) - 230);
  if (away > 25) return Math.min(body, away);
  let nearest = Infinity;
  for (let at = 0; at < spheres.count; at += 10) {
    const [dx, dy] = [x - spheres.x[at]!, y - spheres.y[at]!];
    nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy + z * z) - spheres.radius[at]!);
  }
  return Math.min(body, nearest);
}
