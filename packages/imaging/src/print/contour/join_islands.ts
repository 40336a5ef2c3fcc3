import type { Opacity } from './opacity.ts';
import type { Loop } from './trace_level.ts';

/** Half the width of a bridge, without the offset. */
const HALF_BRIDGE_MM = 1;
/** Points per outline that are compared with other outlines. */
const POINTS_COMPARED_MAX = 200;

interface Bridge {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

/** Adds bridges along the shortest connections between parts, so that one outline encloses them all. */
export function joinIslands(
  { width, height, coverage, pixelsPerMm }: Opacity,
  loops: readonly Loop[],
): Float32Array {
  const joined = coverage.slice();
  const radius = HALF_BRIDGE_MM * pixelsPerMm;
  for (const { from, to } of shortestBridges(loops)) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const square = dx * dx + dy * dy || 1;
    const [left, right] = [Math.min(from[0], to[0]) - radius, Math.max(from[0], to[0]) + radius];
    const [top, bottom] = [Math.min(from[1], to[1]) - radius, Math.max(from[1], to[1]) + radius];
    for (let y = Math.max(1, Math.floor(top)); y <= Math.min(height - 2, bottom); y += 1)
      for (let x = Math.max(1, Math.floor(left)); x <= Math.min(width - 2, right); x += 1) {
        const along = Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / square));
        const away = Math.hypot(x - from[0] - along * dx, y - from[1] - along * dy);
        const covered = Math.min(1, Math.max(0, radius - away + 0.5));
        const at = y * width + x;
        joined[at] = Math.max(joined[at]!, covered);
      }
  }
  return joined;
}

/** Minimum spanning tree of the parts (R. C. Prim, "Shortest connection networks", 1957). */
function shortestBridges(loops: readonly Loop[]): Bridge[] {
  const thinned = loops.map(thin);
  const best = thinned.map((points) => nearest(thinned[0]!, points));
  const waiting = new Set(thinned.keys());
  waiting.delete(0);
  const bridges: Bridge[] = [];
  while (waiting.size > 0) {
    const next = [...waiting].reduce((one, other) => (best[other]!.length < best[one]!.length ? other : one));
    waiting.delete(next);
    bridges.push(best[next]!);
    for (const other of waiting) {
      const way = nearest(thinned[next]!, thinned[other]!);
      if (way.length < best[other]!.length) best[other] = way;
    }
  }
  return bridges;
}

function thin(loop: Loop): [number, number][] {
  const count = loop.length / 2 - 1;
  const step = Math.max(1, Math.ceil(count / POINTS_COMPARED_MAX));
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => [
    loop[2 * at * step]!,
    loop[2 * at * step + 1]!,
  ]);
}

function nearest(
  ones: readonly [number, number][],
  others: readonly [number, number][],
): Bridge & { readonly length: number } {
  let [from, to, length] = [ones[0]!, others[0]!, Infinity];
  for (const one of ones)
    for (const other of others) {
      const between = Math.hypot(one[0] - other[0], one[1] - other[1]);
      if (between < length) [from, to, length] = [one, other, between];
    }
  return { from, to, length };
}
