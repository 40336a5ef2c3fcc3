import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe } from 'vitest';
import { openTestApp, type TestApp } from './open_test_app.ts';

/** Runs a suite on whole services: on the embedded database and, where TEST_DATABASE_URL names a server, on PostgreSQL. */
export function forEachApp(
  suite: (open: (settings?: Record<string, string>) => Promise<TestApp>) => void,
): void {
  describe('embedded', () => suite(openTestApp));
  const serverUrl = process.env.TEST_DATABASE_URL;
  describe.skipIf(!serverUrl)(serverUrl ? 'postgresql' : 'postgresql (TEST_DATABASE_URL is not set)', () =>
    suite((settings) => onPostgresql(serverUrl!, settings)),
  );
}

/** Each service gets a schema of its own, which goes when it closes. */
async function onPostgresql(serverUrl: string, settings: Record<string, string> = {}): Promise<TestApp> {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create schema ${schema}`);
  const url = new URL(serverUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const app = await openTestApp({ ...settings, DATABASE_URL: url.href });
  return {
    ...app,
    close: async () => {
      await app.close();
      await run(`drop schema if exists ${schema}_queue cascade; drop schema ${schema} cascade`);
    },
  };
}
