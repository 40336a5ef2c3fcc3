import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { memoryTexts } from '../../../../tests/support/memory_texts.ts';
import { createWallets } from '../../../features/wallets/wallets.ts';
import { type ProcessIdentity, thisProcess } from '../../database/process_identity.ts';
import type { Database } from '../../database/types.ts';
import { createAnswers } from '../../idempotency/answers.ts';
import { joinNeighbours } from './members.ts';
import { releaseCallsOfDead } from './release_calls.ts';
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
  const answers = () => createAnswers(database, memoryTexts());
  const release = () => releaseCallsOfDead(database, [wallets().releaseCalls, answers().releaseCalls], OURS);
  const join = (process: ProcessIdentity, calls: string) =>
    joinNeighbours(database, { settings: {}, isSecret: () => false, process, calls });
  const claim = () =>
    answers().claim({ ...PLACE, runningUntil: new Date(Date.now() + 900_000), calls: THEIRS });
  const held = async () => (await wallets().find(WALLET))!.held;
  /** A server with a held credit and a claimed key, beside the one that checks. */
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

  test('what a server held that was killed on this machine is given back, and its key is free', async () => {
    await working(DEAD);
    expect(await release()).toBe(2);
    expect([await held(), await claim(), await release()]).toEqual([0, { state: 'claimed' }, 0]);
  });

  test('a server of this machine that lives keeps what it holds, however silent', async () => {
    await working(thisProcess());
    await agoOf('seen_at', THEIRS, 600);
    expect([await release(), await held()]).toEqual([0, 1000]);
  });

  test('one of another machine with the name of this one lives as long as it is heard', async () => {
    await working({ ...DEAD, started: `another boot/${DEAD.pid}` });
    await agoOf('steady_since', OURS, 60);
    expect([await release(), await held()]).toEqual([0, 1000]);
  });

  test('one elsewhere that has been silent for long has died', async () => {
    await working(ELSEWHERE);
    await agoOf('seen_at', THEIRS, 60);
    await agoOf('steady_since', OURS, 60);
    expect([await release(), await held()]).toEqual([2, 0]);
  });

  test('a server that was cut off a moment ago takes no other for dead', async () => {
    await working(ELSEWHERE);
    await agoOf('seen_at', THEIRS, 60);
    expect([await release(), await held()]).toEqual([0, 1000]);
  });

  test('one that was only asleep charges nothing when it wakes', async () => {
    const hold = await working(DEAD);
    await release();
    await expect(wallets().settle(hold, { ...PLACE, answerSha256: 'a'.repeat(64) })).rejects.toThrow(
      'released',
    );
  });

  test('what other servers hold stays', async () => {
    await working(DEAD);
    const expiresAt = new Date(Date.now() + 900_000);
    await wallets().hold({ id: `${OURS}-1`, wallet: WALLET, amount: 500, tool: 'save_asset', expiresAt });
    expect([await release(), await held()]).toEqual([2, 500]);
  });

  test('a gap between its signs begins its watch anew', async () => {
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
