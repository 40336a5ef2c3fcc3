import type { Database } from '../../../core/database/types.ts';
import { VectorIndex } from './vector_index.ts';
import { readVectors } from './vector_store.ts';

const ROWS_AT_A_TIME = 2000;

/**
 * Follows the vectors of a model in memory: each call reads what is new in the database, one reading after the other. Undefined while there is none.
 * @param after only vectors with higher numbers
 */
export function followVectors(
  database: Database,
  model: string,
  after = 0,
): () => Promise<VectorIndex | undefined> {
  let index: VectorIndex | undefined;
  let last = after;
  let reading: Promise<unknown> = Promise.resolve();
  const read = async () => {
    for (;;) {
      const rows = await readVectors(database, model, { after: last, limit: ROWS_AT_A_TIME });
      if (rows.length === 0) return index;
      for (const { id, vector } of rows) {
        const bytes = new Int8Array(Buffer.from(vector, 'base64'));
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
