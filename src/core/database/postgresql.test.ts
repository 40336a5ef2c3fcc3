import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { needs } from '../../../tests/support/test_requirements.ts';
import { openPostgresql } from './postgresql.ts';

const serverUrl = process.env.TEST_DATABASE_URL;

/** Session settings in the startup message (PostgreSQL's documentation, message formats, StartupMessage). */
function settingsIn(startup: Buffer): string[] {
  const words = startup.subarray(8).toString().split('\0');
  return words.filter((word, at) => at % 2 === 0 && word !== '');
}

test(
  'sessions are configured by statements, because poolers refuse startup settings',
  needs('PostgreSQL'),
  async () => {
    const { hostname, port } = new URL(serverUrl!);
    let startup: Buffer | undefined;
    const pooler = createServer((client) => {
      const server = connect(Number(port || 5432), hostname);
      client.once('data', (first) => {
        startup ??= first as Buffer;
      });
      client
        .on('error', () => {})
        .pipe(server.on('error', () => {}))
        .pipe(client);
    }).listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    const url = new URL(serverUrl!);
    url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`;
    const database = await openPostgresql(url.href);
    // The only parameters that PgBouncer accepts by default.
    expect(['user', 'database', 'client_encoding', 'application_name']).toEqual(
      expect.arrayContaining(settingsIn(startup!)),
    );
    const settings = `select current_setting('jit') as jit, current_setting('statement_timeout') as timeout`;
    expect(await database.query(settings)).toEqual([{ jit: 'off', timeout: '30s' }]);
    await database.close();
    pooler.close();
  },
);
