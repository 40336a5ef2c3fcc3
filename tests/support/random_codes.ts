/** Pseudo-random numbers, the same in every run (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** A hash of 256 bits. */
export const codeOf = (next: () => number): Uint8Array =>
  new Uint8Array(Uint32Array.from({ length: 8 }, next).buffer);
