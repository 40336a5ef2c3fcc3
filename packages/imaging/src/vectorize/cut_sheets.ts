import {
  area,
  booleanOpWithPolyTree,
  ClipType,
  difference,
  EndType,
  FillRule,
  inflatePaths,
  isPositive,
  JoinType,
  type Path64,
  type Point64,
  PointInPolygonResult,
  type PolyPath64,
  PolyTree64,
  pointInPolygon,
  simplifyPaths,
  union,
} from 'clipper2-ts';
import RBush from 'rbush';
import { EngineError } from '../errors/engine_error.ts';
import { straightCurve, straighten } from './curve.ts';
import type { Curve } from './fit_curve.ts';
import { ISLANDS_MAX } from './limits.ts';
import { lengthMm, type Physical, roundMm, type Sheet, type SheetSize } from './sheet_size.ts';

/** A tool path through closed outlines: each starts and ends at its entry point. */
export interface CutPath {
  readonly outlines: readonly Curve[];
  /** From the origin to the first outline and from each to the next, in the unit of the outlines. */
  readonly travel: number;
}

interface BBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The part of rbush in use. Its own types are in another package, which users of this package may lack. */
interface Entries {
  search(box: BBox): Entry[];
  toJSON(): unknown;
}

/** An entry point of a line. */
export interface Entry extends BBox {
  readonly outline: number;
  /** Piece of the outline that is cut first when it is entered here. */
  readonly piece: number;
}

/** Places where an outline may be entered. */
const ENTRIES_MAX = 8;

/**
 * Orders outlines for cutting: inner outlines before outer ones, because a released part may move; among the
 * candidates, the nearest first (Rosenkrantz and others, "An analysis of several heuristics", 1977). Nesting is decided
 * by bounding boxes, which may delay an outline without need, but never release it too early.
 */
