import type { Size } from '../pixels/plane.ts';

/** Ink mask with an empty border of one pixel: rows of `across` pixels, width + 2. */
export interface InkMask extends Size {
  readonly across: number;
  readonly ink: Uint8Array;
}

/** The pixels that have a property, as a mask with a rim. */
export function inkMask({ width, height }: Size, isInk: (pixel: number) => boolean): InkMask {
  const across = width + 2;
  const ink = new Uint8Array(across * (height + 2));
  for (let y = 0, pixel = 0; y < height; y++)
    for (let x = 0; x < width; x++, pixel++) if (isInk(pixel)) ink[(y + 1) * across + x + 1] = 1;
  return { width, height, across, ink };
}

/**
 * Squared distance of every mask pixel to the nearest pixel without ink, between pixel centres. Source: P. F.
 * Felzenszwalb and D. P. Huttenlocher, "Distance transforms of sampled functions", 2012.
 */
export function inkDepth({ ink, across }: InkMask): Float64Array {
  const down = ink.length / across;
  const squares = Float64Array.from(ink, (is) => (is === 1 ? FAR : 0));
  const line = createLine(Math.max(across, down));
  for (let x = 0; x < across; x++) line(squares, x, across, down);
  for (let y = 0; y < down; y++) line(squares, y * across, 1, across);
  return squares;
}

/** Beyond every square of a distance, and still exact when squares are added to it. */
const FAR = 2 ** 40;

/** A function that lays the lowest parabola over the values of one row or column. */
function createLine(longest: number) {
  const roots = new Int32Array(longest);
  const bounds = new Float64Array(longest + 1);
  const values = new Float64Array(longest);
  return (squares: Float64Array, start: number, stride: number, count: number): void => {
    for (let at = 0; at < count; at++) values[at] = squares[start + at * stride]!;
    let last = 0;
    roots[0] = 0;
    bounds[0] = -Infinity;
    for (let at = 1; at < count; at++) {
      let crossing = crossingOf(values, at, roots[last]!);
      while (crossing <= bounds[last]!) crossing = crossingOf(values, at, roots[--last]!);
      roots[++last] = at;
      bounds[last] = crossing;
    }
    bounds[last + 1] = Infinity;
    for (let at = 0, parabola = 0; at < count; at++) {
      while (bounds[parabola + 1]! < at) parabola++;
      const root = roots[parabola]!;
      squares[start + at * stride] = (at - root) ** 2 + values[root]!;
    }
  };
}

const crossingOf = (values: Float64Array, at: number, root: number): number =>
  (values[at]! + at * at - values[root]! - root * root) / (2 * (at - root));

/** Steps to the eight neighbours, in circular order. */
const neighboursOf = (across: number): readonly number[] => [
  1,
  1 + across,
  across,
  across - 1,
  -1,
  -1 - across,
  -across,
  1 - across,
];

/**
 * Centre lines of ink, one pixel wide, with the same connectivity: pixels are removed from the outside inwards as long
 * as nothing is disconnected and no end is lost. `depths` are the squares of `inkDepth`. Branches caused by bumps of
 * the edge remain. Source: the ordering of C. Pudney, "Distance-ordered homotopic thinning", 1998; removable pixels, S.
 * Yokoi and others, 1975.
 */
export function thinInk({ ink, across }: InkMask, depths: Float64Array): Uint8Array {
  const left = ink.slice();
  const around = neighboursOf(across);
  // Alternates between above, below, right and left: otherwise a line two pixels wide would be eroded from its end.
  const sides = [-across, across, 1, -1];
  const peel = (pixels: Int32Array): number => {
    let taken = 0;
    for (const side of sides) {
      const open = pixels.filter((pixel) => left[pixel] === 1 && left[pixel + side] === 0);
      for (const pixel of open) {
        if (!isRemovable(left, pixel, around)) continue;
        left[pixel] = 0;
        taken++;
      }
    }
    return taken;
  };
  const order = byDepth(ink, depths);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && depths[order[to]!] === depths[order[from]!]) to++;
    peel(order.subarray(from, to));
    from = to;
  }
  for (let rest = order; ; ) {
    rest = rest.filter((pixel) => left[pixel] === 1);
    if (peel(rest) === 0) return left;
  }
}

