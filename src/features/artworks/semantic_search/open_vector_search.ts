import type { Config } from '../../../config/config.ts';
import { openDatabase } from '../../../core/database/open_database.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { memorySearch } from './follow_vectors.ts';
import { pgvectorSearch } from './pgvector.ts';
import { requirePgvector } from './pgvector_store.ts';
import type { VectorSearchOf } from './types.ts';

/** @throws Error naming the setting that is missing */
export function vectorSettings({ VECTORS_INDEX, DATABASE_URL: databaseUrl }: Config) {
  if (VECTORS_INDEX === 'memory') return undefined;
  if (databaseUrl) return { databaseUrl };
  throw new Error('VECTORS_INDEX=pgvector needs DATABASE_URL: the embedded database has no such extension.');
}

/**
 * Search by vectors where VECTORS_INDEX says: in the memory of this process, or in PostgreSQL.
 * @throws Error where PostgreSQL lacks the extension
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
