import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../tests/support/judge.ts';
import { newSchema } from '../../tests/support/new_schema.ts';
import { openTcpProxy, type TcpProxy } from '../../tests/support/tcp_proxy.ts';
import { readConfig } from '../config.ts';
import type { ScriptableDatabase } from '../database/contract.ts';
import { openDatabase } from '../database/open.ts';
import { importWorks } from './editions/import_works.ts';
import { openIndexes } from './open_indexes.ts';
import { parseRecord } from './records/record.ts';
import { search } from './search/search.ts';

const work = (number: number) =>
  parseRecord({
    ...{ id: `rijks_${number}`, museum: 'rijks', title: `Sea ${number}`, source_url: 'https://museum.test/' },
    rights: { status: 'public_domain', evidence: null, url: 'https://museum.test/rights' },
  });

test('replicas of an embedded database are refused, for there are none', () => {
  const config = readConfig({ INDEX_DATABASE_URLS: 'postgres://replica' });
  expect(() => openIndexes(config, {} as ScriptableDatabase, { report: () => {} })).toThrow(
    'needs DATABASE_URL',
  );
});

describe('two servers that share the parts of the index', needs('PostgreSQL'), () => {
  let database: ScriptableDatabase;
  let schema: Awaited<ReturnType<typeof newSchema>>;
  let proxy: TcpProxy;
  let indexes: ReturnType<typeof openIndexes>;

  beforeAll(async () => {
    schema = await newSchema(process.env.TEST_DATABASE_URL!);
    proxy = await openTcpProxy(schema.url);
    database = await openDatabase({ dataDir: 'unused', databaseUrl: schema.url });
    const urls = { DATABASE_URL: schema.url, INDEX_DATABASE_URLS: `${schema.url}, ${proxy.url}` };
    indexes = openIndexes(readConfig({ ...urls, WORDS_INDEX: 'database' }), database, { report: () => {} });
    await importWorks(
      database,
      async function* (report) {
        for (let number = 1; number <= 40; number += 1) {
          report.rows += 1;
          yield work(number);
        }
      },
      {
        ...{ museum: 'rijks', source: 'test', now: () => new Date(), mayLose: async () => true },
        ...{ signal: new AbortController().signal, onProgress() {} },
      },
    );
  });
  afterAll(async () => {
    await indexes?.close();
    await proxy?.close();
    await database?.close();
    await schema?.drop();
  });

  const found = () => search(database, 1, { query: 'sea', limit: 50 });

  test('find everything together, and what is left while one of them is away', async () => {
    expect(await found()).toMatchObject({ total: 40 });
    await proxy.refuse();
    expect(await found()).toMatchObject({ total: 20, away: { parts: 4, of: 8 } });
    await proxy.restore();
    await expect.poll(async () => (await found()).away, { timeout: 10_000 }).toBeUndefined();
  });
});
