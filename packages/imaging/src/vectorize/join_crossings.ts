import type { Branch, GraphNode, SkeletonGraph } from './skeleton_graph.ts';

const ROUNDS = 6;
/**
 * A branch that extends beyond the ink around its node by less than this (pixels, or radii of that ink) is a bump or a
 * corner.
 */
const BUMP_PX = 1.5;
const BUMP_SHARE = 0.6;

/** Centre lines without branches caused by bumps and corners of the ink edge; remaining pairs at a node are joined. */
export function pruneSkeleton({ nodes, branches }: SkeletonGraph): SkeletonGraph {
  let left = branches;
  for (let round = 0; round < ROUNDS; round++) {
    const kept = removeBumps(nodes, left);
    const joined = joinPairs(nodes, kept);
    if (joined.length === left.length) return { nodes, branches: joined };
    left = joined;
  }
  return { nodes, branches: left };
}

/** Branch ends at each node: 2n is the start of branch n, 2n + 1 its end. */
export function endsAt(nodes: readonly GraphNode[], branches: readonly Branch[]): number[][] {
  const ends: number[][] = nodes.map(() => []);
  for (const [branch, { from, to }] of branches.entries()) {
    if (from >= 0) ends[from]!.push(2 * branch);
    if (to >= 0) ends[to]!.push(2 * branch + 1);
  }
  return ends;
}

/** Initial partners for `chainBranches`: no joins, except for loops without nodes. */
function freePartners(branches: readonly Branch[]): Int32Array {
  return Int32Array.from({ length: 2 * branches.length }, (_, end) =>
    branches[end >> 1]!.from < 0 ? end ^ 1 : -1,
  );
}

function removeBumps(nodes: readonly GraphNode[], branches: readonly Branch[]): Branch[] {
  const ends = endsAt(nodes, branches);
  const dropped = new Set<number>();
  for (const [place, own] of ends.entries()) {
    if (own.length < 3) continue;
    const node = nodes[place]!;
    const bumps = own
      .map((end) => ({ branch: end >> 1, out: reachOf(node, tipOf(nodes, branches, ends, end)) }))
      .filter(({ out }) => out < Math.max(BUMP_PX, BUMP_SHARE * node.radius))
      .sort((one, other) => one.out - other.out);
    // A spot with only short branches keeps the two longest: its length.
    const most = bumps.length === own.length ? own.length - 2 : bumps.length;
    for (const { branch } of bumps.slice(0, most)) dropped.add(branch);
  }
  return branches.filter((_, branch) => !dropped.has(branch));
}

/** Node at the other end of a branch with a free end. */
function tipOf(
  nodes: readonly GraphNode[],
  branches: readonly Branch[],
  ends: readonly (readonly number[])[],
  end: number,
): GraphNode | undefined {
  const { from, to } = branches[end >> 1]!;
  const other = end & 1 ? from : to;
  return ends[other]!.length === 1 ? nodes[other] : undefined;
}

const reachOf = (node: GraphNode, tip: GraphNode | undefined): number =>
  tip === undefined ? Infinity : Math.hypot(tip.x - node.x, tip.y - node.y) + tip.radius - node.radius;

