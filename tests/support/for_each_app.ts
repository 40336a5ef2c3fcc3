import { describe } from 'vitest';
import { needs } from './judge.ts';
import { newSchema } from './new_schema.ts';
import { openTestApp, type TestApp } from './open_test_app.ts';

/** Runs a suite on whole services: on the embedded database and, where TEST_DATABASE_URL names a server, on PostgreSQL. */
export function forEachApp(
  suite: (open: (settings?: Record<string, string>) => Promise<TestApp>) => void,
): void {
  describe('embedded', () => suite(openTestApp));
  const serverUrl = process.env.TEST_DATABASE_URL;
  describe('postgresql', needs('PostgreSQL'), () => suite((settings) => onPostgresql(serverUrl!, settings)));
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
