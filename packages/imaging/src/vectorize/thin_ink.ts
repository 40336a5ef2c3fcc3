import type { InkMask } from './ink_depth.ts';

/** Steps to the eight neighbours, all the way round. */
export const neighboursOf = (across: number): readonly number[] => [
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
 * The middle lines of ink, one pixel wide and as connected as the ink is: pixels are taken away from the outside inwards
 * while nothing falls apart and no end is lost. `depths` are the squares of `inkDepth`. Ends that stand for a bump of the edge only are still there.
 * Source: the ordering of C. Pudney, "Distance-ordered homotopic thinning", 1998; what may go, S. Yokoi and others, 1975.
 */
export function thinInk({ ink, across }: InkMask, depths: Float64Array): Uint8Array {
  const left = ink.slice();
  const around = neighboursOf(across);
  // From above, below, right and left in turn: else a line two pixels wide would be eaten up from its end.
  const sides = [-across, across, 1, -1];
  const peel = (pixels: Int32Array): number => {
    let taken = 0;
    for (const side of sides) {
      const open = pixels.filter((pixel) => left[pixel] === 1 && left[pixel + side] === 0);
      for (const pixel of open) {
        if (!mayGo(left, pixel, around)) continue;
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

/** Whether a pixel can go: it is no end, and its neighbours hang together without it. */
function mayGo(left: Uint8Array, pixel: number, around: readonly number[]): boolean {
  let neighbours = 0;
  for (const step of around) neighbours += left[pixel + step]!;
  return neighbours > 1 && connectionsAt(left, pixel, around) === 1;
}

/** How many pieces of ink meet in a pixel, counted over corners too. */
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
