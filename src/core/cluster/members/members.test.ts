import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { thisProcess } from '../../database/process_identity.ts';
import { joinCluster } from './members.ts';

const isSecret = (name: string) => name.endsWith('SECRET');
const ELSEWHERE = { pid: 1, started: '', host: 'another machine' };
/** A process that has ended. */
const DEAD = { ...thisProcess(), pid: spawnSync('true').pid };
const HOUR_MS = 3_600_000;

forEachDatabase((_name, open) => {
  test('servers with the same settings can run together', async () => {
    const database = await open();
    const settings = { PUBLIC_URL: 'https://a.example' };
    for (const process of [thisProcess(), ELSEWHERE])
      await joinCluster(database, { settings, isSecret, process });
    expect(await database.query('select count(*) as count from servers')).toEqual([{ count: 2 }]);
  });

  test('all differing settings are named, and secrets are not shown', async () => {
    const database = await open();
    const settings = { PUBLIC_URL: 'https://a.example', UPLOADS: '5', SIGNING_SECRET: 'aaa', IIIF: '' };
    await joinCluster(database, { settings, isSecret });
    const others = { PUBLIC_URL: 'https://b.example', UPLOADS: '5', SIGNING_SECRET: 'bbb', IIIF: 'false' };
    const refused = await joinCluster(database, { settings: others, isSecret }).catch(
      (error) => error.message,
    );
    expect(refused).toBe(`Other servers on this database have different settings:
  PUBLIC_URL: https://b.example on this server, https://a.example on others
  SIGNING_SECRET: differs (values hidden)
  IIIF: false on this server, (not set) on others
Set the same values on all servers. To change a value, stop all servers first. A server killed on another machine counts as running for 45 s.`);
    expect(await database.query('select count(*) as count from servers')).toEqual([{ count: 1 }]);
  });

  test('one of two servers starting together with different settings is refused', async () => {
    const database = await open();
    const starts = ['a', 'b'].map((url) => joinCluster(database, { settings: { URL: url }, isSecret }));
    const outcomes = (await Promise.allSettled(starts)).map(({ status }) => status).sort();
    expect(outcomes).toEqual(['fulfilled', 'rejected']);
  });

  test('settings that only another version knows are not compared', async () => {
    const database = await open();
    await joinCluster(database, { settings: { A: '1', OLD: '1' }, isSecret });
    await joinCluster(database, { settings: { A: '1', NEW: '2' }, isSecret });
  });

  test('a stopped or killed server does not delay others', async () => {
    const database = await open();
    const leave = await joinCluster(database, { settings: { A: '1' }, isSecret });
    await leave();
    await joinCluster(database, { settings: { A: '2' }, isSecret, process: DEAD });
    await joinCluster(database, { settings: { A: '3' }, isSecret, process: ELSEWHERE });
    const last = () => joinCluster(database, { settings: { A: '4' }, isSecret });
    await expect(last()).rejects.toThrow('A: 4 on this server, 3 on others');
    await database.query(`update servers set seen_at = seen_at - interval '1 minute'`);
    await last();
  });

  test.each([
    [HOUR_MS, '3600 s ahead of'],
    [-HOUR_MS, '3600 s behind'],
  ])('a clock %i ms ahead is refused', async (ms, said) => {
    const joining = joinCluster(await open(), { settings: {}, isSecret, now: () => Date.now() + ms });
    await expect(joining).rejects.toThrow(said);
  });

  test('a clock a few seconds ahead is accepted', async () => {
    await joinCluster(await open(), { settings: {}, isSecret, now: () => Date.now() + 5_000 });
  });
});
