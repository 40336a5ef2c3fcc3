import type { Size } from '../pixels/plane.ts';

/** What is ink, with a rim of one pixel of nothing round it: rows of `across` pixels, width + 2. */
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
 * The squared distance of every pixel of a mask to the nearest one that is no ink, in pixels from middle to middle.
 * Source: P. F. Felzenszwalb and D. P. Huttenlocher, "Distance transforms of sampled functions", 2012.
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
