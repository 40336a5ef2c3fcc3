/** A step across counts 1, one aslant as much as its length. */
const ASLANT = Math.SQRT2;

/**
 * How far each pixel of a mask is from the nearest one outside it, in pixels; 0 outside. What lies beyond the picture does not count.
 * Source: Borgefors, "Distance transformations in digital images", 1986.
 * @param mask 1 inside, else 0
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
