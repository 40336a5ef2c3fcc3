import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { newSchema } from '../../../tests/support/new_schema.ts';
import { ROOMY_DISK } from '../../../tests/support/roomy_disk.ts';
import { openTcpProxy } from '../../../tests/support/tcp_proxy.ts';
import { needs } from '../../../tests/support/test_requirements.ts';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import { openDatabase } from '../database/open_database.ts';
import type { Database } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { createRequestScopes } from '../request_scope/request_scope.ts';
import { openStorageQuotas, type StorageQuotas } from './quotas.ts';
import { countBytes, forgetKept } from './store.ts';

const DAY_MS = 86_400_000;
const PART_S = 3600;
const ADDRESS = '1.1.1.1';

const open: StorageQuotas[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((quota) => quota.close()));
});

/** A server that counts in the database, with a quota of 100 bytes; `asked` counts its statements. */
function serverOn(
  { query }: Pick<Database, 'query'>,
  { kind = 'postgresql' as Database['kind'], callerBytesMax = 100 } = {},
) {
  const server = { asked: 0 };
  const counting: Database['query'] = (text, values) => {
    server.asked += 1;
    return query(text, values);
  };
  const quota = openStorageQuotas({ kind, query: counting } as Database);
  open.push(quota);
  const requestScopes = createRequestScopes({ bytesMax: 1e9 });
  const kept = quota.of({
    what: 'results',
    callerBytesMax,
    lifetimeMs: DAY_MS,
    requestScopes,
    disk: ROOMY_DISK,
  });
  const take = (bytes: number, { address = ADDRESS, wallet }: { address?: string; wallet?: string } = {}) => {
    const scope = requestScopes.begin(address);
    scope.wallet = wallet;
    return scope.run(() => kept.take(bytes));
  };
  return Object.assign(server, { take, quota });
}

const TOO_MUCH = { code: 'too_much_kept' };

/** Number of admitted files. */
const countKept = async (takes: readonly Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(takes)).filter(({ status }) => status === 'fulfilled').length;

const rowsIn = (database: Pick<Database, 'query'>) =>
  database.query(
    'select name, (select sum(bytes) from unnest(parts) as p (bytes)) as bytes from kept_bytes order by name',
  );

/** Stored rows, once all pending counts have been written. */
async function countedIn(database: Pick<Database, 'query'>) {
  await Promise.all(open.map((quota) => quota.close()));
  return rowsIn(database);
}

