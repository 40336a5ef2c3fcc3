import type { Size } from '../pixels/plane.ts';
import type { Art } from './art.ts';

const SIDE = 300;
/** Margin of the distance grid around the artwork, in grid cells. */
const MARGIN = 48;
/** Alpha from which a pixel belongs to the motif; 65535 is opaque. */
const OPAQUE = 20_000;
const FAR = 1e9;

/**
 * Signed distance to the cut line of a sticker, which runs at the border width outside the opaque pixels. Coordinates are relative to the
 * centre, in units of `size`; the distance is negative on the sticker. Morphological closing fills gaps and holes narrower than twice the
 * border, which a cutter cannot follow. A fully transparent artwork counts as opaque.
 */
export function cutLineDistance(art: Art, size: Size, border: number): (x: number, y: number) => number {
  const step = Math.max(size.width, size.height) / SIDE;
  const width = Math.ceil(size.width / step) + 2 * MARGIN;
  const height = Math.ceil(size.height / step) + 2 * MARGIN;
  const squares = new Float64Array(width * height).fill(FAR);
  let isBlank = true;
  const placeIn = (at: number, shown: number, pixels: number): number => {
    const position = (at - MARGIN + 0.5) * step;
    return position < 0 || position >= shown
      ? -1
      : Math.min(pixels - 1, Math.floor((position * pixels) / shown));
  };
  const columns = Int32Array.from({ length: width }, (_, at) => placeIn(at, size.width, art.width));
  for (let row = 0; row < height; row += 1) {
    const line = placeIn(row, size.height, art.height);
    if (line < 0) continue;
    for (let column = 0; column < width; column += 1) {
      const position = columns[column]!;
      if (position < 0) continue;
      if (art.samples[4 * ((line + 1) * (art.width + 2) + position + 1) + 3]! < OPAQUE) continue;
      squares[row * width + column] = 0;
      isBlank = false;
    }
  }
  if (isBlank) return outsideOf(size, border);
  distanceTransform(squares, { width, height });
  // Closing: dilate by more than the border, then erode back to it.
  const wide = (CLOSING * border) / step;
  for (let at = 0; at < squares.length; at += 1) squares[at] = squares[at]! > wide * wide ? 0 : FAR;
  distanceTransform(squares, { width, height });
  const back = wide - border / step;
  const depths = new Float32Array(squares.length);
  for (let at = 0; at < squares.length; at += 1) depths[at] = back - Math.sqrt(squares[at]!);
  const distances = boxFiltered(depths, { width, height });
  return (x, y) => {
    const u = Math.max(0, Math.min(width - 1.001, (x + size.width / 2) / step + MARGIN - 0.5));
    const v = Math.max(0, Math.min(height - 1.001, (y + size.height / 2) / step + MARGIN - 0.5));
    const [column, row] = [Math.floor(u), Math.floor(v)];
    const at = row * width + column;
    const [fx, fy] = [u - column, v - row];
    const above = distances[at]! + fx * (distances[at + 1]! - distances[at]!);
    const below = distances[at + width]! + fx * (distances[at + width + 1]! - distances[at + width]!);
    return step * (above + fy * (below - above));
  };
}

const CLOSING = 2.4;

const outsideOf =
  ({ width, height }: Size, border: number) =>
  (x: number, y: number): number =>
    Math.hypot(Math.max(0, Math.abs(x) - width / 2), Math.max(0, Math.abs(y) - height / 2)) - border;

/** Squared Euclidean distance transform to the cells that are 0, in grid cells. */
function distanceTransform(squares: Float64Array, { width, height }: Size): void {
  const longest = Math.max(width, height);
  const scratch = {
    line: new Float64Array(longest),
    peaks: new Int32Array(longest),
    from: new Float64Array(longest + 1),
  };
  for (let row = 0; row < height; row += 1)
    lowerEnvelope(squares, { start: row * width, step: 1, count: width }, scratch);
  for (let column = 0; column < width; column += 1)
    lowerEnvelope(squares, { start: column, step: width, count: height }, scratch);
}

interface Scratch {
  readonly line: Float64Array;
  readonly peaks: Int32Array;
  readonly from: Float64Array;
}

/** One row or column of the squared distance transform, as the lower envelope of parabolas (Felzenszwalb and Huttenlocher, 2012). */
function lowerEnvelope(
  squares: Float64Array,
  { start, step, count }: { start: number; step: number; count: number },
  { line, peaks, from }: Scratch,
): void {
  for (let at = 0; at < count; at += 1) line[at] = squares[start + at * step]!;
  let last = 0;
  peaks[0] = 0;
  from[0] = -Infinity;
  from[1] = Infinity;
  for (let at = 1; at < count; at += 1) {
    const height = line[at]! + at * at;
    let crossing = parabolaIntersection(line, peaks[last]!, at, height);
    while (crossing <= from[last]!) {
      last -= 1;
      crossing = parabolaIntersection(line, peaks[last]!, at, height);
    }
    last += 1;
    peaks[last] = at;
    from[last] = crossing;
    from[last + 1] = Infinity;
  }
  for (let at = 0, piece = 0; at < count; at += 1) {
    while (from[piece + 1]! < at) piece += 1;
    const peak = peaks[piece]!;
    squares[start + at * step] = (at - peak) * (at - peak) + line[peak]!;
  }
}

/** Intersection of the parabolas of two cells. */
const parabolaIntersection = (line: Float64Array, before: number, at: number, height: number): number =>
  (height - line[before]! - before * before) / (2 * (at - before));

/** 3 × 3 box filter, applied twice. */
function boxFiltered(values: Float32Array, { width, height }: Size): Float32Array {
  let from = values;
  for (let pass = 0; pass < 2; pass += 1) {
    const to = Float32Array.from(from);
    for (let row = 1; row < height - 1; row += 1)
      for (let column = 1; column < width - 1; column += 1) {
        const at = row * width + column;
        const [above, below] = [at - width, at + width];
        to[at] =
          (from[above - 1]! +
            from[above]! +
            from[above + 1]! +
            from[at - 1]! +
            from[at]! +
            from[at + 1]! +
            from[below - 1]! +
            from[below]! +
            from[below + 1]!) /
          9;
      }
    from = to;
  }
  return from;
}
