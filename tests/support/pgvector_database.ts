import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { oneSession } from '../../src/core/database/exchange.ts';
import { migrate } from '../../src/core/database/migrate.ts';
import type { Connection, ScriptableDatabase } from '../../src/core/database/types.ts';

/** The embedded engine in memory, with the pgvector extension that a PostgreSQL server may have. */
export async function openPgvectorDatabase(): Promise<ScriptableDatabase> {
  const engine = await PGlite.create({ extensions: { vector } });
  const connection: Connection = {
    query: async <Row>(text: string, values?: readonly unknown[]) =>
      (await engine.query<Row>(text, values && [...values])).rows,
    script: async (text) => void (await engine.exec(text)),
  };
  const database = oneSession({ connection: () => connection, stop: () => engine.close() });
  await migrate(database);
  return database;
}
