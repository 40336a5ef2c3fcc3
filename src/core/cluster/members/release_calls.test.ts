import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { memoryTexts } from '../../../../tests/support/memory_texts.ts';
import { createWallets } from '../../../features/wallets/wallets.ts';
import { type ProcessIdentity, thisProcess } from '../../database/process_identity.ts';
import type { Database } from '../../database/types.ts';
import { createIdempotencyStore } from '../../idempotency/answers.ts';
import { joinCluster } from './members.ts';
import { createReleasing } from './release_calls.ts';
import { saveServer } from './store.ts';

const WALLET = `0x${'7'.repeat(40)}`;
const PLACE = {
  principal: WALLET,
  route: 'POST /api/tools/save_asset',
  key: 'k',
  bodySha256: 'b'.repeat(64),
};
/** Call id prefixes of the dead server and of the one that releases its holds. */
const [THEIRS, OURS] = ['call_11111111', 'call_22222222'];
const CALL = `${THEIRS}-1`;
const ELSEWHERE = { pid: 1, started: '', host: 'another machine' };
/** A process that has ended. */
const DEAD = { ...thisProcess(), pid: spawnSync('true').pid };

forEachDatabase((_name, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });
  const wallets = () => createWallets(database);
  const answers = () => createIdempotencyStore(database, memoryTexts());
  const releasing = (options = {}) =>
    createReleasing(database, [wallets(), answers()], { calls: OURS, runs: () => true, ...options });
  const release = () => releasing().release();
  const join = (process: ProcessIdentity, calls: string) =>
    joinCluster(database, { settings: {}, isSecret: () => false, process, calls });
  const claim = () =>
    answers().claim({ ...PLACE, runningUntil: new Date(Date.now() + 900_000), calls: CALL });
  const held = async () => (await wallets().find(WALLET))!.held;
  /** A server with a held credit and a claimed key, and a second server that checks. */
  async function working(process: ProcessIdentity) {
    await join(process, THEIRS);
    await join(thisProcess(), OURS);
    await wallets().register(WALLET);
    const expiresAt = new Date(Date.now() + 900_000);
    const hold = await wallets().hold({
      id: CALL,
      wallet: WALLET,
      amount: 1000,
      tool: 'save_asset',
      expiresAt,
    });
    await claim();
    return hold;
  }
  const agoOf = (column: string, calls: string, seconds: number) =>
    database.query(`update servers set ${column} = ${column} - $1 * interval '1 second' where calls = $2`, [
      seconds,
      calls,
    ]);

  test('holds and keys of a server killed on this machine are released', async () => {
    await working(DEAD);
    expect(await release()).toBe(2);
    expect([await held(), await claim(), await release()]).toEqual([0, { state: 'claimed' }, 0]);
  });

  test('a running server on this machine keeps its holds without heartbeats', async () => {
    await working(thisProcess());
    await agoOf('seen_at', THEIRS, 600);
    expect([await release(), await held()]).toEqual([0, 1000]);
  });

  test('a server on another machine of the same name is alive while its heartbeat arrives', async () => {
    await working({ ...DEAD, started: `another boot/${DEAD.pid}` });
    await agoOf('steady_since', OURS, 60);
    expect([await release(), await held()]).toEqual([0, 1000]);
  });

  test('a server on another machine without a heartbeat for long is taken for dead', async () => {
    await working(ELSEWHERE);
    await agoOf('seen_at', THEIRS, 60);
    await agoOf('steady_since', OURS, 60);
    expect([await release(), await held()]).toEqual([2, 0]);
  });

  test('a server that was just disconnected itself does not take others for dead', async () => {
    await working(ELSEWHERE);
    await agoOf('seen_at', THEIRS, 60);
    expect([await release(), await held()]).toEqual([0, 1000]);
  });

  test('a suspended server charges nothing after it resumes', async () => {
    const hold = await working(DEAD);
    await release();
    const settled = wallets().settle(hold, { ...PLACE, answerSha256: 'a'.repeat(64) });
    await expect(settled).rejects.toMatchObject({ code: 'busy', details: { retryAfterSeconds: 1 } });
  });

  test('holds of ended calls of this process are released, those of running calls kept', async () => {
    await working(thisProcess());
    const expiresAt = new Date(Date.now() + 900_000);
    for (const id of ['1', '2'])
      await wallets().hold({
        id: `${OURS}-${id}`,
        wallet: WALLET,
        amount: 500,
        tool: 'save_asset',
        expiresAt,
      });
    await answers().claim({ ...PLACE, key: 'ours', runningUntil: expiresAt, calls: `${OURS}-1` });
    const runs = (id: string) => id === `${OURS}-2`;
    expect([await releasing({ runs }).release(), await held()]).toEqual([2, 1500]);
    expect(await answers().openCalls('call_')).toEqual([CALL]);
  });

  test('holds of an unregistered server are released after it had time to register again', async () => {
    await working(thisProcess());
    await database.query('delete from servers where calls = $1', [THEIRS]);
    const [patient, quick] = [releasing(), releasing({ missedForMs: 0 })];
    expect([await patient.release(), await patient.release(), await held()]).toEqual([0, 0, 1000]);
    expect([await quick.release(), await held(), await claim()]).toEqual([2, 0, { state: 'claimed' }]);
  });

  test('a server that registers again keeps its holds', async () => {
    await working(thisProcess());
    await database.query('delete from servers where calls = $1', [THEIRS]);
    const late = releasing({ missedForMs: 50 });
    await late.release();
    await join(thisProcess(), THEIRS);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([await late.release(), await held()]).toEqual([0, 1000]);
    await database.query('delete from servers where calls = $1', [THEIRS]);
    expect([await late.release(), await held()]).toEqual([0, 1000]);
  });

  test('holds of other servers are kept', async () => {
    await working(DEAD);
    const expiresAt = new Date(Date.now() + 900_000);
    await wallets().hold({ id: `${OURS}-1`, wallet: WALLET, amount: 500, tool: 'save_asset', expiresAt });
    expect([await release(), await held()]).toEqual([2, 500]);
  });

  test('a gap between heartbeats restarts the observation period', async () => {
    const server = { id: randomUUID(), ...thisProcess(), settings: {}, calls: OURS };
    const sinceAfter = async (seconds: number) => {
      await saveServer(database, server, 20_000);
      await agoOf('seen_at', OURS, seconds);
      await agoOf('steady_since', OURS, 600);
      await saveServer(database, server, 20_000);
      const [row] = await database.query<{ seconds: number }>(
        'select extract(epoch from seen_at - steady_since)::float8 as seconds from servers',
      );
      return row!.seconds;
    };
    expect(await sinceAfter(16)).toBeGreaterThan(500);
    expect(await sinceAfter(25)).toBe(0);
  });
});
