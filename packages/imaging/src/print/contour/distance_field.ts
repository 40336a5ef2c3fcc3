import type { Size } from '../../pixels/plane.ts';

/** Nearest seed of every pixel, and the distance between their centres in pixels. */
interface NearestSeeds {
  readonly distances: Float32Array;
  /** Index of the pixel; -1 if there is no seed. */
  readonly seeds: Int32Array;
}

const FAR = 1e12;

/**
 * Computes the exact Euclidean distance of every pixel to the nearest seed. Source: P. F. Felzenszwalb and D. P.
 * Huttenlocher, "Distance transforms of sampled functions", 2012.
 * @param isSeed 1 for seeds, else 0
 */
export function nearestSeeds(isSeed: Uint8Array, { width, height }: Size): NearestSeeds {
  const squares = new Float64Array(isSeed.length);
  const seeds = new Int32Array(isSeed.length);
  for (let at = 0; at < isSeed.length; at += 1) {
    squares[at] = isSeed[at] === 1 ? 0 : FAR;
    seeds[at] = isSeed[at] === 1 ? at : -1;
  }
  const line = createEnvelope(Math.max(width, height), squares, seeds);
  for (let x = 0; x < width; x += 1) line(x, width, height);
  for (let y = 0; y < height; y += 1) line(y * width, 1, width);
  return { distances: Float32Array.from(squares, Math.sqrt), seeds };
}

/** Returns a function that computes the lower envelope of parabolas of one row or column. */
function createEnvelope(longest: number, squares: Float64Array, seeds: Int32Array) {
  const roots = new Int32Array(longest);
  const bounds = new Float64Array(longest + 1);
  const values = new Float64Array(longest);
  const owners = new Int32Array(longest);
  const crossing = (at: number, root: number): number =>
    (values[at]! + at * at - values[root]! - root * root) / (2 * (at - root));
  return (start: number, stride: number, count: number): void => {
    for (let at = 0; at < count; at += 1) {
      values[at] = squares[start + at * stride]!;
      owners[at] = seeds[start + at * stride]!;
    }
    let last = 0;
    roots[0] = 0;
    bounds[0] = -Infinity;
    for (let at = 1; at < count; at += 1) {
      let from = crossing(at, roots[last]!);
      while (from <= bounds[last]!) {
        last -= 1;
        from = crossing(at, roots[last]!);
      }
      last += 1;
      roots[last] = at;
      bounds[last] = from;
    }
    bounds[last + 1] = Infinity;
    for (let at = 0, parabola = 0; at < count; at += 1) {
      while (bounds[parabola + 1]! < at) parabola += 1;
      const root = roots[parabola]!;
      squares[start + at * stride] = (at - root) ** 2 + values[root]!;
      seeds[start + at * stride] = owners[root]!;
    }
  };
}

/**
 * Computes the signed distance of each pixel to an edge, in pixels, negative outside. Exact on one side; off by at most
 * half a pixel on the other. Pixel coverage locates the edge with subpixel accuracy.
 * @param share coverage of each pixel, 0 to 1
 */
export function signedDistances(
  share: Float32Array,
  size: Size,
  exactOn: 'outside' | 'inside',
): Float32Array {
  const sign = exactOn === 'outside' ? -1 : 1;
  const isSeed = Uint8Array.from(share, (value) => (value >= 0.5 === (sign === -1) ? 1 : 0));
  const { distances, seeds } = nearestSeeds(isSeed, size);
  return distances.map((distance, at) => {
    if (isSeed[at] === 1) return share[at]! - 0.5;
    const seed = seeds[at]!;
    if (seed < 0) return sign * FAR;
    // The edge lies beyond the centre of the nearest pixel on its other side, by that pixel's coverage above one half.
    return sign * Math.max(0, distance - Math.abs(0.5 - share[seed]!));
  });
}