forEachDatabase((_, openOne) => {
  test('two servers together enforce one quota', async () => {
    const database = await openOne();
    const [here, there] = [serverOn(database), serverOn(database)];
    await here.take(60);
    await expect(there.take(60)).rejects.toMatchObject({ ...TOO_MUCH, status: 429 });
    await there.take(40);
  });

  test('concurrent requests on two servers use the whole quota but never exceed it', async () => {
    const database = await openOne();
    const servers = [serverOn(database), serverOn(database)];
    expect(await countKept(Array.from({ length: 60 }, (_, nth) => servers[nth % 2]!.take(7)))).toBe(14);
    expect(await countedIn(database)).toEqual([{ name: 'results ip:1.1.1.1', bytes: 98 }]);
  });

  test('concurrent files are counted in one statement', async () => {
    const server = serverOn(await openOne());
    const takes = Array.from({ length: 50 }, (_, nth) =>
      server.take(2, { address: `${nth % 5}`, wallet: '0xa' }),
    );
    expect([await countKept(takes), server.asked]).toEqual([50, 1]);
  });

  describe('for a caller who stores files often', () => {
    const MIB = 2 ** 20;
    const open100MiB = async () => {
      const database = await openOne();
      return { database, server: serverOn(database, { callerBytesMax: 100 * MIB }) };
    };

    test('bytes are reserved in advance, so that most files need no query', async () => {
      const { server } = await open100MiB();
      for (let nth = 0; nth < 100; nth += 1) await server.take(1_000);
      expect(server.asked).toBeLessThan(5);
    });

    test('unused reserved bytes are returned', async () => {
      const { database, server } = await open100MiB();
      for (let nth = 0; nth < 10; nth += 1) await server.take(1_000);
      expect(await countedIn(database)).toMatchObject([{ bytes: 10_000 }]);
    });

    test('two servers never exceed the quota', async () => {
      const { database, server } = await open100MiB();
      const servers = [server, serverOn(database, { callerBytesMax: 100 * MIB })];
      const files = Array.from({ length: 240 }, (_, nth) => servers[nth % 2]!.take(MIB / 2));
      const kept = await countKept(files);
      // The other server's advance reservation is at most a thousandth.
      expect([198, 199, 200]).toContain(kept);
      expect(await countedIn(database)).toMatchObject([{ bytes: kept * (MIB / 2) }]);
    });
  });

  test('a wallet has one quota across addresses, and its refused files count for no address', async () => {
    const database = await openOne();
    const [here, there] = [serverOn(database), serverOn(database)];
    await here.take(90, { wallet: '0xa' });
    await expect(there.take(20, { address: '2.2.2.2', wallet: '0xa' })).rejects.toMatchObject(TOO_MUCH);
    expect(await countedIn(database)).toEqual([
      { name: 'results 0xa', bytes: 90 },
      { name: 'results ip:1.1.1.1', bytes: 90 },
      { name: 'results ip:2.2.2.2', bytes: 0 },
    ]);
  });

  test('of concurrent files, those that fit are stored in order of arrival', async () => {
    const database = await openOne();
    const { take } = serverOn(database);
    await take(50);
    const outcomes = await Promise.allSettled([take(40), take(30), take(10)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await countedIn(database)).toMatchObject([{ bytes: 100 }]);
  });

  test('a corrected file size applies on every server', async () => {
    const database = await openOne();
    const [here, there] = [serverOn(database), serverOn(database)];
    (await here.take(90))(10);
    (await here.take(90))(0);
    (await here.take(0))(95);
    await here.quota.close();
    await expect(there.take(0)).rejects.toMatchObject(TOO_MUCH);
    expect(await countedIn(database)).toMatchObject([{ bytes: 105 }]);
  });

  test('a correction applies to the time slot in which the bytes were counted', async () => {
    const database = await openOne();
    const caller = { name: 'one', bytesMax: 100, partSeconds: PART_S };
    const nothing = { ...caller, wanted: 0, smallest: 0, owed: 0, owedPart: undefined };
    const [{ part } = { part: 0 }] = await countBytes(database, [{ ...nothing, wanted: 60, smallest: 60 }]);
    await database.query('update kept_bytes set part = part - 3');
    const owed = { owed: -50, owedPart: part - 3 };
    const grants = await countBytes(database, [{ ...nothing, ...owed, wanted: 95, smallest: 90 }]);
    expect(grants).toEqual([{ name: 'one', granted: 90, room: 90, part }]);
    expect(await database.query('select parts[1:4] as parts from kept_bytes')).toEqual([
      { parts: [90, 0, 0, 10] },
    ]);
  });

  test.each([
    ['stored bytes count for their lifetime', 24, 10],
    ['stored bytes do not count after their lifetime', 25, 100],
    ['stored bytes do not count long after their lifetime', 999, 100],
    ['a clock set back neither frees nor exhausts the quota', -24, 10],
    ['a statement delayed behind a newer one changes no time slot', -1, 10],
  ])('%s', async (_what, parts, left) => {
    const database = await openOne();
    await serverOn(database).take(90);
    await database.query('update kept_bytes set part = part - $1', [parts]);
    const { take } = serverOn(database);
    await expect(take(left + 1)).rejects.toMatchObject(TOO_MUCH);
    await take(left);
  });

  test('each kind of file has its own quota', async () => {
    const database = await openOne();
    const { quota, take } = serverOn(database);
    const requestScopes = createRequestScopes({ bytesMax: 1e9 });
    const uploads = quota.of({
      what: 'uploads',
      callerBytesMax: 100,
      lifetimeMs: 1,
      requestScopes,
      disk: ROOMY_DISK,
    });
    await take(90);
    await requestScopes.begin(ADDRESS).run(() => uploads.take(90));
  });

  test('callers with expired files are deleted, and above a limit the least recent ones', async () => {
    const database = await openOne();
    const { take } = serverOn(database);
    for (const address of ['a', 'b', 'c', 'd']) await take(1, { address });
    await database.query(`update kept_bytes set part = part - 25 where name = 'results ip:b'`);
    await database.query(`update kept_bytes set part = part - 24 where name = 'results ip:d'`);
    expect(await forgetKept(database, 10)).toBe(1);
    expect(await forgetKept(database, 2)).toBe(1);
    expect(await database.query('select name, seconds from kept_bytes order by name')).toEqual([
      { name: 'results ip:a', seconds: PART_S },
      { name: 'results ip:c', seconds: PART_S },
    ]);
  });

  test('a single process with the embedded database sends no quota queries', async () => {
    const server = serverOn(await openOne(), { kind: 'embedded' });
    (await server.take(100))(90);
    await expect(server.take(20)).rejects.toMatchObject(TOO_MUCH);
    expect([server.asked, await server.quota.sweep()]).toEqual([0, 0]);
  });

  describe('while the database is unavailable', () => {
    /** A database that can fail before or after it executes a statement. */
    async function given() {
      const database = await openOne();
      const away = { is: 'there' as 'there' | 'before' | 'after' };
      const query: Database['query'] = async (text, values) => {
        const lost = (cause?: Error) => new AtelierError('database_unavailable', undefined, { cause });
        if (away.is === 'before') throw lost();
        const rows = await database.query(text, values);
        if (away.is === 'after') throw lost(new Error('Connection terminated'));
        return rows as never;
      };
      return { database, away, here: serverOn({ query }), there: serverOn(database) };
    }

    test('a server counts locally, including the bytes it granted before', async () => {
      const { away, here, there } = await given();
      await here.take(50);
      await there.take(50);
      away.is = 'before';
      await here.take(50);
      await expect(here.take(1)).rejects.toMatchObject(TOO_MUCH);
    });

    test('a server reports granted bytes and corrections once the database is available again', async () => {
      const { database, away, here, there } = await given();
      const before = await here.take(60);
      away.is = 'before';
      const meanwhile = await here.take(40);
      before(20);
      meanwhile(30);
      await sleep(50);
      away.is = 'there';
      await sleep(1_500);
      await expect(there.take(51)).rejects.toMatchObject(TOO_MUCH);
      await there.take(50);
      expect(await countedIn(database)).toMatchObject([{ bytes: 100 }]);
    });

    test('a correction that may already be applied is not applied twice', async () => {
      const { database, away, here } = await given();
      await here.take(50);
      const correct = await here.take(50);
      away.is = 'after';
      correct(0);
      await sleep(50);
      away.is = 'there';
      await sleep(1_500);
      expect(await countedIn(database)).toMatchObject([{ bytes: 50 }]);
    });
  });

  test('an internal error does not bypass the quota, and a correction never throws', async () => {
    const database = await openOne();
    let isBroken = false;
    const { take } = serverOn({
      query: (text, values) => database.query(isBroken ? 'select no_such_column' : text, values),
    });
    const correct = await take(10);
    isBroken = true;
    await expect(take(10)).rejects.toThrow('no_such_column');
    correct(0);
    await sleep(50);
  });
});

test('after a broken connection nothing fails, and all bytes are counted', {
  ...needs('PostgreSQL'),
  timeout: WAIT_MS_MAX,
}, async () => {
  const schema = await newSchema(process.env.TEST_DATABASE_URL!);
  const proxy = await openTcpProxy(schema.url);
  const [near, far] = await Promise.all(
    [schema.url, proxy.url].map((databaseUrl) => openDatabase({ dataDir: 'unused', databaseUrl })),
  );
  const [here, there] = [serverOn(near!), serverOn(far!)];
  const correct = await there.take(40);
  await proxy.refuse();
  await there.take(30);
  correct(20);
  await expect(there.take(60)).rejects.toMatchObject(TOO_MUCH);
  await proxy.restore();
  await expect.poll(() => rowsIn(near!), { timeout: 10_000 }).toMatchObject([{ bytes: 50 }]);
  await expect(here.take(51)).rejects.toMatchObject(TOO_MUCH);
  await Promise.all([near!.close(), far!.close(), proxy.close()]);
  await schema.drop();
});
