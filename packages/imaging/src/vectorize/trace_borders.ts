import type { Raster } from '../pixels/raster.ts';
import { appendCurve, flattenCurve } from './curve.ts';
import { type Curve, fitCurve, type Points } from './fit_curve.ts';
import { findLines, type Line, type Ring, type Side } from './outlines.ts';
import type { Partition } from './partition.ts';
import { colorAt, type Fill, toTenths } from './write_svg.ts';

/** Deviation of drawn lines from the edges they follow. */
export interface LineErrors {
  /** Adds the distances between a curve and the points (`refinePoints`, `refineCentreLine`) it was fitted to. */
  add(curve: Curve, places: Points): void;
  /** Pixels that 95 of 100 points stay within; undefined where none was counted. */
  readonly p95: () => number | undefined;
}

/** Hundredths of a pixel that are distinguished; the last stands for all beyond. */
const STEPS = 800;
/** Points searched ahead for the nearest segment: both sequences run in parallel, so that it is never far. */
const AHEAD = 24;

/** Begins to count. */
export function lineErrors(): LineErrors {
  const counts = new Uint32Array(STEPS);
  let total = 0;
  return {
    add(curve, places) {
      const drawn = flattenCurve(curve);
      let piece = 0;
      for (let at = 2; at < drawn.length; at += 2) {
        const [x, y] = [drawn[at - 2]!, drawn[at - 1]!];
        const [dx, dy] = [drawn[at]! - x, drawn[at + 1]! - y];
        // A point about every pixel, so that a long straight piece counts as much as a bent one.
        const steps = Math.max(1, Math.round(Math.hypot(dx, dy)));
        for (let step = 0; step < steps; step++) {
          const near = nearestPiece(x + (step / steps) * dx, y + (step / steps) * dy, places, piece);
          piece = near.piece;
          counts[Math.min(STEPS - 1, Math.round(100 * near.distance))]!++;
          total++;
        }
      }
    },
    p95() {
      if (total === 0) return undefined;
      let below = 0;
      for (let step = 0; step < STEPS; step++) {
        below += counts[step]!;
        if (below >= 0.95 * total) return step / 100;
      }
      return undefined;
    },
  };
}

function nearestPiece(x: number, y: number, places: Points, from: number) {
  const last = places.length / 2 - 2;
  let [square, piece] = [Infinity, from];
  for (let index = Math.max(0, from - 2); index <= Math.min(last, from + AHEAD); index++) {
    const [ax, ay] = [places[2 * index]!, places[2 * index + 1]!];
    const [dx, dy] = [places[2 * index + 2]! - ax, places[2 * index + 3]! - ay];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
    const own = (x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2;
    if (own >= square) continue;
    square = own;
    piece = index;
  }
  return { distance: Math.sqrt(square), piece };
}

/** Contrast (8-bit steps) from which the mixture of two colours locates their border within a pixel. */
const CONTRAST = 24;

/**
 * Points of a line with subpixel accuracy: at the middle of each pixel side, shifted by the mixture of the two adjacent
 * pixels. Ends stay at the nodes, and the image border stays straight.
 */
function refinePoints(picture: Raster, line: Line, fills: readonly Fill[]): Points {
  const { corners, isLoop } = line;
  const across = picture.width + 1;
  const count = corners.length - 1;
  const middles = new Float64Array(2 * count);
  const isHard = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const [x, y] = [corners[index]! % across, Math.floor(corners[index]! / across)];
    const [dx, dy] = stepOf(corners[index + 1]! - corners[index]!, across);
    const offset = offsetOf(picture, line, fills, { x, y, dx, dy });
    isHard[index] = offset === 0 && (line.left < 0 || line.right < 0) ? 1 : 0;
    middles[2 * index] = x + dx / 2 + offset * dy;
    middles[2 * index + 1] = y + dy / 2 - offset * dx;
  }
  smoothStairs(middles, isHard, isLoop);
  if (isLoop) return Float64Array.from([...middles, middles[0]!, middles[1]!]);
  const [first, last] = [corners[0]!, corners.at(-1)!];
  return Float64Array.from([
    first % across,
    Math.floor(first / across),
    ...middles,
    last % across,
    Math.floor(last / across),
  ]);
}

