import { flattenCurve, reverseCurve, straightCurve } from '../curve.ts';
import type { Curve } from '../fit_curve.ts';
import { findLines, type Line, ringsOf } from '../outlines.ts';
import type { Partition } from '../partition.ts';
import { findRegions } from '../regions.ts';
import { type CornerPrecision, fitEdge } from './fit_edges.ts';
import { type FlatAreas, shareOf } from './flat_colors.ts';
import { mergeCorners } from './merge_corners.ts';
import {
  curveOfShape,
  measuresOf,
  recogniseShapes,
  type SimpleShape,
  snapShape,
  withMeasures,
} from './recognise_shape.ts';
import { coverageErrors, type FlatLines, refineLines, refineMeasures } from './refine_lines.ts';

/** How closely lines follow their pixels. Lengths in pixels, misses in shares of each pixel. */
export interface Precision {
  /**
   * Fitting tolerances of the initial curves, which are refined afterwards. If the result is inaccurate, the next one
   * is tried.
   */
  readonly tolerances: readonly number[];
  /** Maximum coverage error of a curve. */
  readonly missMax: number;
  /** Maximum deviation of a line from a candidate shape: absolute, and as share of the line's length. */
  readonly triedOff: number;
  readonly triedShare: number;
  readonly corners: CornerPrecision;
}

/** For edges antialiased by a renderer. Renderers round to sixteenths, which is a third of this error. */
export const EXACT: Precision = {
  tolerances: [0.25, 0.14],
  missMax: 0.05,
  triedOff: 0.4,
  triedShare: 1,
  corners: { sideOff: 0.13, turnMin: 24, pointsMin: 2 },
};
/** For edges with the noise of compression, which is smoothed. */
export const NOISY: Precision = {
  tolerances: [0.35],
  missMax: 0.15,
  triedOff: 1,
  triedShare: 0.008,
  corners: { sideOff: 0.2, turnMin: 35, pointsMin: 4 },
};
const ROUNDS = 2;
/** Regions of up to this many pixels that consist only of soft edges are not shapes. */
const SPECK_PIXELS_MAX = 3;

/** The lines between flat areas, as exactly as their soft edges tell. */
export function traceFlat(areas: FlatAreas, width: number, height: number, precision: Precision): FlatLines {
  const labels = areas.labels;
  let regions = findRegions(labels, width);
  if (reassignSpecks(areas, regions)) regions = findRegions(labels, width);
  const partition: Partition = { width, height, labels: regions.labels, count: regions.count };
  const lines = findLines(partition);
  const coreOf = new Int16Array(regions.count);
  for (let region = 0; region < regions.count; region++)
    coreOf[region] = labels[regions.pixels[regions.starts[region]!]!]!;
  const isFixed = Uint8Array.from(lines, (line) => (isHard(line, areas, width) ? 1 : 0));
  const points = lines.map((line, index) =>
    isFixed[index] === 1 ? [] : refineEdgePoints(line, areas, coreOf, width, height),
  );
  const curves = lines.map((line) => stepCurve(line, width));
  const simple = new Map<number, SimpleShape>();
  const flat = {
    width,
    height,
    lines,
    curves,
    rings: ringsOf(lines, regions.count),
    coreOf,
    isFixed,
    simple,
  };
  let open = [...lines.keys()].filter((line) => isFixed[line] === 0);
  for (const tolerance of precision.tolerances) {
    for (const line of open)
      curves[line] = fitEdge(points[line]!, lines[line]!.isLoop, tolerance, precision.corners);
    refineLines(flat, areas, ROUNDS);
    for (const line of open) curves[line] = mergeCorners(curves[line]!, lines[line]!.isLoop);
    refineLines(flat, areas, ROUNDS);
    takeSimpleShapes(flat, areas, open, precision);
    const misses = coverageErrors(flat, areas, new Set(open));
    open = open.filter((line) => misses.get(line)! > precision.missMax && !simple.has(line));
    if (open.length === 0) break;
  }
  for (const [index, curve] of curves.entries())
    if (isFixed[index] === 0 && !simple.has(index)) curves[index] = straightenSegments(curve);
  return flat;
}

/** Additional error allowed for a simple shape instead of a curve. */
const SIMPLE_GAIN = 1.25;

/** Number of closed lines above which an image is a page of text, for which simple shapes are not tried. */
const LOOPS_MAX = 300;

