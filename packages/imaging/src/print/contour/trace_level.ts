import type { Size } from '../../pixels/plane.ts';

/**
 * A closed polyline x, y, x, y … in pixels, relative to the centre of the first pixel. The last point repeats the
 * first.
 */
export type Loop = Float64Array;

/**
 * Traces the zero contours of a field with linear interpolation (marching squares). Loops around positive values have a
 * positive area, loops around holes a negative one.
 * @returns undefined if there are more than `pointsMax` points
 */
export function traceZero(field: Float32Array, size: Size, pointsMax: number): Loop[] | undefined {
  const next = segmentsOf(field, size, pointsMax);
  if (!next) return undefined;
  const loops: Loop[] = [];
  for (const first of next.keys()) {
    if (!next.has(first)) continue;
    const points: number[] = [];
    let edge: number | undefined = first;
    while (edge !== undefined) {
      points.push(...crossing(field, size, edge));
      const after: number | undefined = next.get(edge);
      next.delete(edge);
      edge = after;
    }
    points[points.length - 2] = points[0]!;
    points[points.length - 1] = points[1]!;
    if (points.length > 6) loops.push(Float64Array.from(points));
  }
  return loops;
}

/**
 * Maps the edge where a contour enters a cell to the edge where it leaves. An edge number is twice its pixel index,
 * plus 1 for a vertical edge.
 */
function segmentsOf(
  field: Float32Array,
  { width, height }: Size,
  pointsMax: number,
): Map<number, number> | undefined {
  const next = new Map<number, number>();
  for (let y = 0; y < height - 1; y += 1)
    for (let x = 0; x < width - 1; x += 1) {
      const at = y * width + x;
      const corners = [field[at]!, field[at + 1]!, field[at + width + 1]!, field[at + width]!];
      const code = corners.reduce((bits, value, corner) => bits | (value > 0 ? 1 << corner : 0), 0);
      if (code === 0 || code === 15) continue;
      if (next.size > pointsMax) return undefined;
      const [top, right, bottom, left] = [2 * at, 2 * (at + 1) + 1, 2 * (at + width), 2 * at + 1];
      const isJoined =
        code === 5 || code === 10 ? corners[0]! + corners[1]! + corners[2]! + corners[3]! > 0 : false;
      for (const [from, to] of CASES[code]!(isJoined))
        next.set([top, right, bottom, left][from]!, [top, right, bottom, left][to]!);
    }
  return next;
}

type Pairs = readonly (readonly [number, number])[];
const [TOP, RIGHT, BOTTOM, LEFT] = [0, 1, 2, 3] as const;

/**
 * Entry and exit edges by the positive corners of a cell, as bits: upper left, upper right, lower right, lower left.
 */
const CASES: readonly ((isJoined: boolean) => Pairs)[] = [
  () => [],
  () => [[TOP, LEFT]],
  () => [[RIGHT, TOP]],
  () => [[RIGHT, LEFT]],
  () => [[BOTTOM, RIGHT]],
  (isJoined) =>
    isJoined
      ? [
          [TOP, RIGHT],
          [BOTTOM, LEFT],
        ]
      : [
          [TOP, LEFT],
          [BOTTOM, RIGHT],
        ],
  () => [[BOTTOM, TOP]],
  () => [[BOTTOM, LEFT]],
  () => [[LEFT, BOTTOM]],
  () => [[TOP, BOTTOM]],
  (isJoined) =>
    isJoined
      ? [
          [LEFT, TOP],
          [RIGHT, BOTTOM],
        ]
      : [
          [LEFT, BOTTOM],
          [RIGHT, TOP],
        ],
  () => [[RIGHT, BOTTOM]],
  () => [[LEFT, RIGHT]],
  () => [[TOP, RIGHT]],
  () => [[LEFT, TOP]],
  () => [],
];

function crossing(field: Float32Array, { width }: Size, edge: number): [number, number] {
  const at = edge >> 1;
  const isDown = edge % 2 === 1;
  const [one, other] = [field[at]!, field[isDown ? at + width : at + 1]!];
  const share = one / (one - other);
  const [x, y] = [at % width, Math.floor(at / width)];
  return isDown ? [x, y + share] : [x + share, y];
}

/** Signed area of a loop; the sign is the direction. */
export function signedArea(loop: ArrayLike<number>): number {
  let twice = 0;
  for (let at = 0; at + 3 < loop.length; at += 2)
    twice += loop[at]! * loop[at + 3]! - loop[at + 2]! * loop[at + 1]!;
  return twice / 2;
}

/** Tests whether a point lies inside a loop. */
export function containsPoint(loop: ArrayLike<number>, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0; at + 3 < loop.length; at += 2) {
    const [x1, y1, x2, y2] = [loop[at]!, loop[at + 1]!, loop[at + 2]!, loop[at + 3]!];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}
