import type { Config } from '../../../config/config.ts';
import { openDatabase } from '../../../core/database/open_database.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { pgvectorSearch } from './pgvector.ts';
import { requirePgvector } from './pgvector_store.ts';
import type { VectorSearchOf } from './types.ts';
import { unpackVector, VectorIndex } from './vector_index.ts';
import { readVectors } from './vector_store.ts';

/** @throws Error naming the missing setting */
export function vectorSettings({ VECTORS_INDEX, DATABASE_URL: databaseUrl }: Config) {
  if (VECTORS_INDEX === 'memory') return undefined;
  if (databaseUrl) return { databaseUrl };
  throw new Error('VECTORS_INDEX=pgvector needs DATABASE_URL: the embedded database has no such extension.');
}

/**
 * Creates the vector search selected by VECTORS_INDEX: in memory, or in PostgreSQL.
 * @throws Error if PostgreSQL lacks the extension
 */
export async function openVectorSearch(config: Config, database: Database): Promise<VectorSearchOf> {
  const settings = vectorSettings(config);
  if (!settings) return memorySearch(database);
  const schema = await requirePgvector(database).catch((error: unknown) => {
    if (error instanceof AtelierError) throw error;
    throw new Error(
      `VECTORS_INDEX=pgvector cannot be used: ${(error as Error).message}. Install pgvector 0.8 or newer on the PostgreSQL server, or set VECTORS_INDEX=memory.`,
      { cause: error },
    );
  });
  const place = { ...settings, dataDir: config.DATA_DIR, isPatient: true, isAsFound: true };
  return pgvectorSearch({
    database,
    schema,
    async patiently(work) {
      const patient = await openDatabase(place);
      await work(patient).finally(() => patient.close());
    },
  });
}

const ROWS_AT_A_TIME = 2000;

/** Exact search: holds the vectors of a model in memory and compares all of them. */
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

/**
 * Keeps the vectors of a model up to date in memory: each call reads new rows, one read after the other.
 * Undefined while there are none.
 */
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
        // The model changed its dimensions under the same name: the newer one wins.
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
