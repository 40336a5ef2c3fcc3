import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { forEachDatabase, type Open } from '../../../tests/support/for_each_database.ts';
import { memoryTexts } from '../../../tests/support/memory_texts.ts';
import { blobsInUse } from '../../features/operator/backups/blobs_in_use.ts';
import { createWallets } from '../../features/wallets/wallets.ts';
import { createIdempotencyStore } from './answers.ts';

const START = new Date('2026-01-01T00:00:00Z');
const PLACE = { principal: `0x${'a'.repeat(40)}`, route: 'POST /api/tools/resize_image', key: 'k1' };
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');
const CALL = 'call_11111111-1';
const claimOf = (body: string, minutes = 15) => ({
  ...PLACE,
  calls: CALL,
  bodySha256: sha256(body),
  runningUntil: new Date(START.getTime() + minutes * 60_000),
});

async function openAnswers(open: Open) {
  const database = await open();
  const clock = { now: START };
  const now = () => clock.now;
  const passMinutes = (minutes: number) => {
    clock.now = new Date(clock.now.getTime() + minutes * 60_000);
  };
  return {
    database,
    answers: createIdempotencyStore(database, memoryTexts(), now),
    wallets: createWallets(database, now),
    now,
    passMinutes,
  };
}

forEachDatabase((_name, open) => {
  test('a key is claimed once; a repeat waits, and a different body is refused', async () => {
    const { answers } = await openAnswers(open);
    expect(await answers.claim(claimOf('one'))).toEqual({ state: 'claimed' });
    expect(await answers.claim(claimOf('one'))).toEqual({ state: 'running' });
    expect(await answers.claim(claimOf('two'))).toEqual({ state: 'reused' });
  });

  test('a stored response is returned byte for byte for 24 hours', async () => {
    const { answers, passMinutes } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    await answers.keep({ ...PLACE, calls: CALL, answerSha256: await answers.write('{"é": 1}') });
    passMinutes(24 * 60 - 1);
    expect(await answers.claim(claimOf('one', 48 * 60))).toEqual({
      state: 'kept',
      text: '{"é": 1}',
      status: 200,
    });
    expect(await answers.claim(claimOf('two', 48 * 60))).toEqual({ state: 'reused' });
    passMinutes(1);
    expect(await answers.claim(claimOf('two', 48 * 60))).toEqual({ state: 'claimed' });
  });

  test('principals, routes and keys do not share responses', async () => {
    const { answers } = await openAnswers(open);
    const others = [{ principal: 'ip:1' }, { route: 'POST /other' }, { key: 'k2' }, {}];
    const states = await Promise.all(others.map((other) => answers.claim({ ...claimOf('one'), ...other })));
    expect(states).toEqual(Array(4).fill({ state: 'claimed' }));
  });

  test('one of forty concurrent claims succeeds', async () => {
    const { answers } = await openAnswers(open);
    const states = await Promise.all(Array.from({ length: 40 }, () => answers.claim(claimOf('one'))));
    expect(states.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    expect(states.filter(({ state }) => state === 'running')).toHaveLength(39);
  });

  test('the claim of a dead call is taken over by exactly one later call', async () => {
    const { answers, passMinutes } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    passMinutes(15);
    const states = await Promise.all(Array.from({ length: 20 }, () => answers.claim(claimOf('one', 30))));
    expect(states.filter(({ state }) => state === 'claimed')).toHaveLength(1);
  });

  test('a failed call frees its key, but never a stored response', async () => {
    const { answers } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    await answers.abandon(claimOf('one'));
    // When the stored response expires.
    expect(await answers.claim(claimOf('two', 24 * 60))).toEqual({ state: 'claimed' });
    await answers.keep({ ...PLACE, calls: CALL, answerSha256: await answers.write('x') });
    await answers.abandon(claimOf('two', 24 * 60));
    expect(await answers.claim(claimOf('two'))).toEqual({ state: 'kept', text: 'x', status: 200 });
  });

  test('a stored response is neither replaced nor released with its call', async () => {
    const { answers } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    await answers.keep({ ...PLACE, calls: CALL, answerSha256: await answers.write('first') });
    const second = { ...PLACE, calls: CALL, answerSha256: await answers.write('second') };
    await expect(answers.keep(second)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect([await answers.openCalls('call_'), await answers.releaseCalls('call_')]).toEqual([[], 0]);
    expect(await answers.claim(claimOf('one'))).toEqual({ state: 'kept', text: 'first', status: 200 });
  });

  test('a call suspended until its key was taken over does not free the key', async () => {
    const { answers, passMinutes } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    passMinutes(16);
    await answers.claim(claimOf('one', 31));
    await answers.abandon(claimOf('one'));
    expect(await answers.claim(claimOf('one', 31))).toEqual({ state: 'running' });
  });

  test('a call suspended until its key was taken over stores no response', async () => {
    const { answers, passMinutes } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    passMinutes(16);
    await answers.claim({ ...claimOf('two', 31), calls: 'call_22222222-1' });
    const late = { ...PLACE, calls: CALL, answerSha256: await answers.write('late') };
    await expect(answers.keep(late)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(await answers.claim(claimOf('two', 31))).toEqual({ state: 'running' });
  });

  test('a claim lost in a database crash stores no response', async () => {
    const { answers, database } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    await database.query('delete from answers');
    const kept = { ...PLACE, calls: CALL, answerSha256: await answers.write('x') };
    await expect(answers.keep(kept)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(await answers.claim(claimOf('one'))).toEqual({ state: 'claimed' });
  });

  test('concurrent calls share statements, and each gets its own outcome', async () => {
    const { database, now } = await openAnswers(open);
    const statements: string[] = [];
    const query: typeof database.query = (text, values) => {
      statements.push(text);
      return database.query(text, values);
    };
    const answers = createIdempotencyStore({ ...database, query }, memoryTexts(), now);
    const keys = Array.from({ length: 40 }, (_, nth) => `k${nth % 20}`);
    const states = await Promise.all(keys.map((key) => answers.claim({ ...claimOf('one'), key })));
    expect(states.map(({ state }) => state)).toEqual([
      ...Array(20).fill('claimed'),
      ...Array(20).fill('running'),
    ]);
    await Promise.all(
      keys
        .slice(0, 20)
        .map(async (key) =>
          answers.keep({ ...PLACE, key, calls: CALL, answerSha256: await answers.write(key) }),
        ),
    );
    expect(await answers.claim({ ...claimOf('one'), key: 'k7' })).toMatchObject({
      state: 'kept',
      text: 'k7',
    });
    expect(statements.length).toBeLessThan(30);
  });

  test('after a restart the keys of unfinished calls are free immediately', async () => {
    const { answers } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    expect(await answers.abandonAll()).toBe(1);
    expect(await answers.claim(claimOf('one'))).toEqual({ state: 'claimed' });
  });

  test('the cleanup deletes expired entries and keeps the others', async () => {
    const { answers, now, passMinutes } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    await answers.claim({ ...claimOf('one'), key: 'k2' });
    await answers.keep({ ...PLACE, calls: CALL, answerSha256: await answers.write('x') });
    passMinutes(15);
    expect(await answers.sweep(now())).toBe(1);
    expect(await answers.claim(claimOf('one'))).toEqual({ state: 'kept', text: 'x', status: 200 });
  });

  test('blobs of stored responses are marked as in use', async () => {
    const { answers, database } = await openAnswers(open);
    await answers.claim(claimOf('one'));
    const kept = await answers.write('kept');
    await answers.keep({ ...PLACE, calls: CALL, answerSha256: kept });
    expect(await blobsInUse(database, [kept, await answers.write('lost')])).toEqual(new Set([kept]));
  });

  test('settling stores the response and charges atomically', async () => {
    const { answers, wallets } = await openAnswers(open);
    await wallets.register(PLACE.principal);
    const hold = (id: string) =>
      wallets.hold({
        id,
        wallet: PLACE.principal,
        amount: 2000,
        tool: 't',
        expiresAt: new Date(START.getTime() + 1),
      });
    const answer = { ...PLACE, answerSha256: await answers.write('paid') };
    const unclaimed = wallets.settle(await hold('a'), answer);
    await expect(unclaimed).rejects.toMatchObject({ constraint: 'answer_is_claimed' });
    await answers.claim(claimOf('one'));
    expect(await wallets.settle(await hold('b'), answer)).toEqual({ balance: 8100, creditBack: 100 });
    expect(await answers.claim(claimOf('one'))).toEqual({ state: 'kept', text: 'paid', status: 200 });
    expect((await wallets.find(PLACE.principal))?.totals.spent).toBe(2000);
  });

  test('of two calls with responses under one key, the second is not charged', async () => {
    const { answers, wallets } = await openAnswers(open);
    await wallets.register(PLACE.principal);
    await answers.claim(claimOf('one'));
    const hold = (id: string) =>
      wallets.hold({
        id,
        wallet: PLACE.principal,
        amount: 2000,
        tool: 't',
        expiresAt: new Date(START.getTime() + 1),
      });
    const answer = { ...PLACE, answerSha256: await answers.write('paid') };
    const calls = [await hold('a'), await hold('b')].map((call) => wallets.settle(call, answer));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await wallets.find(PLACE.principal))?.totals.spent).toBe(2000);
  });
});
