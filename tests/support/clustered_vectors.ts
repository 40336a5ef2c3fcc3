interface Lie {
  readonly dimensions: number;
  readonly clusters: number;
  readonly seed?: number;
}

/** In how many directions vectors differ, beside a little noise in all: those of real models lie in few, too. */
const DIRECTIONS = 24;
const NOISE = 0.1;

/** Vectors around some centres, as embeddings lie; the same for the same seed. */
export function clusteredVectors(count: number, { dimensions, clusters, seed = 7 }: Lie): Float32Array[] {
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  const list = (length: number) => Float32Array.from({ length }, random);
  const directions = Array.from({ length: DIRECTIONS }, () => list(dimensions));
  const centres = Array.from({ length: clusters }, () => list(DIRECTIONS));
  return Array.from({ length: count }, (_, at) => {
    const vector = list(dimensions).map((value) => NOISE * value);
    for (const [nth, direction] of directions.entries()) {
      const along = centres[at % clusters]![nth]! + random();
      for (let member = 0; member < dimensions; member += 1) vector[member]! += along * direction[member]!;
    }
    return vector;
  });
}