/** Joins the two branches at a node of degree two. */
function joinPairs(nodes: readonly GraphNode[], branches: readonly Branch[]): Branch[] {
  const partners = freePartners(branches);
  for (const own of endsAt(nodes, branches)) {
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

/** Centre lines, continued through crossings as strokes. */
export interface JoinedStrokes extends SkeletonGraph {
  readonly chains: readonly Chain[];
  /** Branch end that each end continues at, or -1. */
  readonly partners: Int32Array;
  /** Branch ends at each node. */
  readonly degrees: readonly number[];
}

/** Maximum turn of a stroke at a crossing, and number of pixels that determine its direction. */
const STRAIGHT_COSINE = -Math.cos((50 * Math.PI) / 180);
const DIRECTION_PX = 6;
/** Maximum branches at a crossing and nodes per crossing: more are a net, not crossing strokes. */
const MEETING_MAX = 32;
const MERGED_MAX = 4;

/**
 * Joins branches through crossings: two nodes in one blot of ink are one crossing, and the branches that turn least are
 * continued into each other.
 */
export function joinCrossings(graph: SkeletonGraph, across: number): JoinedStrokes {
  const { nodes, branches } = mergeNodes(graph);
  const partners = freePartners(branches);
  const ends = endsAt(nodes, branches);
  for (const [place, own] of ends.entries()) {
    if (own.length < 2 || own.length > MEETING_MAX) continue;
    const directions = own.map((end) =>
      directionOf(branches[end >> 1]!, (end & 1) === 1, nodes[place]!, across),
    );
    for (const [one, other] of pairsOf(directions)) {
      partners[own[one]!] = own[other]!;
      partners[own[other]!] = own[one]!;
    }
  }
  return {
    nodes,
    branches,
    chains: chainBranches(branches.length, partners),
    partners,
    degrees: ends.map(({ length }) => length),
  };
}

/** Merges nodes of three or more ends that are connected by a branch no longer than the width of its ink. */
function mergeNodes({ nodes, branches }: SkeletonGraph): SkeletonGraph {
  const degrees = endsAt(nodes, branches).map(({ length }) => length);
  const heirs = nodes.map((_, place) => place);
  const sizes = nodes.map(() => 1);
  const heirOf = (place: number): number => {
    let heir = place;
    while (heirs[heir] !== heir) heir = heirs[heir]!;
    return heir;
  };
  const left = branches.filter(({ from, to }) => {
    if (from < 0 || from === to || degrees[from]! < 3 || degrees[to]! < 3) return true;
    const [one, other] = [nodes[from]!, nodes[to]!];
    if (Math.hypot(one.x - other.x, one.y - other.y) > Math.max(one.radius, other.radius) + 1) return true;
    const [kept, gone] = [heirOf(from), heirOf(to)];
    if (kept === gone) return false;
    if (sizes[kept]! + sizes[gone]! > MERGED_MAX) return true;
    heirs[gone] = kept;
    sizes[kept]! += sizes[gone]!;
    return false;
  });
  const members = new Map<number, GraphNode[]>();
  for (const [place, node] of nodes.entries()) {
    const heir = heirOf(place);
    members.set(heir, [...(members.get(heir) ?? []), node]);
  }
  return {
    nodes: nodes.map((node, place) => meanNode(members.get(place) ?? [node])),
    branches: left
      .map(({ from, to, pixels }) => ({
        from: from < 0 ? from : heirOf(from),
        to: to < 0 ? to : heirOf(to),
        pixels,
      }))
      // A branch from a blot to itself is an eye in it, if it is longer than the blot.
      .filter(({ from, to, pixels }) => from < 0 || from !== to || pixels.length > 4 * nodes[from]!.radius),
  };
}

function meanNode(nodes: readonly GraphNode[]): GraphNode {
  const [x, y] = [
    nodes.reduce((sum, node) => sum + node.x, 0) / nodes.length,
    nodes.reduce((sum, node) => sum + node.y, 0) / nodes.length,
  ];
  const reach = Math.max(...nodes.map((node) => Math.hypot(node.x - x, node.y - y)));
  return { x, y, radius: Math.max(...nodes.map(({ radius }) => radius)) + reach / 2 };
}

type Direction = readonly [x: number, y: number];

/** Direction in which a branch leaves its node, measured beyond the ink of the node. */
function directionOf({ pixels }: Branch, atEnd: boolean, node: GraphNode, across: number): Direction {
  const placeOf = (index: number): Direction => {
    const pixel = pixels[atEnd ? pixels.length - 1 - index : index]!;
    return [(pixel % across) - 0.5, Math.floor(pixel / across) - 0.5];
  };
  const last = pixels.length - 1;
  const near = Math.min(Math.round(node.radius), last);
  const far = Math.min(near + DIRECTION_PX, last);
  const [x0, y0] = far - near >= 3 ? placeOf(near) : [node.x, node.y];
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

/** A branch as a chain runs along it. */
export interface Link {
  readonly branch: number;
  readonly backwards: boolean;
}

/** Concatenates branches; a closed chain ends at its start. */
export interface Chain {
  readonly links: readonly Link[];
  readonly isClosed: boolean;
}

/**
 * Chains `count` branches whose ends are joined in pairs: end 2n is the start of branch n, 2n + 1 its end. `partners`
 * is the end that each end continues at, or -1.
 */
function chainBranches(count: number, partners: Int32Array): Chain[] {
  const taken = new Uint8Array(count);
  const chains: Chain[] = [];
  const walk = (first: number): void => {
    const links: Link[] = [];
    let entry = first;
    do {
      taken[entry >> 1] = 1;
      links.push({ branch: entry >> 1, backwards: (entry & 1) === 1 });
      entry = partners[entry ^ 1]!;
    } while (entry >= 0 && taken[entry >> 1] === 0);
    chains.push({ links, isClosed: entry === first });
  };
  for (let end = 0; end < 2 * count; end++) if (partners[end]! < 0 && taken[end >> 1] === 0) walk(end);
  for (let branch = 0; branch < count; branch++) if (taken[branch] === 0) walk(2 * branch);
  return chains;
}
