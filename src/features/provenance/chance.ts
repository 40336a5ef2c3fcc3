/**
 * Effective number of independent bits of a PDQ hash. Bits of real images are correlated: distances of 6,240
 * pairs (mean 128.0, standard deviation 8.38) spread like those of 233 independent bits. The lower value
 * allows for images that resemble each other more than those.
 */
const INDEPENDENT_BITS = 150;
const HASH_BITS = 256;

/**
 * Probability that at least one of `compared` unrelated images lies within `distance` bits: a binomial tail
 * over the independent bits. Accurate to an order of magnitude, and not valid for images that resemble each
 * other for a reason.
 */
export function chanceOf(distance: number, compared: number): number {
  const differing = Math.floor((distance / HASH_BITS) * INDEPENDENT_BITS);
  let term = 2 ** -INDEPENDENT_BITS;
  let tail = term;
  for (let bits = 1; bits <= differing; bits++) {
    term *= (INDEPENDENT_BITS - bits + 1) / bits;
    tail += term;
  }
  return Math.min(1, -Math.expm1(compared * Math.log1p(-tail)));
}

/** Share of equal bits of a registered hash and the nearest of the given hashes. */
export const similarityOf = (hashes: readonly Uint8Array[], registered: Uint8Array): number =>
  1 - Math.min(...hashes.map((hash) => distanceOf(hash, registered))) / HASH_BITS;

/** Hamming distance of two hashes, in bits. */
export function distanceOf(one: Uint8Array, other: Uint8Array): number {
  let bits = 0;
  for (let at = 0; at < one.length; at++) {
    for (let left = one[at]! ^ other[at]!; left !== 0; left &= left - 1) bits++;
  }
  return bits;
}
