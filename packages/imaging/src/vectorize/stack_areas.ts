import type { Raster } from '../pixels/raster.ts';
import { reverseCurve } from './curve.ts';
import type { Curve, Points } from './fit_curve.ts';
import { type Ring, ringsOf, type Side } from './outlines.ts';
import type { Partition } from './partition.ts';
import { borderError, closeOutlines, hiddenCurve, traceBorders } from './trace_borders.ts';
import type { Fill } from './write_svg.ts';

/** An area, painted over all previous ones. */
export interface Layer {
  readonly area: number;
  readonly outlines: readonly Curve[];
}

/**
 * Orders areas as layers, the largest at the bottom. Without transparency, hidden parts need not be cut out of the
 * layers below: hole outlines are omitted and the lowest layer is the whole canvas. A layer extends slightly under the
 * layers above it, because the background would otherwise show through.
 */
export function stackAreas(
  picture: Raster,
  areas: Partition,
  fills: readonly Fill[],
  times = 1,
  tolerance?: number,
): { layers: Layer[]; lineError: () => number | undefined } {
  const borders = traceBorders(picture, areas, fills, times, tolerance);
  const { lines, points, curves } = borders;
  const rings = ringsOf(lines, areas.count);
  const opaque = !areas.labels.includes(-1);
  const outer = rings.map((own) => own.filter((ring) => !opaque || signedArea(ring, points) > 0));
  const sizes = outer.map((own) => own.reduce((sum, ring) => sum + signedArea(ring, points), 0));
  const order = [...sizes.keys()].sort((one, other) => sizes[other]! - sizes[one]!);
  const ranks = new Int32Array(order.length);
  order.forEach((area, rank) => {
    ranks[area] = rank;
  });
  const isBroad = broadAreas(areas, times);
  const curveOf = (area: number, { line, backwards }: Side): Curve => {
    const { left, right } = lines[line]!;
    const other = backwards ? left : right;
    if (other < 0 || ranks[other]! < ranks[area]!)
      return backwards ? reverseCurve(curves[line]!) : curves[line]!;
    const under = hiddenCurve(borders, line, backwards ? -1 : 1, isBroad[other] === 1);
    return backwards ? reverseCurve(under) : under;
  };
  const layers = order.map((area, rank) => ({
    area,
    outlines:
      opaque && rank === 0 ? [canvas(picture)] : closeOutlines(outer[area]!, (side) => curveOf(area, side)),
  }));
  return {
    layers: layers.filter(({ outlines }) => outlines.length > 0),
    lineError: () => borderError(borders),
  };
}

/** Areas that are at least a pixel of the image wide: twice their pixels by the length of their outline is their mean width. */
function broadAreas({ labels, width, count }: Partition, times: number): Uint8Array {
  const sizes = new Float64Array(count);
  const sides = new Float64Array(count);
  const see = (one: number, other: number): void => {
    if (one === other) return;
    if (one >= 0) sides[one]!++;
    if (other >= 0) sides[other]!++;
  };
  for (let pixel = 0, column = 1; pixel < labels.length; pixel++, column++) {
    if (labels[pixel]! >= 0) sizes[labels[pixel]!]!++;
    if (column === width) column = 0;
    else see(labels[pixel]!, labels[pixel + 1]!);
    if (pixel + width < labels.length) see(labels[pixel]!, labels[pixel + width]!);
  }
  return Uint8Array.from(sizes, (size, area) => (2 * size >= times * sides[area]! ? 1 : 0));
}

/** Positive for outer outlines, negative for holes. */
function signedArea(ring: Ring, points: readonly Points[]): number {
  let twice = 0;
  for (const { line, backwards } of ring) {
    const own = points[line]!;
    let along = 0;
    for (let at = 0; at + 3 < own.length; at += 2)
      along += own[at + 1]! * own[at + 2]! - own[at]! * own[at + 3]!;
    twice += backwards ? -along : along;
  }
  return twice / 2;
}

const canvas = ({ width, height }: Raster): Curve => {
  const corner = (x: number, y: number) => [NaN, NaN, NaN, NaN, x, y];
  return [0, 0, ...corner(width, 0), ...corner(width, height), ...corner(0, height), ...corner(0, 0)];
};
