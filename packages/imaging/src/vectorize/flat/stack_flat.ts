import { flattenCurve, reverseCurve } from '../curve.ts';
import { type Curve, fitCurve } from '../fit_curve.ts';
import type { Ring, Side } from '../outlines.ts';
import { curveOfShape, recogniseShapes, type SimpleShape, snapLength, snapShape } from './recognise_shape.ts';
import type { FlatLines } from './refine_lines.ts';

/** One shape of flat artwork, painted over those before it. */
export interface FlatShape {
  readonly core: number;
  readonly outlines: readonly Curve[];
  /** The simple shape that the outline is, if any. */
  readonly simple?: SimpleShape | undefined;
}

/**
 * Overlap of a shape under one painted over it, in pixels: more than the diagonal of a pixel, so that their common edge
 * mixes no third colour.
 */
const REACHES = [1.5, 1, 0.6, 0];

/** An outline within this many pixels of a simple shape was drawn as one. */
const KNOWN_OFF = 0.02;
/** How carefully an edge is drawn that is hidden, in pixels. */
const UNDER_TOLERANCE = 0.3;

/**
 * Returns flat areas as shapes, the largest first. Hidden parts are not cut out of shapes below, so that a disc in a
 * ring is a disc on a disc. Where neither contains the other, the lower shape extends under the upper.
 */
export function stackFlat(
  flat: FlatLines,
  isDrawn: (core: number) => boolean,
  labels: Int32Array,
): FlatShape[] {
  const { lines, rings, coreOf, width, height } = flat;
  const isPainted = (area: number): boolean => area >= 0 && isDrawn(coreOf[area]!);
  const sized = rings.map((own) => own.map((ring) => ({ ring, size: signedArea(ring, flat) })));
  const sizes = sized.map((own) => own.reduce((sum, { size }) => sum + Math.max(0, size), 0));
  const order = [...rings.keys()].filter(isPainted).sort((one, other) => sizes[other]! - sizes[one]!);
  const ranks = new Int32Array(rings.length).fill(-1);
  for (const [rank, area] of order.entries()) ranks[area] = rank;
  const beside = neighboursOf(flat);
  const opensWithin = (area: number, ring: Ring): boolean =>
    enclosesTransparency(area, ring, flat, beside, isPainted);
  const isWhole = rings.every((_, area) => isPainted(area));
  return order.map((area, rank) => {
    const core = coreOf[area]!;
    if (isWhole && rank === 0) {
      const simple = { kind: 'rect', x: 0, y: 0, width, height, radius: 0 } as const;
      return { core, simple, outlines: [curveOfShape(simple)] };
    }
    const kept = sized[area]!.filter(({ ring, size }) => size > 0 || opensWithin(area, ring)).map(
      ({ ring }) => ring,
    );
    const outlines = kept.map((ring) =>
      outlineOf(ring, (side) => sideCurve(flat, area, side, ranks, labels)),
    );
    const simple = kept.length === 1 ? simpleOf(flat, kept[0]!, outlines[0]!) : undefined;
    return simple
      ? { core, simple, outlines: [curveOfShape(simple)] }
      : { core, outlines: outlines.map(snapOutline) };
  });

  function signedArea(ring: Ring, { curves }: FlatLines): number {
    let twice = 0;
    for (const { line, backwards } of ring) {
      const points = flattenCurve(curves[line]!);
      let along = 0;
      for (let at = 0; at + 3 < points.length; at += 2)
        along += points[at + 1]! * points[at + 2]! - points[at]! * points[at + 3]!;
      twice += backwards ? -along : along;
    }
    return twice / 2;
  }

  function neighboursOf({ rings: all }: FlatLines): Set<number>[] {
    const found = all.map(() => new Set<number>());
    for (const { left, right } of lines) {
      if (left < 0 || right < 0) continue;
      found[left]!.add(right);
      found[right]!.add(left);
    }
    return found;
  }
}

/** The simple shape that an outline is: known as one, or along pixel sides. */
function simpleOf({ simple, isFixed }: FlatLines, ring: Ring, outline: Curve): SimpleShape | undefined {
  const { line } = ring[0]!;
  if (ring.length > 1) return undefined;
  const known =
    simple.get(line) ?? (isFixed[line] === 1 ? recogniseShapes(outline, KNOWN_OFF)[0] : undefined);
  return known && snapShape(known);
}

