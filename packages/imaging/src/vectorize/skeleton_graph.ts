import type { InkMask } from './ink_depth.ts';
import { neighboursOf } from './thin_ink.ts';

/** A place where middle lines end or meet, in pixels of the picture. */
export interface Knot {
  readonly x: number;
  readonly y: number;
  /** How far the ink reaches round it. */
  readonly radius: number;
}

/** A middle line between two knots, or round without any (-1): pixels of the mask, in order. */
export interface Branch {
  readonly from: number;
  readonly to: number;
  readonly pixels: readonly number[];
}

export interface SkeletonGraph {
  readonly knots: readonly Knot[];
  readonly branches: readonly Branch[];
}

/** The pixels of middle lines (`thinInk`) as knots and the branches between them. `depths` are the squares of `inkDepth`. */
export function skeletonGraph(
  { across }: InkMask,
  skeleton: Uint8Array,
  depths: Float64Array,
): SkeletonGraph {
  const around = neighboursOf(across);
  const nextTo = (pixel: number): number[] =>
    around.map((step) => pixel + step).filter((at) => skeleton[at] === 1);
  const names = new Int32Array(skeleton.length).fill(PATH);
  for (const [pixel, is] of skeleton.entries())
    if (is === 1 && nextTo(pixel).length !== 2) names[pixel] = UNNAMED;
  const knots: Knot[] = [];
  for (const [pixel, name] of names.entries()) {
    if (name !== UNNAMED) continue;
    const cluster = [pixel];
    names[pixel] = knots.length;
    for (const member of cluster)
      for (const other of nextTo(member)) {
        if (names[other] !== UNNAMED) continue;
        names[other] = knots.length;
        cluster.push(other);
      }
    knots.push(knotOf(cluster, across, depths));
  }
  return { knots, branches: findBranches(skeleton, names, nextTo) };
}

const PATH = -1;
const UNNAMED = -2;

/** The middle of pixels that touch, and the greatest depth of them. */
function knotOf(cluster: readonly number[], across: number, depths: Float64Array): Knot {
  let [x, y, radius] = [0, 0, 0];
  for (const pixel of cluster) {
    x += (pixel % across) - 0.5;
    y += Math.floor(pixel / across) - 0.5;
    radius = Math.max(radius, Math.sqrt(depths[pixel]!) - 0.5);
  }
  return { x: x / cluster.length, y: y / cluster.length, radius };
}

function findBranches(
  skeleton: Uint8Array,
  names: Int32Array,
  nextTo: (pixel: number) => number[],
): Branch[] {
  const seen = new Uint8Array(skeleton.length);
  /** The pixels from one on, up to a knot or to where it began. */
  const run = (start: number | undefined): { pixels: number[]; knot: number } => {
    const pixels: number[] = [];
    for (let pixel = start; pixel !== undefined; ) {
      if (names[pixel]! >= 0) return { pixels, knot: names[pixel]! };
      if (seen[pixel] === 1) break;
      seen[pixel] = 1;
      pixels.push(pixel);
      pixel = nextTo(pixel).find((other) => names[other]! >= 0 || seen[other] === 0);
    }
    return { pixels, knot: -1 };
  };
  const branches: Branch[] = [];
  for (const [pixel, is] of skeleton.entries()) {
    if (is === 0 || names[pixel]! >= 0 || seen[pixel] === 1) continue;
    seen[pixel] = 1;
    const [one, other] = nextTo(pixel);
    const back = run(one);
    const on = run(other);
    const pixels = [...back.pixels.reverse(), pixel, ...on.pixels];
    if (back.knot === on.knot && back.knot >= 0 && pixels.length <= 2) continue;
    branches.push({ from: back.knot, to: on.knot, pixels });
  }
  return branches;
}
