/** Hamming distance of two hashes of the same length. */
export function bitsApart(one: Uint8Array, other: Uint8Array): number {
  let bits = 0;
  for (let at = 0; at < one.length; at++) {
    for (let left = one[at]! ^ other[at]!; left !== 0; left &= left - 1) bits++;
  }
  return bits;
}
