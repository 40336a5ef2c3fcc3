import { setImmediate as letOthersRun } from 'node:timers/promises';
import { packVector, VectorIndex } from '../vector_index.ts';

const ROUNDS = 5;

/** About the root of how many there are: choosing cells and looking through them take about as long. */
export const cellsOf = (vectors: number): number =>
  Math.max(16, Math.min(4096, 8 * Math.round(Math.sqrt(vectors) / 8)));
/** Vectors a cell that centres are chosen by. */
export const SAMPLES_A_CELL = 32;

/**
 * Centres that a sample of unit vectors lies around: each vector goes to its nearest centre, each centre to the middle of its vectors, some
 * times (k-means on a sphere). The same sample gives the same centres. A centre nobody goes to stays where it was.
 */
export async function chooseCentres(sample: readonly Float32Array[], cells: number): Promise<Float32Array[]> {
  const step = Math.max(1, Math.floor(sample.length / cells));
  let centres = Array.from({ length: cells }, (_, cell) => sample[(cell * step) % sample.length]!);
  for (let round = 0; round < ROUNDS; round += 1) {
    const nearest = nearestCentre(centres);
    const sums = centres.map((centre) => new Float64Array(centre.length));
    for (const [at, vector] of sample.entries()) {
      const sum = sums[await nearest(vector)]!;
      for (let member = 0; member < vector.length; member += 1) sum[member]! += vector[member]!;
      if (at % 64 === 0) await letOthersRun();
    }
    centres = sums.map((sum, cell) => unitOf(sum) ?? centres[cell]!);
  }
  return centres;
}

/** Tells the cell of a vector. */
export function nearestCentre(centres: readonly Float32Array[]): (vector: Float32Array) => Promise<number> {
  const index = indexOf(centres);
  return async (vector) => Number((await index.nearest(vector, 1))[0]!.id);
}

/** Centres to be compared with vectors, by their cells. */
export function indexOf(centres: readonly Float32Array[]): VectorIndex {
  const index = new VectorIndex(centres[0]!.length);
  for (const [cell, centre] of centres.entries()) index.set(`${cell}`, packVector(centre));
  return index;
}

/** Undefined for one without a direction. */
export function unitOf(vector: ArrayLike<number>): Float32Array | undefined {
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) squares += vector[at]! ** 2;
  return squares === 0 ? undefined : Float32Array.from(vector, (value) => value / Math.sqrt(squares));
}
