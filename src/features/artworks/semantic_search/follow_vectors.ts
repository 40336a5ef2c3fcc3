import type { Database } from '../../../core/database/types.ts';
import type { VectorSearchOf } from './types.ts';
import { unpackVector, VectorIndex } from './vector_index.ts';
import { readVectors } from './vector_store.ts';

const ROWS_AT_A_TIME = 2000;

/** Exact search: the vectors of a model are held in memory, and compared one by one. */
export const memorySearch =
  (database: Database): VectorSearchOf =>
  (model) => {
    const follow = followVectors(database, model);
    return {
      nearest: async (vector, { limit, museum }) =>
        (await follow())?.nearest(vector, limit, museum && `${museum}_`) ?? [],
      size: async () => (await follow())?.size ?? 0,
      prepare: async () => void (await follow()),
    };
  };

/** Follows the vectors of a model in memory: each call reads what is new in the database, one reading after the other. Undefined while there is none. */
function followVectors(database: Database, model: string): () => Promise<VectorIndex | undefined> {
  let index: VectorIndex | undefined;
  let last = 0;
  let reading: Promise<unknown> = Promise.resolve();
  const read = async () => {
    for (;;) {
      const rows = await readVectors(database, model, { after: last, limit: ROWS_AT_A_TIME });
      if (rows.length === 0) return index;
      for (const { id, vector } of rows) {
        const bytes = unpackVector(vector);
        index ??= new VectorIndex(bytes.length);
        // The model has changed its length under the same name: the newer one counts.
        if (!index.set(id, bytes)) {
          index = new VectorIndex(bytes.length);
          index.set(id, bytes);
        }
      }
      last = rows.at(-1)!.number;
    }
  };
  return () => {
    const next = reading.then(read);
    reading = next.catch(() => {});
    return next;
  };
}