/** Makes circles, ellipses and rectangles of closed lines that are as near to their pixels as such. */
function takeSimpleShapes(
  flat: FlatLines,
  areas: FlatAreas,
  open: readonly number[],
  { triedOff, triedShare, missMax }: Precision,
): void {
  const loops = open.filter((line) => flat.lines[line]!.isLoop);
  if (loops.length > LOOPS_MAX) return;
  for (const line of loops) {
    flat.simple.delete(line);
    const own = flat.curves[line]!;
    const tried = recogniseShapes(own, Math.min(triedOff, triedShare * flat.lines[line]!.corners.length));
    if (tried.length === 0) continue;
    const miss = coverageErrorOf(flat, areas, line);
    const isTaken = tried.some((shape) => {
      const curveOf = (measures: readonly number[]): Curve => {
        const curve = curveOfShape(withMeasures(shape, measures));
        return hasSameDirection(curve, own) ? curve : reverseCurve(curve);
      };
      const measures = refineMeasures(flat, areas, line, { measures: measuresOf(shape), curveOf });
      const snapped = snapShape(withMeasures(shape, measures));
      flat.curves[line] = curveOf(measuresOf(snapped));
      flat.simple.set(line, snapped);
      return coverageErrorOf(flat, areas, line) <= Math.max(missMax, SIMPLE_GAIN * miss);
    });
    if (isTaken) continue;
    flat.curves[line] = own;
    flat.simple.delete(line);
  }
}

const coverageErrorOf = (flat: FlatLines, areas: FlatAreas, line: number): number =>
  coverageErrors(flat, areas, new Set([line])).get(line) ?? Infinity;

const hasSameDirection = (one: Curve, other: Curve): boolean => turnOf(one) > 0 === turnOf(other) > 0;

/** Twice the signed area of a closed curve. */
function turnOf(curve: Curve): number {
  const points = flattenCurve(curve);
  let twice = 0;
  for (let at = 0; at + 3 < points.length; at += 2)
    twice += points[at]! * points[at + 3]! - points[at + 1]! * points[at + 2]!;
  return twice;
}

/** Gives crumbs of soft edge to the colour they mix with. Returns whether there were any. */
function reassignSpecks(
  { labels, others, shares, isMixed }: FlatAreas,
  { count, starts, pixels }: ReturnType<typeof findRegions>,
): boolean {
  let found = false;
  for (let region = 0; region < count; region++) {
    const own = pixels.subarray(starts[region]!, starts[region + 1]!);
    if (own.length > SPECK_PIXELS_MAX || own.some((pixel) => isMixed[pixel] === 0 || others[pixel]! < 0))
      continue;
    for (const pixel of own) {
      const label = labels[pixel]!;
      labels[pixel] = others[pixel]!;
      others[pixel] = label;
      shares[pixel] = 1 - shares[pixel]!;
    }
    found = true;
  }
  return found;
}

/** Pixels to the left and right of a step of a line; -1 outside the image. */
function besideStep(
  from: number,
  to: number,
  width: number,
): { left: [number, number]; right: [number, number]; across: [number, number] } {
  const stride = width + 1;
  const [x, y] = [from % stride, Math.floor(from / stride)];
  const difference = to - from;
  const [dx, dy] = Math.abs(difference) === 1 ? [difference, 0] : [0, Math.sign(difference)];
  const [leftX, leftY] = [x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2];
  return { left: [leftX, leftY], right: [leftX - dy, leftY + dx], across: [-dy, dx] };
}

/** Tests whether a line runs along pixel sides: no adjacent pixel is a mixture. */
function isHard({ left, right, corners }: Line, { isMixed }: FlatAreas, width: number): boolean {
  if (left < 0 || right < 0) return true;
  for (let index = 0; index + 1 < corners.length; index++) {
    const { left: one, right: two } = besideStep(corners[index]!, corners[index + 1]!, width);
    if (isMixed[one[1] * width + one[0]] === 1 || isMixed[two[1] * width + two[0]] === 1) return false;
  }
  return true;
}

/** A line along pixel sides, with a node at each turn. */
export function stepCurve({ corners }: Pick<Line, 'corners'>, width: number): Curve {
  const stride = width + 1;
  const points = [corners[0]! % stride, Math.floor(corners[0]! / stride)];
  for (let index = 1; index < corners.length; index++) {
    const turns = corners[index + 1]! - corners[index]! !== corners[index]! - corners[index - 1]!;
    if (index + 1 === corners.length || turns)
      points.push(corners[index]! % stride, Math.floor(corners[index]! / stride));
  }
  return straightCurve(points);
}

/** Maximum soft pixels summed across a line; with more, the line runs along them. */
const RUN_MAX = 3;
/** Points closer than this to a junction of lines are surrounded by three colours and are omitted. */
const NODE_POINTS = 2;

