/**
 * PDQ bits of real pictures hang together: distances of unrelated ones spread as those of so many independent bits would.
 * Measured by bench/hash_search.ts.
 */
const INDEPENDENT_BITS = 150;
const HASH_BITS = 256;

/**
 * How likely at least one of `compared` unrelated pictures lies within `distance` bits: a binomial tail over the bits that
 * are independent. An estimate of an order of magnitude, and blind to pictures that resemble each other for a reason.
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
