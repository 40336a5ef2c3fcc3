import { type Chain, chainBranches } from './chain_branches.ts';
import { endsAt, freePartners } from './prune_skeleton.ts';
import type { Branch, Knot, SkeletonGraph } from './skeleton_graph.ts';

/** Middle lines as strokes go through their crossings. */
export interface JoinedStrokes extends SkeletonGraph {
  readonly chains: readonly Chain[];
  /** The end of a branch that each one goes on at, or -1. */
  readonly partners: Int32Array;
  /** Ends of branches at each knot. */
  readonly degrees: readonly number[];
}

/** A stroke turns by less than this where it goes through a crossing; and so many pixels tell where it comes from. */
const STRAIGHT_COSINE = -Math.cos((50 * Math.PI) / 180);
const DIRECTION_PX = 6;
/** More than so many that meet, or knots that would be one crossing, are a net rather than strokes that cross. */
const MEETING_MAX = 32;
const MERGED_MAX = 4;

/**
 * Joins branches through the places where they meet: two knots in one blot of ink are one crossing, and of the branches
 * there those go on in each other that turn least.
 */
export function joinCrossings(graph: SkeletonGraph, across: number): JoinedStrokes {
  const { knots, branches } = mergeKnots(graph);
  const partners = freePartners(branches);
  const ends = endsAt(knots, branches);
  for (const [place, own] of ends.entries()) {
    if (own.length < 2 || own.length > MEETING_MAX) continue;
    const directions = own.map((end) =>
      directionOf(branches[end >> 1]!, (end & 1) === 1, knots[place]!, across),
    );
    for (const [one, other] of pairsOf(directions)) {
      partners[own[one]!] = own[other]!;
      partners[own[other]!] = own[one]!;
    }
  }
  return {
    knots,
    branches,
    chains: chainBranches(branches.length, partners),
    partners,
    degrees: ends.map(({ length }) => length),
  };
}

/** Knots of three and more ends that a branch no longer than their ink is wide lies between become one. */
function mergeKnots({ knots, branches }: SkeletonGraph): SkeletonGraph {
  const degrees = endsAt(knots, branches).map(({ length }) => length);
  const heirs = knots.map((_, place) => place);
  const sizes = knots.map(() => 1);
  const heirOf = (place: number): number => {
    let heir = place;
    while (heirs[heir] !== heir) heir = heirs[heir]!;
    return heir;
  };
  const left = branches.filter(({ from, to }) => {
    if (from < 0 || from === to || degrees[from]! < 3 || degrees[to]! < 3) return true;
    const [one, other] = [knots[from]!, knots[to]!];
    if (Math.hypot(one.x - other.x, one.y - other.y) > Math.max(one.radius, other.radius) + 1) return true;
    const [kept, gone] = [heirOf(from), heirOf(to)];
    if (kept === gone) return false;
    if (sizes[kept]! + sizes[gone]! > MERGED_MAX) return true;
    heirs[gone] = kept;
    sizes[kept]! += sizes[gone]!;
    return false;
  });
  const members = new Map<number, Knot[]>();
  for (const [place, knot] of knots.entries()) {
    const heir = heirOf(place);
    members.set(heir, [...(members.get(heir) ?? []), knot]);
  }
  return {
    knots: knots.map((knot, place) => middleOf(members.get(place) ?? [knot])),
    branches: left
      .map(({ from, to, pixels }) => ({
        from: from < 0 ? from : heirOf(from),
        to: to < 0 ? to : heirOf(to),
        pixels,
      }))
      // A branch from a blot to itself is an eye in it, if it is longer than the blot.
      .filter(({ from, to, pixels }) => from < 0 || from !== to || pixels.length > 4 * knots[from]!.radius),
  };
}

function middleOf(knots: readonly Knot[]): Knot {
  const [x, y] = [
    knots.reduce((sum, knot) => sum + knot.x, 0) / knots.length,
    knots.reduce((sum, knot) => sum + knot.y, 0) / knots.length,
  ];
  const reach = Math.max(...knots.map((knot) => Math.hypot(knot.x - x, knot.y - y)));
  return { x, y, radius: Math.max(...knots.map(({ radius }) => radius)) + reach / 2 };
}

type Direction = readonly [x: number, y: number];

/** Where a branch leaves its knot to, beyond the ink of the knot itself. */
function directionOf({ pixels }: Branch, atEnd: boolean, knot: Knot, across: number): Direction {
  const placeOf = (index: number): Direction => {
    const pixel = pixels[atEnd ? pixels.length - 1 - index : index]!;
    return [(pixel % across) - 0.5, Math.floor(pixel / across) - 0.5];
  };
  const last = pixels.length - 1;
  const near = Math.min(Math.round(knot.radius), last);
  const far = Math.min(near + DIRECTION_PX, last);
  const [x0, y0] = far - near >= 3 ? placeOf(near) : [knot.x, knot.y];
  const [x1, y1] = placeOf(far);
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  return [(x1 - x0) / length, (y1 - y0) / length];
}

/** The pairs of directions that are most nearly opposite, each direction in one at most. */
function pairsOf(directions: readonly Direction[]): [number, number][] {
  const pairs: { one: number; other: number; cosine: number }[] = [];
  for (const [one, [ax, ay]] of directions.entries())
    for (let other = 0; other < one; other++) {
      const [bx, by] = directions[other]!;
      const cosine = ax * bx + ay * by;
      if (cosine < STRAIGHT_COSINE || directions.length === 2) pairs.push({ one, other, cosine });
    }
  const free = directions.map(() => true);
  const chosen: [number, number][] = [];
  for (const { one, other } of pairs.sort((a, b) => a.cosine - b.cosine)) {
    if (!free[one] || !free[other]) continue;
    free[one] = free[other] = false;
    chosen.push([one, other]);
  }
  return chosen;
}
