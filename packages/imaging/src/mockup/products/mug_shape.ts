import { convexEdge } from '../convex.ts';
import { ringOf } from '../cylinder.ts';
import { lengthOf, smoothStep } from '../light.ts';
import { hullOf, type Spot, type Vector, type View } from '../view.ts';

/** A mug of 325 ml: 82 mm across and 96 high, here in scene units; its axis is x = z = 0, y = 0 its mid-height. */
export const BODY = { radius: 222, top: -262, bottom: 262 };
export const WALL = 13;
const FOOT = 26;
const LIP = 6;

/** How far the body draws in near its foot and at its lip, by the height of a place. */
export function inset(y: number): number {
  const foot = Math.min(1, Math.max(0, FOOT - (BODY.bottom - y)) / FOOT);
  const lip = Math.min(1, Math.max(0, LIP - (y - BODY.top)) / LIP);
  return (
    0.62 * FOOT * (1 - Math.sqrt(Math.max(0, 1 - foot * foot))) +
    LIP * (1 - Math.sqrt(Math.max(0, 1 - lip * lip)))
  );
}

/** How far the surface there turns down (above 0) or up. */
export function tilt(y: number): number {
  const foot = Math.max(0, FOOT - (BODY.bottom - y)) / FOOT;
  const lip = Math.max(0, LIP - (y - BODY.top)) / LIP;
  return 0.85 * foot * foot - 0.95 * lip * lip;
}

/** The outline of the body. */
export function bodyOutline(view: View): Spot[] {
  const heights = [0, 0.15, 0.4, 0.7, 1].flatMap((part) => [
    BODY.top + LIP * part,
    BODY.bottom - FOOT * (1 - part),
  ]);
  return hullOf(heights.flatMap((y) => ringOf(view, y, BODY.radius - inset(y))));
}

export const ringEdge = (view: View, y: number, radius: number) =>
  convexEdge(hullOf(ringOf(view, y, radius)));

/** The handle as balls along a line: places of their middles, and radii. */
export interface Balls {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly radius: Float64Array;
}

const BALLS = 180;
const HANDLE = { upper: -158, lower: 150, reach: 152, thick: 22 };

/** An ear that leaves the body level above and comes back to it slanting, thicker where it is joined. It lies in z = 0. */
export function handleBalls(): Balls {
  const x = new Float64Array(BALLS);
  const y = new Float64Array(BALLS);
  const radius = new Float64Array(BALLS);
  const start = BODY.radius - 26;
  const corners = [
    [start, HANDLE.upper],
    [start + 1.28 * HANDLE.reach, HANDLE.upper - 26],
    [start + 1.34 * HANDLE.reach, HANDLE.lower - 26],
    [start, HANDLE.lower],
  ] as const;
  for (let at = 0; at < BALLS; at += 1) {
    const t = at / (BALLS - 1);
    const s = 1 - t;
    const weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    x[at] = corners.reduce((sum, [px], index) => sum + weights[index]! * px, 0);
    y[at] = corners.reduce((sum, [, py], index) => sum + weights[index]! * py, 0);
    const joined = Math.max(0, x[at]! - BODY.radius);
    radius[at] = HANDLE.thick + 6 * Math.exp(-((joined / 15) ** 2)) - 2.5 * smoothStep(0, 1, t);
  }
  return { count: BALLS, x, y, radius };
}

/** What of the handle a ray passes nearest to. */
export interface BallHit {
  /** Distance past its surface, negative where it is met. */
  edge: number;
  /** Along the ray, where it is met. */
  along: number;
  normal: [x: number, y: number, z: number];
  y: number;
}

/** Balls so close to each other that their common surface is a tube. */
export function ballsHit(balls: Balls, eye: Vector, way: Float64Array, found: BallHit): void {
  const [wx, wy, wz] = [way[0]!, way[1]!, way[2]!];
  const square = wx * wx + wy * wy + wz * wz;
  const awayFrom = (at: number): number => {
    const dx = balls.x[at]! - eye[0];
    const dy = balls.y[at]! - eye[1];
    const dz = -eye[2];
    const along = (dx * wx + dy * wy + dz * wz) / square;
    return Math.sqrt(Math.max(0, dx * dx + dy * dy + dz * dz - along * along * square)) - balls.radius[at]!;
  };
  const about = nearestOf(awayFrom, { from: 0, to: balls.count - 1, by: STRIDE });
  const ball = nearestOf(awayFrom, {
    from: Math.max(0, about - STRIDE),
    to: Math.min(balls.count - 1, about + STRIDE),
    by: 1,
  });
  const nearest = awayFrom(ball);
  const place = refined(balls, ball, awayFrom);
  const radius = between(balls.radius, place);
  const [dx, dy, dz] = [between(balls.x, place) - eye[0], between(balls.y, place) - eye[1], -eye[2]];
  const middle = (dx * wx + dy * wy + dz * wz) / square;
  const away = Math.min(radius, nearest + radius);
  const along = middle - Math.sqrt(Math.max(0, radius * radius - away * away) / square);
  const scale = nearest > 0 ? radius / (nearest + radius) : 1;
  const normal = [along * wx - dx, along * wy - dy, along * wz - dz].map((value) => (value * scale) / radius);
  const length = Math.sqrt(normal.reduce((sum, value) => sum + value * value, 0)) || 1;
  found.edge = nearest;
  found.along = along;
  found.normal = normal.map((value) => value / length) as BallHit['normal'];
  found.y = eye[1] + along * wy;
}

/** Balls that are passed over at first: their distance rises and falls but slowly from one to the next. */
const STRIDE = 6;

function nearestOf(
  distance: (at: number) => number,
  { from, to, by }: { from: number; to: number; by: number },
): number {
  let [least, nearest] = [Infinity, from];
  for (let at = from; at <= to; at += by) {
    const here = distance(at);
    if (here < least) [least, nearest] = [here, at];
  }
  return nearest;
}

/** The nearest place between three balls, by the parabola through their distances: else every ball would show. */
function refined({ count }: Balls, ball: number, distance: (at: number) => number): number {
  if (ball === 0 || ball === count - 1) return ball;
  const [before, here, after] = [distance(ball - 1), distance(ball), distance(ball + 1)];
  const bend = before - 2 * here + after;
  return bend > 1e-9 ? ball + Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend)) : ball;
}

function between(values: Float64Array, place: number): number {
  const at = Math.min(values.length - 2, Math.floor(place));
  return values[at]! + (place - at) * (values[at + 1]! - values[at]!);
}

/** Distance of a place to the body and to the handle, for what they keep of the light: negative inside. */
export function mugDistance(balls: Balls, x: number, y: number, z: number): number {
  const out = lengthOf(x, z) - BODY.radius + inset(Math.max(BODY.top, Math.min(BODY.bottom, y)));
  const body = Math.max(out, y - BODY.bottom, BODY.top - y);
  // Far from the handle the distance to a box around it will do.
  const away = Math.max(Math.abs(z) - 40, BODY.radius - 50 - x, Math.abs(y) - 230);
  if (away > 25) return Math.min(body, away);
  let nearest = Infinity;
  for (let at = 0; at < balls.count; at += 10) {
    const [dx, dy] = [x - balls.x[at]!, y - balls.y[at]!];
    nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy + z * z) - balls.radius[at]!);
  }
  return Math.min(body, nearest);
}
