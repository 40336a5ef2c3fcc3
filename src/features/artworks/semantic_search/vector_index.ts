import { setImmediate as letOthersRun } from 'node:timers/promises';
import { VECTORS_A_GO, VectorMemory } from '@atelier/imaging/vector_search/vector_memory.ts';
import type { NearVector } from './types.ts';

/**
 * Quantises a vector to one signed byte per dimension, the largest 127. Angles change by less than a degree.
 */
export function packVector(vector: Float32Array): Int8Array {
  const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => (most === 0 ? 0 : Math.round((value / most) * 127)));
}

/** Decodes a stored vector from base64. */
export const unpackVector = (base64: string): Int8Array => new Int8Array(Buffer.from(base64, 'base64'));

/**
 * Vectors of equal length in memory, one byte per dimension, compared exhaustively: exact for the quantised
 * vectors.
 */
export class VectorIndex {
  readonly #memory: VectorMemory;
  readonly #places = new Map<string, number>();
  readonly #ids: string[] = [];
  #lengths = new Float32Array(0);

  constructor(dimensions: number) {
    this.#memory = new VectorMemory(dimensions);
  }

  get size(): number {
    return this.#ids.length;
  }

  /**
   * Stores the vector of a work, replacing an earlier one.
   * @returns false if its length differs
   */
  set(id: string, vector: Int8Array): boolean {
    if (vector.length !== this.#memory.dimensions) return false;
    const place = this.#places.get(id) ?? this.#ids.length;
    if (place === this.#ids.length) {
      this.#ids.push(id);
      this.#places.set(id, place);
      this.#grow();
    }
    this.#memory.set(place, vector);
    this.#lengths[place] = lengthOf(vector);
    return true;
  }

  /**
   * The nearest vectors, most similar first. Empty if the length of `asked` differs.
   * @param prefix only works whose id has this prefix
   */
  async nearest(asked: Float32Array, limit: number, prefix?: string): Promise<NearVector[]> {
    if (asked.length !== this.#memory.dimensions) return [];
    const similarities = new Float32Array(this.size);
    for (let from = 0; from < similarities.length; from += VECTORS_A_GO) {
      this.#memory.cosines(asked, from, this.#lengths, similarities);
      if (from + VECTORS_A_GO < similarities.length) await letOthersRun();
    }
    if (prefix !== undefined)
      for (const [place, id] of this.#ids.entries())
        if (!id.startsWith(prefix)) similarities[place] = Number.NEGATIVE_INFINITY;
    const places = largest(similarities, limit).filter((place) => Number.isFinite(similarities[place]));
    return places.map((place) => ({
      id: this.#ids[place]!,
      similarity: similarities[place]!,
    }));
  }

  /** Doubles the capacity when full. */
  #grow(): void {
    if (this.#ids.length <= this.#lengths.length) return;
    const lengths = new Float32Array(Math.max(1024, 2 * this.#lengths.length));
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }
}

/** Euclidean norm. Math.hypot with one argument per dimension would dominate the run time. */
function lengthOf(vector: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += vector[at]! * vector[at]!;
  return Math.sqrt(sum);
}

/** Indices of the largest numbers, in descending order; equal numbers in order of index. */
export function largest(numbers: Float32Array, limit: number): number[] {
  const best: number[] = [];
  for (let place = 0; place < numbers.length; place += 1) {
    const number = numbers[place]!;
    if (best.length === limit && number <= numbers[best.at(-1)!]!) continue;
    let [low, high] = [0, best.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[best[middle]!]! >= number) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, place);
    if (best.length > limit) best.pop();
  }
  return best;
}
