import { afterAll, beforeAll, describe } from 'vitest';
import { openDatabase } from '../../src/core/database/open_database.ts';
import type { Database, ScriptableDatabase } from '../../src/core/database/types.ts';
import { type FreshTables, freshTables } from './fresh_tables.ts';
import { newSchema } from './new_schema.ts';
import { openEmbeddedDatabase } from './open_embedded_database.ts';
import { needs } from './test_requirements.ts';

/** Returns a database with empty tables, the same one each time. */
export type Open = () => Promise<ScriptableDatabase>;

/**
 * Runs a suite on the embedded database and, if TEST_DATABASE_URL names a server, on PostgreSQL in its own
 * schema.
 * One database per file and engine, because opening one takes most of a second.
 */
export function forEachDatabase(suite: (name: Database['kind'], open: Open) => void): void {
  describe('embedded', () => suite('embedded', shared(embedded)));
  const serverUrl = process.env.TEST_DATABASE_URL;
  describe('postgresql', needs('PostgreSQL'), () =>
    suite(
      'postgresql',
      shared(() => postgresql(serverUrl!)),
    ),
  );
}

interface TestDatabase {
  readonly database: ScriptableDatabase;
  readonly schema: string;
  close(): Promise<void>;
}

function shared(openOne: () => Promise<TestDatabase>): Open {
  let opened: TestDatabase;
  let fresh: FreshTables;
  beforeAll(async () => {
    opened = await openOne();
    fresh = await freshTables(opened.database, opened.schema);
  });
  afterAll(() => opened?.close());
  return async () => {
    await fresh.restore();
    return opened.database;
  };
}

async function embedded(): Promise<TestDatabase> {
  const database = await openEmbeddedDatabase();
  return { database, schema: 'public', close: () => database.close() };
}

async function postgresql(serverUrl: string): Promise<TestDatabase> {
  const schema = await newSchema(serverUrl);
  const database = await openDatabase({ dataDir: 'unused', databaseUrl: schema.url });
  return {
    database,
    schema: schema.name,
    close: async () => {
      await database.close();
      await schema.drop();
    },
  };
}
