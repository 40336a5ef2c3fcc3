/** Vectors around some centres, as embeddings lie; the same for the same seed. */
export function clusteredVectors(
  count: number,
  { dimensions, clusters, seed = 7 }: { dimensions: number; clusters: number; seed?: number },
): Float32Array[] {
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  const one = () => Float32Array.from({ length: dimensions }, random);
  const centres = Array.from({ length: clusters }, one);
  return Array.from({ length: count }, (_, at) => {
    const beside = one();
    return centres[at % clusters]!.map((value, member) => value + 0.8 * beside[member]!);
  });
}
