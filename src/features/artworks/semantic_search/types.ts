import type { MuseumName } from '../museums/museums.ts';

export interface NearVector {
  readonly id: string;
  /** Cosine similarity, -1 to 1. */
  readonly similarity: number;
}

export interface NearestQuery {
  readonly limit: number;
  /** Only works of this museum. */
  readonly museum?: MuseumName | undefined;
}

/** Nearest-neighbour search over the stored vectors of one model. */
export interface VectorSearch {
  /**
   * Nearest works, most similar first; empty while no vector of the same dimensions is stored.
   * @throws AtelierError busy while the index is being built
   */
  nearest(vector: Float32Array, query: NearestQuery): Promise<NearVector[]>;
  /** Number of stored vectors. */
  size(): Promise<number>;
  /** Loads or builds the index, so that searches need not wait for it. */
  prepare(): Promise<void>;
}

/** Opens the vectors of a model. */
export type VectorSearchOf = (model: string) => VectorSearch;