export function orderCuts(outlines: readonly Curve[], from: readonly [x: number, y: number]): CutPath {
  const nest = nestingOf(outlines);
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

/** Length of the travel between outlines in the given order, each entered at its start. */
export function travelThrough(outlines: readonly Curve[], from: readonly [x: number, y: number]): number {
  let travel = 0;
  let [x, y] = from;
  for (const outline of outlines) {
    travel += Math.hypot(outline[0]! - x, outline[1]! - y);
    [x, y] = [outline[0]!, outline[1]!];
  }
  return travel;
}

function nestingOf(outlines: readonly Curve[]) {
  const boxes = outlines.map((outline, index) => ({ ...boxOf(outline), index }));
  const tree = new RBush<BBox & { readonly index: number }>().load(boxes);
  /**
   * Finds the outlines whose bounding box contains that of another. Of two equal boxes, the later contains the earlier.
   */
  const around = (index: number): number[] => {
    const box = boxes[index]!;
    return tree
      .search({ minX: box.minX, maxX: box.minX, minY: box.minY, maxY: box.minY })
      .filter((other) => containsBox(other, box) && (other.index > index || !containsBox(box, other)))
      .map((other) => other.index);
  };
  const inside = new Int32Array(outlines.length);
  for (const index of outlines.keys())
    for (const other of around(index)) if (other !== index) inside[other]!++;
  return { inside, around: (index: number) => around(index).filter((other) => other !== index) };
}

const containsBox = (one: BBox, other: BBox): boolean =>
  one.minX <= other.minX && one.minY <= other.minY && one.maxX >= other.maxX && one.maxY >= other.maxY;

/** Bounding box of the segment ends of an outline. */
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

/** Up to eight candidate entry points of a closed outline. */
export function entriesOf(outline: Curve, index: number): Entry[] {
  const pieces = (outline.length - 2) / 6;
  const count = Math.min(ENTRIES_MAX, pieces);
  return Array.from({ length: count }, (_, entry) => {
    const piece = Math.floor((entry * pieces) / count);
    const [x, y] = [outline[6 * piece]!, outline[6 * piece + 1]!];
    return { minX: x, minY: y, maxX: x, maxY: y, outline: index, piece };
  });
}

/** Finds the nearest entry point. `reach` is an estimate of its distance. */
export function nearest(ready: Entries, x: number, y: number, reach: number): Entry {
  const all = boundsOf(ready);
  for (let side = Math.max(reach, (all.maxX - all.minX + all.maxY - all.minY) / 1000, 1e-6); ; side *= 2) {
    const box = { minX: x - side, minY: y - side, maxX: x + side, maxY: y + side };
    const near = ready.search(box);
    const distances = near.map((entry) => Math.hypot(entry.minX - x, entry.minY - y));
    const least = distances.reduce((one, other) => Math.min(one, other), Infinity);
    // The corners of the search box are farther away than its sides: a nearer point may lie outside.
    if (least <= side || containsBox(box, all)) return near[distances.indexOf(least)]!;
  }
}

/** The box of everything in the tree. */
const boundsOf = (tree: Entries): BBox => tree.toJSON() as BBox;

/** A closed outline restarted at another segment. */
export function startAt(outline: Curve, piece: number): Curve {
  if (piece === 0) return outline;
  const at = 6 * piece;
  return [...outline.slice(at), ...outline.slice(2, at + 2)];
}

interface Offset {
  /** In millimetres, of straight pieces. */
  readonly outlines: readonly Curve[];
  readonly parts: number;
  /** Parts so narrow that the tool, run along their middle, would take all of them away. */
  readonly narrowParts: number;
  /** Holes too narrow to be cut. */
  readonly lostHoles: number;
  /** Parts that have become one with another: less than the kerf was between them. */
  readonly joinedParts: number;
}

const MITER_LIMIT = 2;
/** Area in square pixels up to which an intersection of two touching curves is ignored. */
const OFFSET_KERF_SLIVER_PX = 0.25;

/**
 * Compensates the kerf: offsets the closed outlines of parts (in millimetres) outwards by half the kerf and their holes
 * inwards, so that the cut parts have the drawn size. Offset corners are rounded, because a round tool leaves them
 * sharp. For a stencil, the surrounding sheet is the part, so that the offsets are reversed.
 */
export function offsetKerf(
  outlines: readonly Curve[],
  kerfMm: number,
  { steps, toleranceMm, pixelMm }: SheetSize,
  isStencil = false,
): Offset {
  // Flattening, arcs and simplification share this tolerance.
  const share = (toleranceMm / 3) * steps;
  const distance = (kerfMm / 2) * steps;
  const move = (paths: Path64[], by: number): Path64[] =>
    inflatePaths(paths, by, JoinType.Round, EndType.Polygon, MITER_LIMIT, share);
  const sliver = OFFSET_KERF_SLIVER_PX * (pixelMm * steps) ** 2;
  const parts = union(
    outlines.map((outline) => pathOf(outline, steps, toleranceMm / 3)),
    [],
    FillRule.NonZero,
  ).filter((path) => Math.abs(area(path)) >= sliver);
  const vanishes = (path: Path64): boolean =>
    move([isPositive(path) ? path : path.toReversed()], -distance).length === 0;
  const cut = simplifyPaths(move(parts, isStencil ? -distance : distance), share);
  const [before, after] = [parts.filter(isPositive), cut.filter(isPositive)];
  const lostHoles = isStencil ? [] : parts.filter((path) => !isPositive(path) && vanishes(path));
  return {
    outlines: cut.map((path) => curveOf(path, steps)),
    parts: before.length,
    narrowParts: before.filter(vanishes).length,
    lostHoles: lostHoles.length,
    joinedParts: isStencil ? 0 : Math.max(0, before.length - after.length),
  };
}

/** A closed outline as straight pieces in whole steps, which Clipper counts in. */
function pathOf(outline: Curve, steps: number, tolerance: number): Path64 {
  const points = straighten(outline, tolerance);
  const path: Path64 = [];
  for (let at = 0; at + 2 < points.length; at += 2)
    path.push({ x: Math.round(points[at]! * steps), y: Math.round(points[at + 1]! * steps) });
  return path;
}

/** The same back again, in millimetres. */
const curveOf = (path: Path64, steps: number): Curve =>
  straightCurve([...path, path[0]!].flatMap(({ x, y }) => [x / steps, y / steps]));

interface Stencil {
  /** Openings with bridges: closed polylines in millimetres. */
  readonly outlines: readonly Curve[];
  /** Number of islands that would fall out, and of bridges that hold them. */
  readonly islands: number;
  readonly bridges: number;
}

/** Length of an island, in bridge widths, from which it gets a second bridge on its other side. */
const LARGE = 8;
/** Points of outlines between which bridges are looked for, in a bridge's width. */
const POINTS_A_WIDTH = 4;
/** Area in square pixels up to which an intersection of two touching curves is ignored. */
const SLIVER_PX = 0.25;

/**
 * Connects every island in the openings of a stencil to the sheet, directly or through other islands, with shortest
 * bridges: a minimum spanning tree (O. Boruvka, 1926). A large island gets a second bridge on its other side.
 * @throws EngineError unsuitable_image if there are too many islands
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
  `The stencil would have ${islands} islands that need bridges; at most ${ISLANDS_MAX} are supported. Raise filter_speckle, lower color_precision, or send a smoother image.`;

/** An opening of the sheet, and the islands in it. */
interface Opening {
  readonly outer: Path64;
  readonly holes: readonly Path64[];
}

/** Openings at any depth: an opening inside an island is handled separately. */
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
    const clear = found.slice(0, TRIES).find((bridge) => !crossesHole(hole, bridge));
    return clear ? [clear] : [];
  });
  return [...bridges, ...second];
}

