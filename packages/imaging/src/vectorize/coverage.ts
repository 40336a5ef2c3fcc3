/** Pixel coverage of closed outlines. */
export interface Coverage {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** 0 to 1, row by row; `width` a row. Overwritten by the next call. */
  readonly shares: Float32Array;
}

/**
 * Returns a function that computes the pixel coverage of a shape on a canvas, exact except for overlaps within a pixel.
 * Outlines are closed polylines x, y, x, y …; outlines of the opposite direction are holes. Source: signed area
 * accumulation as in R. Levien's font-rs, 2016.
 */
export function createCoverage(width: number, height: number): (outlines: readonly number[][]) => Coverage {
  let buffer = new Float32Array(0);
  return (outlines) => {
    const box = boxOf(outlines, width, height);
    const across = box.right - box.left + 2;
    const down = box.bottom - box.top;
    if (buffer.length < across * down) buffer = new Float32Array(across * down);
    const shares = buffer.subarray(0, across * down).fill(0);
    for (const points of outlines)
      for (let at = 0; at < points.length; at += 2) {
        const next = (at + 2) % points.length;
        addEdge(
          shares,
          { width: across - 2, stride: across, height: down },
          [points[at]! - box.left, points[at + 1]! - box.top],
          [points[next]! - box.left, points[next + 1]! - box.top],
        );
      }
    for (let row = 0; row < down; row++) {
      let sum = 0;
      for (let at = row * across; at < (row + 1) * across; at++) {
        sum += shares[at]!;
        shares[at] = Math.min(1, Math.abs(sum));
      }
    }
    return { left: box.left, top: box.top, width: across, height: down, shares };
  };
}

function boxOf(outlines: readonly number[][], width: number, height: number) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (const points of outlines)
    for (let at = 0; at < points.length; at += 2) {
      left = Math.min(left, points[at]!);
      right = Math.max(right, points[at]!);
      top = Math.min(top, points[at + 1]!);
      bottom = Math.max(bottom, points[at + 1]!);
    }
  return {
    left: Math.max(0, Math.floor(left)),
    top: Math.max(0, Math.floor(top)),
    right: Math.min(width, Math.ceil(right)),
    bottom: Math.max(Math.max(0, Math.floor(top)), Math.min(height, Math.ceil(bottom))),
  };
}

type Point = readonly [x: number, y: number];

/** Adds the area to the right of one edge, signed by whether it runs up or down. */
function addEdge(
  shares: Float32Array,
  { width, stride, height }: { width: number; stride: number; height: number },
  from: Point,
  to: Point,
): void {
  if (from[1] === to[1]) return;
  const sign = from[1] < to[1] ? 1 : -1;
  const [upper, lower] = sign > 0 ? [from, to] : [to, from];
  const slope = (lower[0] - upper[0]) / (lower[1] - upper[1]);
  const end = Math.min(height, Math.ceil(lower[1]));
  for (let row = Math.max(0, Math.floor(upper[1])); row < end; row++) {
    const y0 = Math.max(row, upper[1]);
    const y1 = Math.min(row + 1, lower[1]);
    if (y1 <= y0) continue;
    const xa = clip(upper[0] + (y0 - upper[1]) * slope, width);
    const xb = clip(upper[0] + (y1 - upper[1]) * slope, width);
    addRow(shares, row * stride, sign * (y1 - y0), Math.min(xa, xb), Math.max(xa, xb));
  }
}

const clip = (x: number, width: number): number => Math.min(width, Math.max(0, x));

/** Spreads an edge's height over the pixels it crosses in one row. */
function addRow(shares: Float32Array, start: number, height: number, x0: number, x1: number): void {
  const first = Math.floor(x0);
  const past = Math.ceil(x1);
  if (past <= first + 1) {
    const middle = (x0 + x1) / 2 - first;
    shares[start + first]! += height * (1 - middle);
    shares[start + first + 1]! += height * middle;
    return;
  }
  const inverse = 1 / (x1 - x0);
  const ahead = 1 - (x0 - first);
  const a0 = 0.5 * inverse * ahead * ahead;
  const behind = x1 - past + 1;
  const am = 0.5 * inverse * behind * behind;
  shares[start + first]! += height * a0;
  if (past === first + 2) {
    shares[start + first + 1]! += height * (1 - a0 - am);
  } else {
    const a1 = inverse * (1.5 - (x0 - first));
    shares[start + first + 1]! += height * (a1 - a0);
    for (let x = first + 2; x < past - 1; x++) shares[start + x]! += height * inverse;
    const a2 = a1 + (past - first - 3) * inverse;
    shares[start + past - 1]! += height * (1 - a2 - am);
  }
  shares[start + past]! += height * am;
}
