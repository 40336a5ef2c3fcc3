import { describe } from 'vitest';
import { needs } from './judge.ts';
import { newSchema } from './new_schema.ts';
import { openTestApp, type TestApp } from './open_test_app.ts';

type Open = (settings?: Record<string, string>) => Promise<TestApp>;

/**
 * Runs a suite on whole services: on the embedded database and, where TEST_DATABASE_URL names a server, on PostgreSQL.
 * @param suite is told which, for cases that differ only in what no database sees: those need one of the two
 */
export function forEachApp(suite: (open: Open, database: 'embedded' | 'postgresql') => void): void {
  describe('embedded', () => suite(openTestApp, 'embedded'));
  const serverUrl = process.env.TEST_DATABASE_URL;
  describe('postgresql', needs('PostgreSQL'), () => {
    suite((settings) => onPostgresql(serverUrl!, settings), 'postgresql');
  });
}

/** Each service gets a schema of its own, which goes when it closes. */
async function onPostgresql(serverUrl: string, settings: Record<string, string> = {}): Promise<TestApp> {
  const schema = await newSchema(serverUrl);
  const app = await openTestApp({ ...settings, DATABASE_URL: schema.url });
  return {
    ...app,
    close: async () => {
      await app.close();
      await schema.drop();
    },
  };
}
