import type { Raster } from '../pixels/raster.ts';
import { appendCurve } from './curve.ts';
import { type Curve, fitCurve, type Points } from './fit_curve.ts';
import { lineErrors } from './line_errors.ts';
import { findLines, type Line, type Ring, type Side } from './outlines.ts';
import type { Partition } from './partition.ts';
import { placePoints } from './place_points.ts';
import { colorAt, type Fill, toTenths } from './write_svg.ts';

/** The lines between areas, each once: their points, how closely a curve has to follow them, and that curve. */
export interface Borders {
  readonly lines: readonly Line[];
  readonly points: readonly Points[];
  /** In pixels. */
  readonly tolerances: readonly number[];
  readonly curves: readonly Curve[];
}

/** Finds the lines between areas and draws a curve through each. */
export function traceBorders(picture: Raster, areas: Partition, fills: readonly Fill[]): Borders {
  const lines = findLines(areas);
  const points = lines.map((line) => placePoints(picture, line, fills));
  const tolerances = lines.map((line) => toleranceOf(line, fills, picture.width));
  const curves = lines.map((_, index) => fitCurve(points[index]!, tolerances[index]!));
  return { lines, points, tolerances, curves };
}

/** Pixels that 95 of 100 points of the curves stay within, of the edges they follow. */
export function borderError({ points, curves }: Borders): number | undefined {
  const errors = lineErrors();
  for (const [line, curve] of curves.entries()) errors.add(curve, points[line]!);
  return errors.p95();
}

/** How far, in pixels, an edge that is hidden lies under what hides it, and how carelessly it may at least be drawn there. */
const REACH = 0.5;
const UNDER_TOLERANCE_MIN = 0.6;

/** A line as the edge of a layer below: `REACH` towards its right hand (1) or its left (-1), under the layer there. */
export const hiddenCurve = ({ points, tolerances }: Borders, line: number, towards: 1 | -1): Curve =>
  fitCurve(shiftPoints(points[line]!, -towards * REACH), Math.max(UNDER_TOLERANCE_MIN, tolerances[line]!));

/** The same so far under that it surely stays there: as far as both curves together may pass from their points. */
export const sunkCurve = ({ points, tolerances }: Borders, line: number, towards: 1 | -1): Curve =>
  fitCurve(
    shiftPoints(points[line]!, -towards * (tolerances[line]! + UNDER_TOLERANCE_MIN)),
    UNDER_TOLERANCE_MIN,
  );

/** Points moved to the left hand, but for the ends of an open line. */
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

/** The curves of each ring as one closed outline, rounded as it will be written; those that shrink to a point are left out. */
export const closeOutlines = (rings: readonly Ring[], curveOf: (side: Side) => Curve): Curve[] =>
  rings
    .map((ring) => roundCurve(joinCurves(ring.map(curveOf))))
    .filter((outline) => outline.some((value, at) => value !== outline[at % 2] && !Number.isNaN(value)));

/** In pixels, at the edge of ink, of what is transparent, or between colours far apart: less would follow the stairs of pixels. */
const EDGE_TOLERANCE = 0.38;

/** How far, in pixels, a curve may pass from its points: less where one sees it, between unlike colours. */
function toleranceOf({ left, right, corners }: Line, fills: readonly Fill[], width: number): number {
  if (left < 0 || right < 0) return EDGE_TOLERANCE;
  const corner = corners[corners.length >> 1]!;
  const [x, y] = [corner % (width + 1), Math.floor(corner / (width + 1))];
  const [one, two] = [colorAt(fills[left]!, x, y), colorAt(fills[right]!, x, y)];
  const contrast = Math.hypot(one[0]! - two[0]!, one[1]! - two[1]!, one[2]! - two[2]!);
  return Math.min(1.4, EDGE_TOLERANCE + 3 / (1 + contrast));
}

/** A curve as it will be written, in tenths of a pixel; NaN stays. */
const roundCurve = (curve: Curve): Curve => curve.map((value) => toTenths(value) / 10);

function joinCurves(curves: readonly Curve[]): Curve {
  const outline = [...curves[0]!];
  for (const curve of curves.slice(1)) appendCurve(outline, curve);
  return outline;
}
