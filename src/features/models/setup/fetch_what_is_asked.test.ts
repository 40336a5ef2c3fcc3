import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import type { Database } from '../../../core/database/types.ts';
import { endFetch, insertFetch, selectFetches, takeFetch } from './fetch_store.ts';
import { fetchWhatIsAsked } from './open_fetches.ts';

const logger = { info() {}, error() {} };
const asked = (name: string) => ({ name, at: new Date(0), who: 'token ada' });
type Run = Parameters<typeof fetchWhatIsAsked>[0]['run'];

const server = (database: Database, run: Run) => fetchWhatIsAsked({ database, run, logger, lookMs: 20 });
const untilStopped: Run = async (_name, { signal }) => {
  await sleep(60_000, undefined, { signal }).catch(() => {});
  return { ok: false, said: 'stopped' };
};

async function until(database: Database, state: string) {
  for (;;) {
    const [fetch] = await selectFetches(database);
    if (fetch?.state === state) return fetch;
    await sleep(10);
  }
}

forEachDatabase((_name, open) => {
  test('a requested download runs once on one of two servers and reports progress', async () => {
    const database = await open();
    const ran: string[] = [];
    const [going, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run: Run = async (name, { onProgress }) => {
      ran.push(name);
      onProgress(0.5, '3 MB');
      going.resolve();
      await go.promise;
      return { ok: true, said: '7 works' };
    };
    const servers = [server(database, run), server(database, run)];
    await insertFetch(database, asked('met'));
    await going.promise;
    while ((await selectFetches(database))[0]!.said !== '3 MB') await sleep(10);
    expect(await selectFetches(database)).toMatchObject([{ state: 'running', fraction: 0.5 }]);
    go.resolve();
    expect(await until(database, 'done')).toMatchObject({ said: '7 works', fraction: 1, who: 'token ada' });
    await Promise.all(servers.map(({ stop }) => stop()));
    expect(ran).toEqual(['met']);
  });

  test('one download is queued at a time and can be repeated after it ends', async () => {
    const database = await open();
    expect(await insertFetch(database, asked('met'))).toBe(true);
    expect([await insertFetch(database, asked('nga')), await insertFetch(database, asked('met'))]).toEqual([
      false,
      false,
    ]);
    expect(await endFetch(database, 'met', new Date())).toBe(true);
    expect(await selectFetches(database)).toMatchObject([{ name: 'met', state: 'stopped' }]);
    expect([await endFetch(database, 'met', new Date()), await endFetch(database, 'x', new Date())]).toEqual([
      false,
      false,
    ]);
    expect(await insertFetch(database, asked('met'))).toBe(true);
    expect(await selectFetches(database)).toMatchObject([{ state: 'waiting', endedAt: null }]);
  });

  test('of several concurrent requests one is accepted', async () => {
    const database = await open();
    const names = ['met', 'nga', 'rijks', 'paris'];
    await Promise.allSettled(names.map((name) => insertFetch(database, asked(name))));
    expect(await selectFetches(database)).toHaveLength(1);
  });

  test('a running download stops when it is canceled', async () => {
    const database = await open();
    const { stop } = server(database, untilStopped);
    await insertFetch(database, asked('met'));
    await until(database, 'running');
    expect(await endFetch(database, 'met', new Date())).toBe(true);
    expect(await until(database, 'stopped')).toMatchObject({ endedAt: expect.any(Date) });
    await stop();
  });

  test('a download interrupted by a server shutdown is requeued and resumed by another server', async () => {
    const database = await open();
    const first = server(database, untilStopped);
    await insertFetch(database, asked('met'));
    await until(database, 'running');
    await first.stop();
    expect(await selectFetches(database)).toMatchObject([{ state: 'waiting' }]);
    const second = server(database, async () => ({ ok: true, said: 'here' }));
    await until(database, 'done');
    await second.stop();
  });

  test('a download of a crashed server is requeued after a minute', async () => {
    const database = await open();
    await insertFetch(database, asked('met'));
    expect([await takeFetch(database, 'dead'), await takeFetch(database, 'other')]).toEqual([
      'met',
      undefined,
    ]);
    await database.query(`update fetches set signed_at = signed_at - interval '61 seconds'`);
    expect(await selectFetches(database)).toMatchObject([{ state: 'waiting' }]);
    expect(await takeFetch(database, 'other')).toBe('met');
  });

  test('a failed download reports the reason', async () => {
    const database = await open();
    const { stop } = server(database, async () => {
      throw new Error('answered 403');
    });
    await insertFetch(database, asked('met'));
    expect(await until(database, 'failed')).toMatchObject({ said: 'answered 403' });
    await stop();
  });
});