function byDepth(ink: Uint8Array, depths: Float64Array): Int32Array {
  const pixels: number[] = [];
  for (let pixel = 0; pixel < ink.length; pixel++) if (ink[pixel] === 1) pixels.push(pixel);
  // A depth is a whole number, a pixel below 2^23: together they sort as one number without a comparison function.
  const keys = Float64Array.from(
    pixels,
    (pixel) => Math.min(depths[pixel]!, 2 ** 29) * 2 ** 23 + pixel,
  ).sort();
  return Int32Array.from(keys, (key) => key % 2 ** 23);
}

/** Tests whether a pixel is removable: it is not an end, and its neighbours stay connected without it. */
function isRemovable(left: Uint8Array, pixel: number, around: readonly number[]): boolean {
  let neighbours = 0;
  for (const step of around) neighbours += left[pixel + step]!;
  return neighbours > 1 && connectionsAt(left, pixel, around) === 1;
}

/** Number of ink components that meet at a pixel, with 8-connectivity. */
function connectionsAt(left: Uint8Array, pixel: number, around: readonly number[]): number {
  let count = 0;
  for (let side = 0; side < 8; side += 2) {
    const open = 1 - left[pixel + around[side]!]!;
    const past = 1 - left[pixel + around[side + 1]!]!;
    const next = 1 - left[pixel + around[(side + 2) % 8]!]!;
    count += open - open * past * next;
  }
  return count;
}

/** A node, where centre lines end or meet, in pixels of the image. */
export interface GraphNode {
  readonly x: number;
  readonly y: number;
  /** Radius of the ink around it. */
  readonly radius: number;
}

/** A centre line between two nodes, or a loop without nodes (-1): mask pixels in order. */
export interface Branch {
  readonly from: number;
  readonly to: number;
  readonly pixels: readonly number[];
}

export interface SkeletonGraph {
  readonly nodes: readonly GraphNode[];
  readonly branches: readonly Branch[];
}

/** Converts the pixels of centre lines (`thinInk`) to nodes and branches. `depths` are the squares of `inkDepth`. */
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
  const nodes: GraphNode[] = [];
  for (const [pixel, name] of names.entries()) {
    if (name !== UNNAMED) continue;
    const cluster = [pixel];
    names[pixel] = nodes.length;
    for (const member of cluster)
      for (const other of nextTo(member)) {
        if (names[other] !== UNNAMED) continue;
        names[other] = nodes.length;
        cluster.push(other);
      }
    nodes.push(nodeOf(cluster, across, depths));
  }
  return { nodes, branches: findBranches(skeleton, names, nextTo) };
}

const PATH = -1;
const UNNAMED = -2;

/** The middle of pixels that touch, and the greatest depth of them. */
function nodeOf(cluster: readonly number[], across: number, depths: Float64Array): GraphNode {
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
  /** Follows pixels up to a node or back to the start. */
  const run = (start: number | undefined): { pixels: number[]; node: number } => {
    const pixels: number[] = [];
    for (let pixel = start; pixel !== undefined; ) {
      if (names[pixel]! >= 0) return { pixels, node: names[pixel]! };
      if (seen[pixel] === 1) break;
      seen[pixel] = 1;
      pixels.push(pixel);
      pixel = nextTo(pixel).find((other) => names[other]! >= 0 || seen[other] === 0);
    }
    return { pixels, node: -1 };
  };
  const branches: Branch[] = [];
  for (const [pixel, is] of skeleton.entries()) {
    if (is === 0 || names[pixel]! >= 0 || seen[pixel] === 1) continue;
    seen[pixel] = 1;
    const [one, other] = nextTo(pixel);
    const back = run(one);
    const on = run(other);
    const pixels = [...back.pixels.reverse(), pixel, ...on.pixels];
    if (back.node === on.node && back.node >= 0 && pixels.length <= 2) continue;
    branches.push({ from: back.node, to: on.node, pixels });
  }
  return branches;
}
