import type { Size } from '../../pixels/plane.ts';

export type Point = readonly [x: number, y: number];
/** Top left, top right, bottom right and bottom left of the surface, in pixels; pixel centres are at half-integers. */
export type Quad = readonly [Point, Point, Point, Point];

/** Scales the corners to another unit. */
export const scaleQuad = (quad: Quad, across: number, down: number): Quad =>
  quad.map(([x, y]): Point => [x * across, y * down]) as unknown as Quad;

const distance = ([x0, y0]: Point, [x1, y1]: Point): number => Math.hypot(x1 - x0, y1 - y0);

/** Whether four points form a convex shape, clockwise on screen. */
export const isConvex = (quad: Quad): boolean =>
  quad.every((point, at) => signedArea2(point, quad[(at + 1) % 4]!, quad[(at + 2) % 4]!) > 0);

/** Twice the signed area of a triangle, positive if clockwise on screen. */
export const signedArea2 = (a: Point, b: Point, c: Point): number =>
  (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);

export function quadArea(points: readonly Point[]): number {
  let twice = 0;
  for (const [at, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(at + 1) % points.length]!;
    twice += x * nextY - nextX * y;
  }
  return Math.abs(twice) / 2;
}

/** Intersection of the lines through two pairs of points; undefined if they are parallel. */
export function intersectLines(
  [a, b]: readonly [Point, Point],
  [c, d]: readonly [Point, Point],
): Point | undefined {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const below = ux * vy - uy * vx;
  if (Math.abs(below) < 1e-9 * Math.hypot(ux, uy) * Math.hypot(vx, vy)) return undefined;
  const along = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / below;
  return [a[0] + along * ux, a[1] + along * uy];
}

/** Size of the quadrilateral: the longer of each pair of opposite sides. */
export function quadSize([a, b, c, d]: Quad): Size {
  return {
    width: Math.max(distance(a, b), distance(d, c)),
    height: Math.max(distance(a, d), distance(b, c)),
  };
}

/** Range of focal lengths relative to the longer side of the image: 12 to 300 mm for a 36 mm frame. */
const FOCAL_MIN = 0.33;
const FOCAL_MAX = 8.5;
/** Sides closer to parallel than this carry no information about the camera. */
const PARALLEL = 1e-3;

/**
 * Aspect ratio (width by height) of the flat rectangle that a camera with square pixels projects to these corners, its optical axis through
 * the centre of the photo. Source: Zhengyou Zhang and Li-wei He, "Whiteboard scanning and image enhancement", 2004, section 4.
 */
export function estimateAspect(quad: Quad, photo: Size): number {
  const [middleX, middleY] = [photo.width / 2, photo.height / 2];
  const longest = Math.max(photo.width, photo.height);
  const [m1, m2, m4, m3] = quad.map(
    ([x, y]): Vector => [(x - middleX) / longest, (y - middleY) / longest, 1],
  ) as [Vector, Vector, Vector, Vector];
  const diagonal = cross(m1, m4);
  const k2 = dot(diagonal, m3) / dot(cross(m2, m4), m3);
  const k3 = dot(diagonal, m2) / dot(cross(m3, m4), m2);
  const across = minus(scaled(m2, k2), m1);
  const down = minus(scaled(m3, k3), m1);
  const depths = across[2] * down[2];
  const squared = -(across[0] * down[0] + across[1] * down[1]) / depths;
  const isSeen = Math.abs(across[2]) > PARALLEL && Math.abs(down[2]) > PARALLEL && squared > 0;
  const focal = isSeen ? Math.max(FOCAL_MIN, Math.min(FOCAL_MAX, Math.sqrt(squared))) : 1;
  const aspect = lengthIn(across, focal) / lengthIn(down, focal);
  const sides = quadSize(quad);
  return Number.isFinite(aspect) && aspect > 0 ? aspect : sides.width / sides.height;
}

type Vector = readonly [number, number, number];

const cross = ([a, b, c]: Vector, [d, e, f]: Vector): Vector => [b * f - c * e, c * d - a * f, a * e - b * d];
const dot = ([a, b, c]: Vector, [d, e, f]: Vector): number => a * d + b * e + c * f;
const scaled = ([a, b, c]: Vector, by: number): Vector => [a * by, b * by, c * by];
const minus = ([a, b, c]: Vector, [d, e, f]: Vector): Vector => [a - d, b - e, c - f];
const lengthIn = ([x, y, z]: Vector, focal: number): number => Math.hypot(x / focal, y / focal, z);
