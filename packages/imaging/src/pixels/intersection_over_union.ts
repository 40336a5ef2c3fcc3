import type { Box } from './box.ts';

/** Intersection over union of two boxes: 0 if disjoint, 1 if equal. */
export function intersectionOverUnion(one: Box, other: Box): number {
  const along = (a: number, wide: number, b: number, broad: number) =>
    Math.max(0, Math.min(a + wide, b + broad) - Math.max(a, b));
  const shared =
    along(one.x, one.width, other.x, other.width) * along(one.y, one.height, other.y, other.height);
  return shared / (one.width * one.height + other.width * other.height - shared);
}
