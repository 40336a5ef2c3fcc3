import type { NearVector } from './vector_index.ts';

/** The vectors of a model, wherever they are compared: all of them in this process, or those in the nearest cells of the database. */
export interface VectorSearch {
  /** Works whose vectors are known. */
  readonly size: number;
  /** The nearest vectors, the most similar first. Nothing where the length of `asked` is another one. */
  nearest(asked: Float32Array, limit: number): Promise<NearVector[]>;
}