/**
 * Weighs points of ink's edge with their neighbours, one, two, one, where whole pixels are ink and whole pixels not: the
 * stairs between them are of the pixels, not of the drawing, and a curve that followed them would take more nodes.
 */
function smoothStairs(middles: Float64Array, isHard: Uint8Array, isLoop: boolean): void {
  const count = isHard.length;
  const stairs = middles.slice();
  for (let index = 0; index < count; index++) {
    if (!isLoop && (index === 0 || index === count - 1)) continue;
    const [before, after] = [(index + count - 1) % count, (index + 1) % count];
    if (isHard[before] === 0 || isHard[index] === 0 || isHard[after] === 0) continue;
    for (const axis of [0, 1])
      middles[2 * index + axis] =
        (stairs[2 * before + axis]! + 2 * stairs[2 * index + axis]! + stairs[2 * after + axis]!) / 4;
  }
}

function stepOf(difference: number, across: number): readonly [dx: number, dy: number] {
  if (difference === 1) return [1, 0];
  if (difference === -1) return [-1, 0];
  return difference === across ? [0, 1] : [0, -1];
}

interface Step {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** Offset of the border to the left of its pixel side, -0.5 to 0.5 pixels. */
function offsetOf(
  picture: Raster,
  { left, right }: Line,
  fills: readonly Fill[],
  { x, y, dx, dy }: Step,
): number {
  // Pixel to the left of a step: above a step to the right, to the right of a step down.
  const [leftX, leftY] = [x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2];
  const [rightX, rightY] = [leftX - dy, leftY + dx];
  const isInside = (px: number, py: number) =>
    px >= 0 && py >= 0 && px < picture.width && py < picture.height;
  if (!isInside(leftX, leftY) || !isInside(rightX, rightY)) return 0;
  const leftAt = 4 * (leftY * picture.width + leftX);
  const rightAt = 4 * (rightY * picture.width + rightX);
  const { data: rgba } = picture;
  if (left < 0) return 0.5 * clamp(rgba[leftAt + 3]! / 127.5) - 0.5 * clamp(2 - rgba[rightAt + 3]! / 127.5);
  if (right < 0) return 0.5 * clamp(2 - rgba[leftAt + 3]! / 127.5) - 0.5 * clamp(rgba[rightAt + 3]! / 127.5);
  const one = colorAt(fills[left]!, leftX, leftY);
  const two = colorAt(fills[right]!, rightX, rightY);
  const contrast = (two[0]! - one[0]!) ** 2 + (two[1]! - one[1]!) ** 2 + (two[2]! - one[2]!) ** 2;
  const shareOf = (at: number, own: readonly number[], other: readonly number[]) => {
    let along = 0;
    for (let channel = 0; channel < 3; channel++)
      along += (rgba[at + channel]! - own[channel]!) * (other[channel]! - own[channel]!);
    return Math.min(0.5, Math.max(0, along / contrast));
  };
  if (contrast < 1) return 0;
  const offset = shareOf(leftAt, one, two) - shareOf(rightAt, two, one);
  return (offset * contrast) / (contrast + CONTRAST ** 2);
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** Tolerance (pixels) at edges: a smaller one follows the steps of pixels. */
const EDGE_TOLERANCE = 0.38;

/** How closely curves follow lines, in traced pixels. */
interface Closeness {
  /**
   * Tolerance at the edge of ink, of transparency, or between very different colours: a smaller one would follow the
   * pixel steps.
   */
  readonly edge: number;
  /** Maximum tolerance, between similar colours. */
  readonly alike: number;
  /** Overlap of a hidden edge under the covering layer, and its minimum fitting tolerance. */
  readonly reach: number;
  /** The same under an area that is broad enough to cover it. */
  readonly reachBroad: number;
  readonly under: number;
}

/** Fitting tolerance for an upscaled image: as far in image pixels, or no closer than otherwise. */
const closenessOf = (times: number, edge: number): Closeness => ({
  edge: Math.max(edge, 0.125 * times),
  alike: Math.max(1.4, 0.45 * times),
  reach: Math.max(0.5, 0.25 * times),
  reachBroad: Math.max(0.5, 0.5 * times),
  under: Math.max(0.6, 0.2 * times),
});

/** The lines between areas, each once: their points, how closely a curve has to follow them, and that curve. */
export interface Borders {
  readonly lines: readonly Line[];
  readonly points: readonly Points[];
  /** In pixels. */
  readonly tolerances: readonly number[];
  readonly curves: readonly Curve[];
  readonly closeness: Closeness;
}

/** Finds the lines between areas of an image upscaled by `times`, and fits a curve to each. */
export function traceBorders(
  picture: Raster,
  areas: Partition,
  fills: readonly Fill[],
  times = 1,
  edge = EDGE_TOLERANCE,
): Borders {
  const closeness = closenessOf(times, edge);
  const lines = findLines(areas);
  const points = lines.map((line) => refinePoints(picture, line, fills));
  const tolerances = lines.map((line) => toleranceOf(line, fills, picture.width, closeness));
  const curves = lines.map((_, index) => fitCurve(points[index]!, tolerances[index]!));
  return { lines, points, tolerances, curves, closeness };
}

/** Pixels that 95 of 100 points of the curves stay within, of the edges they follow. */
export function borderError({ points, curves }: Borders): number | undefined {
  const errors = lineErrors();
  for (const [line, curve] of curves.entries()) errors.add(curve, points[line]!);
  return errors.p95();
}

/**
 * Offsets a line for the edge of a lower layer: to the right (1) or left (-1), under the layer there; further if that layer is broad enough to
 * cover it.
 */
export const hiddenCurve = (
  { points, tolerances, closeness }: Borders,
  line: number,
  towards: 1 | -1,
  isBroad: boolean,
): Curve =>
  fitCurve(
    shiftPoints(
      points[line]!,
      -towards * Math.max(isBroad ? closeness.reachBroad : closeness.reach, tolerances[line]!),
    ),
    Math.max(closeness.under, tolerances[line]! / 2),
  );

/** Overlap that is certainly sufficient: the sum of the tolerances of both curves. */
export const offsetHiddenCurve = (
  { points, tolerances, closeness: { under } }: Borders,
  line: number,
  towards: 1 | -1,
): Curve => fitCurve(shiftPoints(points[line]!, -towards * (tolerances[line]! + under)), under);

/** Offsets points to the left, except the ends of an open line. */
function shiftPoints(points: Points, distance: number): Points {
  const last = points.length / 2 - 1;
  const closed = points[0] === points[2 * last] && points[1] === points[2 * last + 1];
  const moved = points.slice();
  for (let index = 0; index <= last; index++) {
    if (!closed && (index === 0 || index === last)) continue;
    const before = index > 0 ? index - 1 : last - 1;
    const after = index < last ? index + 1 : 1;
    const dx = points[2 * after]! - points[2 * before]!;
    const dy = points[2 * after + 1]! - points[2 * before + 1]!;
    const length = Math.hypot(dx, dy) || 1;
    moved[2 * index]! += (distance * dy) / length;
    moved[2 * index + 1]! -= (distance * dx) / length;
  }
  return moved;
}

/**
 * Joins the curves of each ring to one closed outline, rounded as written. Outlines that shrink to a point are omitted.
 */
export const closeOutlines = (rings: readonly Ring[], curveOf: (side: Side) => Curve): Curve[] =>
  rings
    .map((ring) => roundCurve(joinCurves(ring.map(curveOf))))
    .filter((outline) => outline.some((value, at) => value !== outline[at % 2] && !Number.isNaN(value)));

/** Maximum deviation of a curve from its points, in pixels: less between different colours, where it is visible. */
function toleranceOf(
  { left, right, corners }: Line,
  fills: readonly Fill[],
  width: number,
  { edge, alike }: Closeness,
): number {
  if (left < 0 || right < 0) return edge;
  const corner = corners[corners.length >> 1]!;
  const [x, y] = [corner % (width + 1), Math.floor(corner / (width + 1))];
  const [one, two] = [colorAt(fills[left]!, x, y), colorAt(fills[right]!, x, y)];
  const contrast = Math.hypot(one[0]! - two[0]!, one[1]! - two[1]!, one[2]! - two[2]!);
  return Math.min(alike, edge + 3 / (1 + contrast));
}

/** Rounds a curve to 0.1 pixels, as written; NaN stays. */
const roundCurve = (curve: Curve): Curve => curve.map((value) => toTenths(value) / 10);

function joinCurves(curves: readonly Curve[]): Curve {
  const outline = [...curves[0]!];
  for (const curve of curves.slice(1)) appendCurve(outline, curve);
  return outline;
}
