import {
  area,
  EndType,
  FillRule,
  inflatePaths,
  isPositive,
  JoinType,
  type Path64,
  simplifyPaths,
  union,
} from 'clipper2-ts';
import { straightCurve, straighten } from './curve.ts';
import type { Curve } from './fit_curve.ts';
import type { SheetSize } from './sheet_size.ts';

export interface Offset {
  /** In millimetres, of straight pieces. */
  readonly outlines: readonly Curve[];
  readonly parts: number;
  /** Parts so narrow that the tool, run along their middle, would take all of them away. */
  readonly narrowParts: number;
  /** Holes so narrow that nothing of them is left to cut. */
  readonly lostHoles: number;
  /** Parts that have become one with another: less than the kerf was between them. */
  readonly joinedParts: number;
}

const MITER_LIMIT = 2;
/** Square pixels of what is only a crossing of two curves that touch. */
const SLIVER_PX = 0.25;

/**
 * Moves the outlines of parts (closed, in millimetres) outwards by half the kerf and those of their holes inwards, so that
 * what is left after cutting along them has the size that was drawn. Corners are rounded, as a round tool leaves them sharp.
 * Of a stencil the sheet round the outlines is what is left: they are moved the other way.
 */
export function offsetKerf(
  outlines: readonly Curve[],
  kerfMm: number,
  { steps, toleranceMm, pixelMm }: SheetSize,
  isStencil = false,
): Offset {
  // Flattening, arcs and simplifying share what they may be off together.
  const share = (toleranceMm / 3) * steps;
  const distance = (kerfMm / 2) * steps;
  const move = (paths: Path64[], by: number): Path64[] =>
    inflatePaths(paths, by, JoinType.Round, EndType.Polygon, MITER_LIMIT, share);
  const sliver = SLIVER_PX * (pixelMm * steps) ** 2;
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
export function pathOf(outline: Curve, steps: number, tolerance: number): Path64 {
  const points = straighten(outline, tolerance);
  const path: Path64 = [];
  for (let at = 0; at + 2 < points.length; at += 2)
    path.push({ x: Math.round(points[at]! * steps), y: Math.round(points[at + 1]! * steps) });
  return path;
}

/** The same back again, in millimetres. */
export const curveOf = (path: Path64, steps: number): Curve =>
  straightCurve([...path, path[0]!].flatMap(({ x, y }) => [x / steps, y / steps]));
