/**
 * Reproducible pseudo-random numbers: a 32-bit counter through the finaliser of MurmurHash3. Positions, signs and offsets of watermarks are drawn
 * from them, so any change makes existing watermarks unreadable.
 */
export function keyedRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
}

/** The numbers 0 to `count` - 1 in a keyed order (Fisher–Yates). */
export function keyedOrder(count: number, next: () => number): Uint16Array {
  const order = Uint16Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = next() % (last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
