import { describe } from 'vitest';
import { newSchema } from './new_schema.ts';
import { openTestApp, type TestApp } from './open_test_app.ts';
import { needs } from './test_requirements.ts';

type Open = (settings?: Record<string, string>) => Promise<TestApp>;

/**
 * Runs a suite on whole services: on the embedded database and, if TEST_DATABASE_URL names a server, on
 * PostgreSQL.
 * @param suite receives the database, for cases that do not depend on it and run on one of the two only
 */
export function forEachApp(suite: (open: Open, database: 'embedded' | 'postgresql') => void): void {
  describe('embedded', () => suite(openTestApp, 'embedded'));
  const serverUrl = process.env.TEST_DATABASE_URL;
  describe('postgresql', needs('PostgreSQL'), () => {
    suite((settings) => onPostgresql(serverUrl!, settings), 'postgresql');
  });
}

/** Each service gets its own schema, which is dropped when it closes. */
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