/**
 * The points of a line in the middle of each pixel side, moved across it by what the soft pixels on both hands have of the other side:
 * exact for a straight edge, as far as its shades are.
 */
export function refineEdgePoints(
  { left, right, corners, isLoop }: Line,
  areas: FlatAreas,
  coreOf: Int16Array,
  width: number,
  height: number,
): number[] {
  const stride = width + 1;
  const points: number[] = [];
  const [one, two] = [coreOf[left]!, coreOf[right]!];
  for (let index = 0; index + 1 < corners.length; index++) {
    const beside = besideStep(corners[index]!, corners[index + 1]!, width);
    const [ax, ay] = beside.across;
    const onLeft = otherShare(areas, beside.left, [-ax, -ay], [one, two], width, height);
    const onRight = otherShare(areas, beside.right, [ax, ay], [two, one], width, height);
    if (onLeft === undefined || onRight === undefined) continue;
    const x = ((corners[index]! % stride) + (corners[index + 1]! % stride)) / 2;
    const y = (Math.floor(corners[index]! / stride) + Math.floor(corners[index + 1]! / stride)) / 2;
    points.push(x + (onRight - onLeft) * ax, y + (onRight - onLeft) * ay);
  }
  if (!isLoop) return openEnds(points, corners, stride);
  return points.length >= 6 ? points : cornerPoints(corners, stride);
}

/** Sum of the other colour's share in the soft pixels across a line. Undefined if the line runs along them. */
function otherShare(
  areas: FlatAreas,
  [x, y]: readonly [number, number],
  [dx, dy]: readonly [number, number],
  [own, other]: readonly [number, number],
  width: number,
  height: number,
): number | undefined {
  let sum = 0;
  for (let run = 0; run < RUN_MAX; run++) {
    const [px, py] = [x + run * dx, y + run * dy];
    if (px < 0 || py < 0 || px >= width || py >= height) return sum;
    const pixel = py * width + px;
    if (areas.labels[pixel] !== own || areas.isMixed[pixel] === 0) return sum;
    sum += Math.max(0, shareOf(areas, pixel, other, own));
  }
  return undefined;
}

const cornerPoints = (corners: Int32Array, stride: number): number[] =>
  [...corners.subarray(0, -1)].flatMap((corner) => [corner % stride, Math.floor(corner / stride)]);

function openEnds(points: number[], corners: Int32Array, stride: number): number[] {
  const drop = points.length / 2 > 4 * NODE_POINTS ? NODE_POINTS : 0;
  const inner = points.slice(2 * drop, points.length - 2 * drop);
  const [first, last] = [corners[0]!, corners.at(-1)!];
  const start = endNear(inner, [first % stride, Math.floor(first / stride)], 1);
  const end = endNear(inner, [last % stride, Math.floor(last / stride)], -1);
  return [...start, ...inner, ...end];
}

/** Points at the end of a line that its direction there follows from. */
const END_REACH = 4;

/** End of a line extrapolated from its points up to its corner of pixels. */
function endNear(
  points: readonly number[],
  corner: readonly [number, number],
  from: 1 | -1,
): [number, number] {
  const count = points.length / 2;
  if (count < 2 * END_REACH) return [...corner];
  const at = (index: number) => (from === 1 ? index : count - 1 - index);
  const [x, y] = [points[2 * at(0)]!, points[2 * at(0) + 1]!];
  const [bx, by] = [points[2 * at(END_REACH)]!, points[2 * at(END_REACH) + 1]!];
  const length = Math.hypot(x - bx, y - by) || 1;
  const [dx, dy] = [(x - bx) / length, (y - by) / length];
  const along = Math.max(0, (corner[0] - x) * dx + (corner[1] - y) * dy);
  return [x + along * dx, y + along * dy];
}

/** Maximum distance of the handles from the chord for a segment to become straight, in pixels. */
const STRAIGHT_OFF = 0.04;

/** Straightens nearly straight segments; those along the image border become exact. */
function straightenSegments(curve: Curve): Curve {
  const next = [...curve];
  for (let at = 2; at < next.length; at += 6) {
    const [x0, y0, x3, y3] = [next[at - 2]!, next[at - 1]!, next[at + 4]!, next[at + 5]!];
    const length = Math.hypot(x3 - x0, y3 - y0);
    const off = (index: number) =>
      Math.abs((next[index]! - x0) * (y3 - y0) - (next[index + 1]! - y0) * (x3 - x0)) / (length || 1);
    if (length > 1 && off(at) <= STRAIGHT_OFF && off(at + 2) <= STRAIGHT_OFF)
      for (let index = at; index < at + 4; index++) next[index] = Number.NaN;
  }
  return next;
}
