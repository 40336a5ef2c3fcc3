/** Cost of a diagonal step; a horizontal or vertical step costs 1. */
const ASLANT = Math.SQRT2;

/**
 * Distance of each mask pixel to the nearest pixel outside the mask, in pixels; 0 outside. The image border does not count as outside.
 * Source: Borgefors, "Distance transformations in digital images", 1986.
 * @param mask 1 inside, otherwise 0
 */
export function distanceInside(mask: Uint8Array, width: number): Float32Array {
  const height = mask.length / width;
  const away = Float32Array.from(mask, (value) => (value === 0 ? 0 : width + height));
  const shorten = (at: number, from: number, length: number) => {
    if (away[from]! + length < away[at]!) away[at] = away[from]! + length;
  };
  for (let at = 0; at < away.length; at++) {
    if (away[at] === 0) continue;
    const x = at % width;
    if (x > 0) shorten(at, at - 1, 1);
    if (at < width) continue;
    shorten(at, at - width, 1);
    if (x > 0) shorten(at, at - width - 1, ASLANT);
    if (x < width - 1) shorten(at, at - width + 1, ASLANT);
  }
  for (let at = away.length - 1; at >= 0; at--) {
    if (away[at] === 0) continue;
    const x = at % width;
    if (x < width - 1) shorten(at, at + 1, 1);
    if (at + width >= away.length) continue;
    shorten(at, at + width, 1);
    if (x < width - 1) shorten(at, at + width + 1, ASLANT);
    if (x > 0) shorten(at, at + width - 1, ASLANT);
  }
  return away;
}
