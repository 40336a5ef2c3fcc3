import {
  area,
  booleanOpWithPolyTree,
  ClipType,
  difference,
  FillRule,
  type Path64,
  type Point64,
  PointInPolygonResult,
  type PolyPath64,
  PolyTree64,
  pointInPolygon,
} from 'clipper2-ts';
import RBush from 'rbush';
import { EngineError } from '../errors/engine_error.ts';
import type { Curve } from './fit_curve.ts';
import { ISLANDS_MAX } from './limits.ts';
import { curveOf, pathOf } from './offset_kerf.ts';
import type { SheetSize } from './sheet_size.ts';

export interface Stencil {
  /** The openings with bridges left in them: closed, in millimetres, of straight pieces. */
  readonly outlines: readonly Curve[];
  /** Parts of the sheet that would have fallen out, and the bridges that hold them. */
  readonly islands: number;
  readonly bridges: number;
}

/** An island so many times as long as a bridge is wide gets a second one, on its other side. */
const LARGE = 8;
/** Points of outlines between which bridges are looked for, in a bridge's width. */
const POINTS_A_WIDTH = 4;
/** Square pixels of what is only a crossing of two curves that touch. */
const SLIVER_PX = 0.25;

/**
 * Joins every island in the openings of a stencil to the sheet or to an island that is joined, by bridges over the shortest ways:
 * the least spanning tree (O. Boruvka, 1926). A large island gets a second bridge on its other side.
 * @throws EngineError unsuitable_image where there are too many islands
 */
export function bridgeIslands(outlines: readonly Curve[], bridgeMm: number, size: SheetSize): Stencil {
  const { steps, toleranceMm, pixelMm } = size;
  const width = bridgeMm * steps;
  const tree = new PolyTree64();
  const drawn = outlines.map((outline) => pathOf(outline, steps, toleranceMm));
  booleanOpWithPolyTree(ClipType.Union, drawn, null, tree, FillRule.NonZero);
  const sliver = SLIVER_PX * (pixelMm * steps) ** 2;
  const openings = openingsIn(tree, sliver);
  const islands = openings.reduce((sum, { holes }) => sum + holes.length, 0);
  if (islands > ISLANDS_MAX) throw new EngineError('unsuitable_image', tooMany(islands));
  const bridges = openings.flatMap((opening) => bridgesOf(opening, width));
  const paths = openings.flatMap(({ outer, holes }) => [outer, ...holes]);
  const left = difference(
    paths,
    bridges.map((bridge) => stripOf(bridge, width)),
    FillRule.NonZero,
  ).filter((path) => Math.abs(area(path)) >= sliver);
  return { outlines: left.map((path) => curveOf(path, steps)), islands, bridges: bridges.length };
}

const tooMany = (islands: number): string =>
  `The stencil would have ${islands} islands to be held by bridges; at most ${ISLANDS_MAX} are. Raise filter_speckle, lower color_precision, or send a smoother picture.`;

/** An opening of the sheet, and the islands in it. */
interface Opening {
  readonly outer: Path64;
  readonly holes: readonly Path64[];
}

/** Openings wherever they lie: what lies in an island is an opening of its own. */
function openingsIn(tree: PolyPath64, sliver: number): Opening[] {
  const openings: Opening[] = [];
  const waiting: PolyPath64[] = [...childrenOf(tree)];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const holes = childrenOf(part);
    for (const hole of holes) waiting.push(...childrenOf(hole));
    const kept = holes.map(({ poly }) => poly!).filter((path) => Math.abs(area(path)) >= sliver);
    if (Math.abs(area(part.poly!)) >= sliver) openings.push({ outer: part.poly!, holes: kept });
  }
  return openings;
}

const childrenOf = (part: PolyPath64): PolyPath64[] =>
  Array.from({ length: part.count }, (_, index) => part.child(index));

interface Bridge {
  readonly from: Point64;
  readonly to: Point64;
  /** The rings it joins, as in `Spot`. */
  readonly fromRing: number;
  readonly toRing: number;
  readonly distance: number;
}

interface Spot {
  readonly point: Point64;
  /** 0 for the edge of the opening, from 1 on its islands. */
  readonly ring: number;
}

class SpotTree extends RBush<Spot> {
  override toBBox({ point: { x, y } }: Spot) {
    return { minX: x, minY: y, maxX: x, maxY: y };
  }
  override compareMinX = (one: Spot, other: Spot): number => one.point.x - other.point.x;
  override compareMinY = (one: Spot, other: Spot): number => one.point.y - other.point.y;
}

function bridgesOf({ outer, holes }: Opening, width: number): Bridge[] {
  const rings = [outer, ...holes].map((path) => densify(path, width / POINTS_A_WIDTH));
  const tree = new SpotTree().load(rings.flatMap((points, ring) => points.map((point) => ({ point, ring }))));
  const reach = longestSide(outer);
  const bridges = spanRings(rings, tree, reach);
  const second = holes.flatMap((hole, index) => {
    const ring = index + 1;
    const first = bridges.find(({ fromRing, toRing }) => fromRing === ring || toRing === ring);
    if (!first || longestSide(hole) < LARGE * width) return [];
    const held = first.fromRing === ring ? first.from : first.to;
    const away = pointsAway(rings[ring]!, held).map((point) => ({ point, ring }));
    const found = away.flatMap((from) => nearestSpot(tree, from, reach, (other) => other !== ring) ?? []);
    found.sort((one, other) => one.distance - other.distance);
    const clear = found.slice(0, TRIES).find((bridge) => !leadsThrough(hole, bridge));
    return clear ? [clear] : [];
  });
  return [...bridges, ...second];
}

