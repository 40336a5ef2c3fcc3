import type { Database } from '../../database/contract.ts';
import { followVectors } from './follow_vectors.ts';
import type { VectorSearch } from './vector_search.ts';

/** Gives what is searched of a model with each call, up to date; undefined while it has no vectors. */
export type FollowVectors = () => Promise<VectorSearch | undefined>;
type Place = (database: Database, model: string) => FollowVectors;

const PLACED = new WeakMap<Database, Place>();

/** Follows the vectors of a model in this process, unless they were placed elsewhere. */
export const vectorsIn: Place = (database, model) => (PLACED.get(database) ?? followVectors)(database, model);

/** From now on the vectors of a database are compared there. Said once, when the dataset is opened. */
export function placeVectors(database: Database, place: Place): void {
  PLACED.set(database, place);
}