/** Tests whether a hole of an area contains transparency. */
function enclosesTransparency(
  area: number,
  ring: Ring,
  { lines }: FlatLines,
  beside: readonly ReadonlySet<number>[],
  isPainted: (area: number) => boolean,
): boolean {
  const seen = new Set([area]);
  const waiting = ring.map(({ line, backwards }) => (backwards ? lines[line]!.left : lines[line]!.right));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next < 0 || seen.has(next)) continue;
    if (!isPainted(next)) return true;
    seen.add(next);
    waiting.push(...beside[next]!);
  }
  return false;
}

/** The curve of a side of an area: the edge itself, or under the shape that is painted over it there. */
function sideCurve(
  { lines, curves, width, height }: FlatLines,
  area: number,
  { line, backwards }: Side,
  ranks: Int32Array,
  labels: Int32Array,
): Curve {
  const { left, right, isLoop } = lines[line]!;
  const other = backwards ? left : right;
  const own = backwards ? reverseCurve(curves[line]!) : curves[line]!;
  if (other < 0 || ranks[other]! < ranks[area]!) return own;
  const points = flattenCurve(own);
  for (const reach of REACHES) {
    if (reach === 0) break;
    const moved = shiftRight(points, reach);
    if (!staysWithin(moved, labels, { width, height }, [area, other])) continue;
    const under = fitCurve(Float64Array.from(moved), UNDER_TOLERANCE);
    if (isLoop) return under;
    const straight = [NaN, NaN, NaN, NaN];
    return [...points.slice(0, 2), ...straight, ...under, ...straight, ...points.slice(-2)];
  }
  return own;
}

/** Offsets points to the right, away from the area on the left. */
function shiftRight(points: readonly number[], distance: number): number[] {
  const last = points.length / 2 - 1;
  const closed = points[0] === points[2 * last] && points[1] === points[2 * last + 1];
  return Array.from(points, (value, at) => {
    const index = at >> 1;
    const before = index > 0 ? index - 1 : closed ? last - 1 : 0;
    const after = index < last ? index + 1 : closed ? 1 : last;
    const dx = points[2 * after]! - points[2 * before]!;
    const dy = points[2 * after + 1]! - points[2 * before + 1]!;
    const length = Math.hypot(dx, dy) || 1;
    return at % 2 === 0 ? value - (distance * dy) / length : value + (distance * dx) / length;
  });
}

function staysWithin(
  points: readonly number[],
  labels: Int32Array,
  { width, height }: { width: number; height: number },
  allowed: readonly number[],
): boolean {
  for (let at = 0; at < points.length; at += 2) {
    const x = Math.min(width - 1, Math.max(0, Math.floor(points[at]!)));
    const y = Math.min(height - 1, Math.max(0, Math.floor(points[at + 1]!)));
    if (!allowed.includes(labels[y * width + x]!)) return false;
  }
  return true;
}

function outlineOf(ring: Ring, curveOf: (side: Side) => Curve): Curve {
  const outline: Curve = [];
  for (const side of ring) {
    const own = curveOf(side);
    for (let at = outline.length === 0 ? 0 : 2; at < own.length; at++) outline.push(own[at]!);
  }
  return outline;
}

/** Maximum deviation of a straight segment from vertical or horizontal to be snapped, in pixels. */
const LEVEL_OFF = 0.03;

/** Snaps corners: near-horizontal and near-vertical segments become exact, and lengths snap to a nearby grid. */
function snapOutline(outline: Curve): Curve {
  const next = [...outline];
  const last = next.length - 2;
  const isClosed = next[0] === next[last] && next[1] === next[last + 1];
  const put = (at: number, length: number): void => {
    next[at] = length;
    if (isClosed && at < 2) next[last + at] = length;
    if (isClosed && at >= last) next[at - last] = length;
  };
  for (const axis of [0, 1]) {
    for (let at = 2; at < next.length; at += 6) {
      if (!Number.isNaN(next[at])) continue;
      const [from, to] = [next[at - 2 + axis]!, next[at + 4 + axis]!];
      const along = Math.abs(next[at - 1 - axis]! - next[at + 5 - axis]!);
      if (Math.abs(from - to) > LEVEL_OFF || along < 1) continue;
      const level = snapLength((from + to) / 2);
      put(at - 2 + axis, level);
      put(at + 4 + axis, level);
    }
  }
  return next.map((value) => (Number.isNaN(value) ? value : snapLength(value)));
}