/** Bridges that join all rings, each group of joined ones by its shortest, until all are joined to the edge of the opening. */
function spanRings(rings: readonly Point64[][], tree: SpotTree, reach: number): Bridge[] {
  const groups = rings.map((_, ring) => ring);
  const bridges: Bridge[] = [];
  while (groups.some((group) => group !== groups[0])) {
    const best = new Map<number, Bridge>();
    for (const [ring, points] of rings.entries()) {
      const group = groups[ring]!;
      if (group === groups[0]) continue;
      for (const point of points) {
        const most = best.get(group)?.distance ?? reach;
        const found = nearestSpot(tree, { point, ring }, most, (other) => groups[other] !== group);
        if (found) best.set(group, found);
      }
    }
    if (best.size === 0) break;
    for (const bridge of best.values()) {
      // Joins of this round may have brought both into one group already: two islands that chose each other need one bridge.
      const [one, other] = [groups[bridge.fromRing]!, groups[bridge.toRing]!];
      if (one === other) continue;
      bridges.push(bridge);
      const [kept, gone] = one === groups[0] ? [one, other] : [other, one];
      for (const [ring, own] of groups.entries()) if (own === gone) groups[ring] = kept;
    }
  }
  return bridges;
}

/** The nearest point of another ring, less far than `most`. */
function nearestSpot(
  tree: SpotTree,
  { point: from, ring: fromRing }: Spot,
  most: number,
  isOther: (ring: number) => boolean,
): Bridge | undefined {
  for (let side = Math.max(1, most / 64); ; side *= 4) {
    const reach = Math.min(side, most);
    let best: Bridge | undefined;
    const box = { minX: from.x - reach, minY: from.y - reach, maxX: from.x + reach, maxY: from.y + reach };
    for (const { point, ring } of tree.search(box)) {
      if (!isOther(ring)) continue;
      const distance = Math.hypot(point.x - from.x, point.y - from.y);
      if (distance < (best?.distance ?? reach)) best = { from, to: point, fromRing, toRing: ring, distance };
    }
    if (best || side >= most) return best;
  }
}

/** How many ways on the other side of an island are tried: some lead through the island itself. */
const TRIES = 40;

/** The points of an island on the other side of the one where it is held. */
function pointsAway(points: readonly Point64[], held: Point64): Point64[] {
  const [x, y] = [meanOf(points, 'x'), meanOf(points, 'y')];
  return points.filter((point) => {
    const dot = (point.x - x) * (held.x - x) + (point.y - y) * (held.y - y);
    return dot < AWAY_COSINE * Math.hypot(point.x - x, point.y - y) * Math.hypot(held.x - x, held.y - y);
  });
}

const AWAY_COSINE = -0.3;

const meanOf = (points: readonly Point64[], axis: 'x' | 'y'): number =>
  points.reduce((sum, point) => sum + point[axis], 0) / points.length;

function leadsThrough(hole: Path64, { from, to }: Bridge): boolean {
  return [0.1, 0.3, 0.5, 0.7, 0.9].some((share) => {
    const at = {
      x: Math.round(from.x + share * (to.x - from.x)),
      y: Math.round(from.y + share * (to.y - from.y)),
    };
    return pointInPolygon(at, hole) === PointInPolygonResult.IsInside;
  });
}

function longestSide(path: Path64): number {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of path) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return Math.max(right - left, bottom - top);
}

/** The points of a closed path, with others between them, no farther apart than `gap`. */
function densify(path: Path64, gap: number): Point64[] {
  return path.flatMap((point, index) => {
    const next = path[(index + 1) % path.length]!;
    const count = Math.max(1, Math.ceil(Math.hypot(next.x - point.x, next.y - point.y) / gap));
    return Array.from({ length: count }, (_, step) => ({
      x: Math.round(point.x + (step / count) * (next.x - point.x)),
      y: Math.round(point.y + (step / count) * (next.y - point.y)),
    }));
  });
}

/** A bridge as a strip that reaches half its width into what it joins, so that it holds on to round edges as well. */
function stripOf({ from, to }: Bridge, width: number): Path64 {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = length > 0 ? [(to.x - from.x) / length, (to.y - from.y) / length] : [1, 0];
  const half = width / 2;
  return [
    [from, -half, half],
    [from, -half, -half],
    [to, half, -half],
    [to, half, half],
  ].map((corner) => {
    const [at, along, aside] = corner as [Point64, number, number];
    return { x: Math.round(at.x + along * dx - aside * dy), y: Math.round(at.y + along * dy + aside * dx) };
  });
}
