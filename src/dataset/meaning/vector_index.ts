import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Numbers multiplied before others get their turn: about 2 ms. */
const PRODUCTS_AT_A_TIME = 2_000_000;

/** A vector as it is kept: one signed byte a dimension, the largest 127. An angle changes by less than a degree. */
export function packVector(vector: Float32Array): Int8Array {
  const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => (most === 0 ? 0 : Math.round((value / most) * 127)));
}

export interface NearVector {
  readonly id: string;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** Vectors of one length in memory, a byte a dimension, compared one by one: exact for what is kept. */
export class VectorIndex {
  readonly #dimensions: number;
  readonly #places = new Map<string, number>();
  readonly #ids: string[] = [];
  #bytes = new Int8Array(0);
  #lengths = new Float32Array(0);

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Keeps the vector of a work, in place of an earlier one. @returns false where its length is another one */
  set(id: string, vector: Int8Array): boolean {
    if (vector.length !== this.#dimensions) return false;
    const place = this.#places.get(id) ?? this.#ids.length;
    if (place === this.#ids.length) {
      this.#ids.push(id);
      this.#places.set(id, place);
      this.#grow();
    }
    this.#bytes.set(vector, place * this.#dimensions);
    this.#lengths[place] = Math.hypot(...vector);
    return true;
  }

  /** The nearest vectors, the most similar first. Nothing where the length of `asked` is another one. */
  async nearest(asked: Float32Array, limit: number): Promise<NearVector[]> {
    if (asked.length !== this.#dimensions) return [];
    const length = Math.hypot(...asked) || 1;
    const atATime = Math.max(1, Math.floor(PRODUCTS_AT_A_TIME / this.#dimensions));
    const similarities = new Float32Array(this.size);
    for (let from = 0; from < similarities.length; from += atATime) {
      const to = Math.min(similarities.length, from + atATime);
      for (let place = from; place < to; place += 1) {
        similarities[place] = this.#product(asked, place) / (length * (this.#lengths[place] || 1));
      }
      if (to < similarities.length) await letOthersRun();
    }
    return [...similarities.keys()]
      .sort((one, other) => similarities[other]! - similarities[one]!)
      .slice(0, limit)
      .map((place) => ({ id: this.#ids[place]!, similarity: similarities[place]! }));
  }

  #product(asked: Float32Array, place: number): number {
    const start = place * this.#dimensions;
    let sum = 0;
    for (let at = 0; at < asked.length; at += 1) sum += asked[at]! * this.#bytes[start + at]!;
    return sum;
  }

  /** Twice the room when it is full. */
  #grow(): void {
    if (this.#ids.length <= this.#lengths.length) return;
    const room = Math.max(1024, 2 * this.#lengths.length);
    const bytes = new Int8Array(room * this.#dimensions);
    bytes.set(this.#bytes);
    const lengths = new Float32Array(room);
    lengths.set(this.#lengths);
    this.#bytes = bytes;
    this.#lengths = lengths;
  }
}