/**
 * Finds bridges that connect all rings: each connected group adds its shortest bridge until all are connected to the
 * edge of the opening.
 */
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
      // Both may already be in one group after joins of this round: two islands that chose each other need only one bridge.
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

/** Candidates for the second bridge of an island: some cross the island itself. */
const TRIES = 40;

/** Points of an island opposite to its bridge. */
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

function crossesHole(hole: Path64, { from, to }: Bridge): boolean {
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

/** The points of a closed path, with intermediate points at most `gap` apart. */
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

/**
 * Returns a bridge as a strip that extends by half its width into both sides, so that it also connects to curved edges.
 */
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

const ORIGIN = [0, 0] as const;

export interface CutMeasures {
  readonly kerfMm: number;
  /** Maximum deviation of straight segments from the curves they replace; 0 if curves are kept. */
  readonly toleranceMm: number;
  readonly cutMm: number;
  /** Travel between outlines, in the order found and in the order written. */
  readonly travelFoundMm: number;
  readonly travelMm: number;
}

/**
 * Sheets of closed outlines with room for the tool, in the order of cutting.
 * @throws EngineError unsuitable_image where the kerf would take everything away
 */
export function cutSheets(
  outlined: readonly Sheet[],
  size: SheetSize,
  { kerfMm, bridgeMm, format }: Physical,
) {
  const stencils =
    bridgeMm > 0 ? outlined.map(({ outlines }) => bridgeIslands(outlines, bridgeMm, size)) : [];
  const drawn = outlined.map((sheet, index) => ({
    ...sheet,
    outlines: stencils[index]?.outlines ?? sheet.outlines,
  }));
  const moved =
    kerfMm > 0 ? drawn.map(({ outlines }) => offsetKerf(outlines, kerfMm, size, bridgeMm > 0)) : [];
  refuseWideKerf(moved, kerfMm);
  const found = drawn.map((sheet, index) => ({
    ...sheet,
    ...(moved[index] && { outlines: moved[index].outlines }),
  }));
  let [travelFoundMm, travelMm] = [0, 0];
  const sheets = found.map(({ outlines, ...sheet }) => {
    // Each layer is a separate sheet, which the tool starts at the origin.
    travelFoundMm += travelThrough(outlines, ORIGIN);
    const path = orderCuts(outlines, ORIGIN);
    travelMm += path.travel;
    return { ...sheet, outlines: path.outlines };
  });
  const cut: CutMeasures = {
    kerfMm,
    toleranceMm: kerfMm > 0 || bridgeMm > 0 || format === 'dxf' ? size.toleranceMm : 0,
    cutMm: roundMm(
      sheets.flatMap(({ outlines }) => outlines).reduce((sum, outline) => sum + lengthMm(outline, size), 0),
    ),
    travelFoundMm: roundMm(travelFoundMm),
    travelMm: roundMm(travelMm),
  };
  const bridges = {
    islands: stencils.reduce((sum, { islands }) => sum + islands, 0),
    bridges: stencils.reduce((sum, own) => sum + own.bridges, 0),
  };
  return { sheets, cut, ...(bridgeMm > 0 && { bridges }), notes: kerfNotes(moved, kerfMm) };
}

function refuseWideKerf(moved: readonly Offset[], kerfMm: number): void {
  if (moved.length === 0 || moved.some(({ parts, narrowParts }) => narrowParts < parts)) return;
  throw new EngineError(
    'unsuitable_image',
    `Every part of the drawing is narrower than the kerf of ${kerfMm} mm, so nothing would remain. Send a larger width_mm, or lower kerf_mm to the actual kerf of the tool.`,
  );
}

function kerfNotes(moved: readonly Offset[], kerfMm: number): string[] {
  const sum = (of: (offset: Offset) => number): number => moved.reduce((all, offset) => all + of(offset), 0);
  const counted = (count: number, noun: string, [one, many]: readonly [string, string]): string[] =>
    count === 0 ? [] : [count === 1 ? `1 ${noun} ${one}` : `${count} ${noun}s ${many}`];
  const told = [
    ...counted(
      sum(({ narrowParts }) => narrowParts),
      'part',
      ['is narrower', 'are narrower'],
    ),
    ...counted(
      sum(({ lostHoles }) => lostHoles),
      'hole',
      ['is narrower and was omitted', 'are narrower and were omitted'],
    ),
    ...counted(
      sum(({ joinedParts }) => joinedParts),
      'part',
      [
        'is closer to another part and was merged with it',
        'are closer to another part and were merged with it',
      ],
    ),
  ];
  return told.length === 0 ? [] : [`The kerf is ${kerfMm} mm: ${told.join('; ')}.`];
}
