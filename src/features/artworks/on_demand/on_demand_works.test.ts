import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeMuseums, startFakeMuseums } from '../../../../tests/support/fake_museums.ts';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { MET, metAnswer } from '../../../../tests/support/museum_answers.ts';
import type { Database, ScriptableDatabase } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Reach } from '../../../core/outbound_http/reach.ts';
import { withdraw } from '../dataset.ts';
import { LIVE_FAILED_MS, LIVE_FRESH_MS } from '../limits.ts';
import { type ArtworkRecord, parseRecord } from '../records/record.ts';
import { readRecord } from '../records/record_store.ts';
import { importWorks } from '../releases/import_works.ts';
import { createMuseumClient } from './museum_client.ts';
import { createOnDemandWorks } from './on_demand_works.ts';

const ID = 'met_436535';
/** A record of the starter catalogue, not read at a museum. */
const BY_HAND = parseRecord({
  id: ID,
  museum: 'met',
  title: 'By hand',
  source_url: 'https://museum.test/1',
  rights: {
    status: 'public_domain',
    evidence: null,
    url: 'https://creativecommons.org/publicdomain/mark/1.0/',
  },
});

let museums: FakeMuseums;
beforeAll(async () => {
  museums = await startFakeMuseums();
});
afterAll(() => museums.close());

forEachDatabase((_, openDatabase) => {
  let database: ScriptableDatabase;
  let now = new Date('2026-03-01T12:00:00Z');
  let brought: string[] = [];

  const publish = async (...records: ArtworkRecord[]): Promise<number> => {
    const rows = async function* (report: { rows: number }) {
      for (const record of records) {
        report.rows += 1;
        yield record;
      }
    };
    const options = { museum: 'starter', source: 'a test', now: () => now, onProgress() {} };
    const { edition } = await importWorks(database, rows, {
      ...options,
      signal: new AbortController().signal,
    });
    return edition.number;
  };
  /** A newly started server with the contents of the database. */
  const started = (
    reach = anyAddress(),
    bring = async ({ image }: ArtworkRecord) => void brought.push(image!.url),
    stored: Database = database,
  ) => {
    const works = createOnDemandWorks({
      database: stored,
      isOn: true,
      keys: { SMITHSONIAN_API_KEY: undefined, PARIS_MUSEES_TOKEN: undefined },
      museums: createMuseumClient({ reach, mirror: museums.url, wait: async () => {} }),
      bring,
      now: () => now,
    });
    return async (edition: number, id = ID) =>
      works.complete(edition, (await readRecord(database, edition, id))!);
  };
  const fresh = async () => {
    database = await openDatabase();
    now = new Date('2026-03-01T12:00:00Z');
    brought = [];
    museums.says(MET, metAnswer());
    museums.asked();
    return publish(BY_HAND);
  };

  test('a fetched record is stored with its date and its image is fetched once', async () => {
    const edition = await fresh();
    const { record, seenOn, live } = await started()(edition);
    expect([record.title, seenOn, live]).toEqual(['A Field', '2026-03-01', { askedOn: '2026-03-01' }]);
    now = new Date('2026-03-20T12:00:00Z');
    expect(await started()(edition)).toMatchObject({ record: { title: 'A Field' }, seenOn: '2026-03-01' });
    expect([museums.asked().length, brought]).toEqual([1, [record.image!.url]]);
  });

  test('concurrent requests with a slow database send one request to the museum', async () => {
    const edition = await fresh();
    let reads = 0;
    const slow: Database = {
      ...database,
      async query(...asked) {
        const rows = await database.query(...asked);
        if (asked[0].startsWith('select id, completes')) reads += 1;
        if (reads === 2) await first;
        return rows as never;
      },
    };
    const complete = started(undefined, undefined, slow);
    const first = complete(edition);
    const titles = (await Promise.all([first, complete(edition)])).map(({ record }) => record.title);
    expect([titles, museums.asked().length]).toEqual([['A Field', 'A Field'], 1]);
  });

  test('a record older than a month is revalidated with a conditional request', async () => {
    const edition = await fresh();
    await started()(edition);
    now = new Date(now.getTime() + LIVE_FRESH_MS);
    expect(await started()(edition)).toMatchObject({ record: { title: 'A Field' }, seenOn: '2026-03-31' });
    expect(museums.asked().map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([
      false,
      true,
    ]);
    museums.says(MET, metAnswer({ title: 'A Field, renamed' }));
    now = new Date(now.getTime() + LIVE_FRESH_MS);
    expect((await started()(edition)).record.title).toBe('A Field, renamed');
  });

  test.each([
    ['U+0000', 'a\0b', 'ab'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ])(
    'a record with %s is read and later fetched without a conditional request',
    async (_, sent, creditLine) => {
      const edition = await fresh();
      museums.says(MET, metAnswer({ creditLine: sent, [sent]: sent }));
      expect((await started()(edition)).record.credit_line.replace(' ', '')).toBe(creditLine);
      now = new Date(now.getTime() + LIVE_FRESH_MS);
      await started()(edition);
      expect(museums.asked().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
    },
  );

  test('an imported record replaces a fetched record', async () => {
    await fresh();
    const imported = parseRecord({
      ...BY_HAND,
      title: 'Imported',
      image: { kind: 'file', url: 'https://museum.test/1.jpg' },
      rights: { ...BY_HAND.rights, evidence: { field: 'isPublicDomain', value: 'true' } },
    });
    const edition = await publish(imported);
    const work = await started()(edition);
    expect([work.record.title, work.live, museums.asked()]).toEqual(['Imported', undefined, []]);
  });

  test('a withdrawn work is deleted from the fetched records', async () => {
    const edition = await fresh();
    await started()(edition);
    await withdraw(database, { id: ID, reason: 'asked for', now });
    expect(await database.query('select id from artwork_live')).toEqual([]);
  });

  describe('no partial results', () => {
    test('a failed image fetch leaves the work unchanged and reports the problem', async () => {
      const edition = await fresh();
      const { live, record } = await started(anyAddress(), async () => {
        throw new AtelierError('upstream_failed', 'The picture cannot be had.');
      })(edition);
      expect([record.title, live?.problem]).toEqual(['By hand', 'The picture cannot be had.']);
      expect(await database.query('select id from artwork_live')).toEqual([]);
    });

    test('a failed record fetch is retried after a delay', async () => {
      const edition = await fresh();
      museums.says(MET, { code: 503 });
      const complete = started();
      const failed = await complete(edition);
      expect([failed.record.title, failed.seenOn]).toEqual(['By hand', null]);
      expect(failed.live?.problem).toContain('returned status 503');
      museums.says(MET, metAnswer());
      expect((await complete(edition)).record.title).toBe('By hand');
      now = new Date(now.getTime() + LIVE_FAILED_MS);
      expect((await complete(edition)).record.title).toBe('A Field');
    });

    test('a redirect to a private address is not followed', async () => {
      const edition = await fresh();
      museums.says(MET, { code: 302, headers: { location: 'http://127.0.0.2/latest/meta-data' } });
      const { record, live } = await started(thisAddress())(edition);
      expect([record.title, live?.problem]).toEqual([
        'By hand',
        expect.stringMatching(/has an address outside the public internet|could not be reached/),
      ]);
    });
  });
});

const anyAddress = (): Reach => ({
  schemes: ['http:'],
  allows: () => true,
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
/** 127.0.0.1 counts as a public address. */
const thisAddress = (): Reach => ({ ...anyAddress(), allows: (address: string) => address === '127.0.0.1' });
