import RBush, { type BBox } from 'rbush';
import type { Curve } from './fit_curve.ts';

/** A way through closed outlines: each as it is run, from where it is entered, which is also where it is left. */
export interface CutPath {
  readonly outlines: readonly Curve[];
  /** From the origin to the first outline and from each to the next, in the unit of the outlines. */
  readonly travel: number;
}

/** A place where a line may be entered. */
export interface Entry extends BBox {
  readonly outline: number;
  /** Piece of the outline that is cut first when it is entered here. */
  readonly piece: number;
}

/** Places where an outline may be entered. */
const ENTRIES_MAX = 8;

/**
 * Outlines in the order of cutting: what lies inside another comes before it, since a part that is free may move; among those
 * that may be next, the nearest (Rosenkrantz and others, "An analysis of several heuristics", 1977). Boxes decide what lies
 * inside: that may hold an outline back for nothing, never let it go too early.
 */
export function orderCuts(outlines: readonly Curve[], from: readonly [x: number, y: number]): CutPath {
  const nest = findNest(outlines);
  const ready = new RBush<Entry>();
  const entries = outlines.map(entriesOf);
  for (const [index, own] of entries.entries()) if (nest.inside[index] === 0) ready.load(own);
  const ordered: Curve[] = [];
  let travel = 0;
  let [x, y] = from;
  let reach = 0;
  while (ordered.length < outlines.length) {
    const next = nearest(ready, x, y, reach);
    for (const entry of entries[next.outline]!) ready.remove(entry);
    reach = Math.hypot(next.minX - x, next.minY - y);
    travel += reach;
    [x, y] = [next.minX, next.minY];
    ordered.push(startAt(outlines[next.outline]!, next.piece));
    for (const around of nest.around(next.outline))
      if (--nest.inside[around]! === 0) ready.load(entries[around]!);
  }
  return { outlines: ordered, travel };
}

/** The way from outline to outline in the order they come, each entered where it starts. */
export function travelThrough(outlines: readonly Curve[], from: readonly [x: number, y: number]): number {
  let travel = 0;
  let [x, y] = from;
  for (const outline of outlines) {
    travel += Math.hypot(outline[0]! - x, outline[1]! - y);
    [x, y] = [outline[0]!, outline[1]!];
  }
  return travel;
}

function findNest(outlines: readonly Curve[]) {
  const boxes = outlines.map((outline, index) => ({ ...boxOf(outline), index }));
  const tree = new RBush<BBox & { readonly index: number }>().load(boxes);
  /** Outlines whose box holds that of another; of two alike, the later holds the earlier. */
  const around = (index: number): number[] => {
    const box = boxes[index]!;
    return tree
      .search({ minX: box.minX, maxX: box.minX, minY: box.minY, maxY: box.minY })
      .filter((other) => holds(other, box) && (other.index > index || !holds(box, other)))
      .map((other) => other.index);
  };
  const inside = new Int32Array(outlines.length);
  for (const index of outlines.keys())
    for (const other of around(index)) if (other !== index) inside[other]!++;
  return { inside, around: (index: number) => around(index).filter((other) => other !== index) };
}

const holds = (one: BBox, other: BBox): boolean =>
  one.minX <= other.minX && one.minY <= other.minY && one.maxX >= other.maxX && one.maxY >= other.maxY;

/** The box round the ends of the pieces of an outline. */
function boxOf(outline: Curve): BBox {
  const box = { minX: outline[0]!, minY: outline[1]!, maxX: outline[0]!, maxY: outline[1]! };
  for (let at = 6; at < outline.length; at += 6) {
    box.minX = Math.min(box.minX, outline[at]!);
    box.maxX = Math.max(box.maxX, outline[at]!);
    box.minY = Math.min(box.minY, outline[at + 1]!);
    box.maxY = Math.max(box.maxY, outline[at + 1]!);
  }
  return box;
}

/** Up to eight places of a closed outline where it may be entered. */
export function entriesOf(outline: Curve, index: number): Entry[] {
  const pieces = (outline.length - 2) / 6;
  const count = Math.min(ENTRIES_MAX, pieces);
  return Array.from({ length: count }, (_, entry) => {
    const piece = Math.floor((entry * pieces) / count);
    const [x, y] = [outline[6 * piece]!, outline[6 * piece + 1]!];
    return { minX: x, minY: y, maxX: x, maxY: y, outline: index, piece };
  });
}

/** The entry nearest to a place, `reach` being about how far off it is. */
export function nearest(ready: RBush<Entry>, x: number, y: number, reach: number): Entry {
  const all = boundsOf(ready);
  for (let side = Math.max(reach, (all.maxX - all.minX + all.maxY - all.minY) / 1000, 1e-6); ; side *= 2) {
    const box = { minX: x - side, minY: y - side, maxX: x + side, maxY: y + side };
    const near = ready.search(box);
    const distances = near.map((entry) => Math.hypot(entry.minX - x, entry.minY - y));
    const least = distances.reduce((one, other) => Math.min(one, other), Infinity);
    // Corners of the box are farther off than its sides: something nearer may lie outside.
    if (least <= side || holds(box, all)) return near[distances.indexOf(least)]!;
  }
}

/** The box of everything in the tree. */
const boundsOf = (tree: RBush<Entry>): BBox => tree.toJSON() as BBox;

/** A closed outline begun at another of its pieces. */
export function startAt(outline: Curve, piece: number): Curve {
  if (piece === 0) return outline;
  const at = 6 * piece;
  return [...outline.slice(at), ...outline.slice(2, at + 2)];
}
