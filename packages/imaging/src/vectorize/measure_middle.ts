import type { Size } from '../pixels/plane.ts';

/** How much of each pixel is ink, 0 to 255. */
export interface Shares extends Size {
  readonly data: Uint8Array;
}

/** How far beyond its depth the edge of ink is looked for, and how finely. */
const BEYOND_PX = 2;
const STEP_PX = 0.5;
const HALF = 127.5;

/**
 * The way from a place in ink to the ink's edge in one direction (of length 1), where half of a pixel would be ink; undefined
 * where it is farther off than `most`.
 */
export function wayOut(
  shares: Shares,
  x: number,
  y: number,
  dx: number,
  dy: number,
  most: number,
): number | undefined {
  let before = shareAt(shares, x, y);
  for (let way = STEP_PX; way <= most + BEYOND_PX; way += STEP_PX) {
    const here = shareAt(shares, x + way * dx, y + way * dy);
    if (here < HALF) return before < HALF ? 0 : way - STEP_PX * ((HALF - here) / (before - here));
    before = here;
  }
  return undefined;
}

/** Between the middles of four pixels; nothing is ink beyond the picture. */
function shareAt({ width, height, data }: Shares, x: number, y: number): number {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [right, down] = [x - 0.5 - left, y - 0.5 - top];
  const of = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : data[row * width + column]!;
  return (
    (1 - down) * ((1 - right) * of(left, top) + right * of(left + 1, top)) +
    down * ((1 - right) * of(left, top + 1) + right * of(left + 1, top + 1))
  );
}
