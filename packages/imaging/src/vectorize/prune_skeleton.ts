import { chainBranches } from './chain_branches.ts';
import type { Branch, Knot, SkeletonGraph } from './skeleton_graph.ts';

const ROUNDS = 6;
/** A branch that reaches out of the ink round its knot less far than this, in pixels or radii of that ink, stands for a bump or a corner. */
const BUMP_PX = 1.5;
const BUMP_SHARE = 0.6;

/** Middle lines without the branches that stand for bumps and corners of the ink's edge, what is left of a knot of two joined. */
export function pruneSkeleton({ knots, branches }: SkeletonGraph): SkeletonGraph {
  let left = branches;
  for (let round = 0; round < ROUNDS; round++) {
    const kept = dropBumps(knots, left);
    const joined = joinPairs(knots, kept);
    if (joined.length === left.length) return { knots, branches: joined };
    left = joined;
  }
  return { knots, branches: left };
}

/** The ends of branches at each knot: 2n is the start of branch n, 2n + 1 its end. */
export function endsAt(knots: readonly Knot[], branches: readonly Branch[]): number[][] {
  const ends: number[][] = knots.map(() => []);
  for (const [branch, { from, to }] of branches.entries()) {
    if (from >= 0) ends[from]!.push(2 * branch);
    if (to >= 0) ends[to]!.push(2 * branch + 1);
  }
  return ends;
}

/** Partners for `chainBranches` before any end is joined, but for branches that go round without a knot. */
export function freePartners(branches: readonly Branch[]): Int32Array {
  return Int32Array.from({ length: 2 * branches.length }, (_, end) =>
    branches[end >> 1]!.from < 0 ? end ^ 1 : -1,
  );
}

function dropBumps(knots: readonly Knot[], branches: readonly Branch[]): Branch[] {
  const ends = endsAt(knots, branches);
  const dropped = new Set<number>();
  for (const [place, own] of ends.entries()) {
    if (own.length < 3) continue;
    const knot = knots[place]!;
    const bumps = own
      .map((end) => ({ branch: end >> 1, out: reachOf(knot, tipOf(knots, branches, ends, end)) }))
      .filter(({ out }) => out < Math.max(BUMP_PX, BUMP_SHARE * knot.radius))
      .sort((one, other) => one.out - other.out);
    // Of a spot that is all bumps, the two longest are left: its length.
    const most = bumps.length === own.length ? own.length - 2 : bumps.length;
    for (const { branch } of bumps.slice(0, most)) dropped.add(branch);
  }
  return branches.filter((_, branch) => !dropped.has(branch));
}

/** The knot at the other end of a branch, where that ends in nothing. */
function tipOf(
  knots: readonly Knot[],
  branches: readonly Branch[],
  ends: readonly (readonly number[])[],
  end: number,
): Knot | undefined {
  const { from, to } = branches[end >> 1]!;
  const other = end & 1 ? from : to;
  return ends[other]!.length === 1 ? knots[other] : undefined;
}

const reachOf = (knot: Knot, tip: Knot | undefined): number =>
  tip === undefined ? Infinity : Math.hypot(tip.x - knot.x, tip.y - knot.y) + tip.radius - knot.radius;

/** Branches that meet in a knot of two become one. */
function joinPairs(knots: readonly Knot[], branches: readonly Branch[]): Branch[] {
  const partners = freePartners(branches);
  for (const own of endsAt(knots, branches)) {
    if (own.length !== 2) continue;
    partners[own[0]!] = own[1]!;
    partners[own[1]!] = own[0]!;
  }
  return chainBranches(branches.length, partners).map(({ links, isClosed }) => {
    const [first, last] = [links[0]!, links.at(-1)!];
    return {
      from: isClosed ? -1 : endOf(branches[first.branch]!, first.backwards),
      to: isClosed ? -1 : endOf(branches[last.branch]!, !last.backwards),
      pixels: links.flatMap(({ branch, backwards }) => {
        const { pixels } = branches[branch]!;
        return backwards ? pixels.toReversed() : pixels;
      }),
    };
  });
}

const endOf = ({ from, to }: Branch, isEnd: boolean): number => (isEnd ? to : from);
