import { afterEach, expect, test, vi } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { accepted, closeJobServices, ended, jobService } from '../../../../tests/support/job_service.ts';
import { WAIT_MS_MAX } from '../../../../tests/support/wait_ms_max.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { JobWork } from '../../../core/queue/types.ts';
import { blobsInUse } from '../backups/blobs_in_use.ts';
import * as store from '../store.ts';
import type { Attribution } from '../types.ts';
import { createDeadLetters } from './dead_letters.ts';

afterEach(closeJobServices);

const BY: Attribution = { who: 'token ada', why: 'the model is back' };
const KIND = 'paint:model_unavailable';
const UNKNOWN = [
  '',
  '_',
  'job_',
  "job_'; drop table jobs",
  `job_${'0'.repeat(32)}`,
  `dlv_${'0'.repeat(32)}`,
  'whe_1',
];

const lettersOf = (database: ScriptableDatabase) =>
  createDeadLetters({
    database,
    clock: () => new Date(),
    record: ({ who, why }, [act, about], work, { hasHappened = Boolean, what = () => '' } = {}) =>
      database.transaction(async (tx) => {
        const at = new Date();
        const outcome = await work(tx, at);
        if (hasHappened(outcome))
          await store.insertAdminAction(tx, { at, who, act, about, why: `${what(outcome)}${why}` });
        return outcome;
      }),
  });

/** A job service whose runs fail with this code until it is set to undefined. */
async function given(
  database: ScriptableDatabase,
  code: 'model_unavailable' | 'invalid_input' = 'model_unavailable',
) {
  const state: { code: typeof code | undefined } = { code };
  const works: JobWork[] = [];
  const service = await jobService(database, {
    run: async (work) => {
      works.push(work);
      if (state.code) throw new AtelierError(state.code, 'The model is away.');
      await work.keep('{"painted":true}');
    },
  });
  const failed = async () => {
    const id = await accepted(service.jobs);
    expect(await ended(service.jobs, id)).toMatchObject({ state: 'failed' });
    return id;
  };
  const kept = async () => (await blobsInUse(database, [...service.blobs.blobs.keys()])).size;
  const acts = async () =>
    (await store.selectAdminActions(database, { limit: 99 })).map(({ act, about }) => [act, about]);
  return { ...service, state, works, failed, kept, acts, letters: lettersOf(database) };
}

forEachDatabase((_name, open) => {
  test('a job failed by the server is retried once, free, despite concurrent retries', async () => {
    const { letters, state, failed, jobs, works, kept, acts, released } = await given(await open());
    const id = await failed();
    expect(released).toEqual([id]);
    expect((await letters.list()).jobs).toMatchObject([
      { id, tool: 'paint', code: 'model_unavailable', attempts: 1, canRetry: true },
    ]);
    state.code = undefined;
    const presses = await Promise.allSettled([1, 2, 3].map(() => letters.retry(BY, id)));
    expect(presses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await ended(jobs, id)).toMatchObject({ state: 'succeeded', held: null, problem: null });
    expect(works[1]).toMatchObject({ id, held: undefined, isWaived: true, input: works[0]!.input });
    expect(works[1]!.pictures).toEqual(works[0]!.pictures);
    expect([await letters.list(), await acts()]).toEqual([
      { kinds: [], jobs: [], deliveries: [] },
      [['retry', id]],
    ]);
    // Only the response is left.
    expect(await kept()).toBe(1);
  });

  test('a job failed by client error is not dead-lettered, and its input is deleted', async () => {
    const { letters, failed, kept } = await given(await open(), 'invalid_input');
    const id = await failed();
    expect([await letters.list(), await kept()]).toEqual([{ kinds: [], jobs: [], deliveries: [] }, 0]);
    await expect(letters.retry(BY, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('dismissal, cancellation and expiry each delete the input', async () => {
    const { letters, failed, jobs, kept, acts } = await given(await open());
    const [one, other] = [await failed(), await failed()];
    await letters.dismiss(BY, one);
    await expect(letters.dismiss(BY, one)).rejects.toMatchObject({ code: 'not_found' });
    expect(await jobs.cancel(other)).toBe(false);
    expect([(await letters.list()).jobs, await kept(), await acts()]).toEqual([[], 0, [['dismiss', one]]]);
    const { expiresAt } = (await jobs.find(await failed()))!;
    expect(await kept()).toBe(2);
    await jobs.sweep(new Date(expiresAt.getTime() + 1));
    expect(await kept()).toBe(0);
  });

  test('dead letters of a kind are retried or dismissed together; unknown kinds are rejected', async () => {
    const { letters, state, failed, jobs } = await given(await open());
    const ids = [await failed(), await failed()];
    expect((await letters.list()).kinds).toMatchObject([{ kind: KIND, count: 2, retryable: 2 }]);
    for (const id of UNKNOWN)
      for (const act of ['retry', 'dismiss', 'retryAll', 'dismissAll'] as const)
        await expect(letters[act](BY, id)).rejects.toMatchObject({ code: 'not_found' });
    state.code = undefined;
    expect(await letters.retryAll(BY, KIND)).toEqual({ count: 2, left: 0 });
    for (const id of ids) expect(await ended(jobs, id)).toMatchObject({ state: 'succeeded' });
    state.code = 'model_unavailable';
    await failed();
    expect(await letters.dismissAll(BY, KIND)).toBe(1);
    await expect(letters.dismissAll(BY, KIND)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('an idempotency key reused by another call stays with that call after a retry', async () => {
    const database = await open();
    const { letters, state, failed, jobs } = await given(database);
    const id = await failed();
    const key = ['ip:1', 'POST /api/tools/paint', 'k'];
    await database.query(
      'update jobs set answer_principal = $2, answer_route = $3, answer_key = $4 where id = $1',
      [id, ...key],
    );
    await database.query(
      `insert into answers (principal, route, key, body_sha256, expires_at, calls, answer_sha256, status)
       values ($1, $2, $3, $4, 'infinity', 'call_other', $4, 202)`,
      [...key, 'a'.repeat(64)],
    );
    await letters.retry(BY, id);
    await vi.waitFor(async () => expect((await letters.list()).jobs).toHaveLength(1), {
      timeout: WAIT_MS_MAX,
    });
    expect(await database.query('select key from answers')).toEqual([{ key: 'k' }]);
    expect([state.code, (await jobs.find(id))?.state]).toEqual(['model_unavailable', 'failed']);
  });

  test('a job whose input exceeds the storage limit fails and is marked as not retryable', async () => {
    const database = await open();
    const { letters, failed, kept } = await given(database);
    const first = await failed();
    // A quarter of all is one address's.
    await database.query('update jobs set input_bytes = $2 where id = $1', [first, 256 * 1024 ** 2]);
    const id = await failed();
    expect((await letters.list()).jobs).toMatchObject([
      { id, canRetry: false },
      { id: first, canRetry: true },
    ]);
    await expect(letters.retry(BY, id)).rejects.toThrow('not stored');
    expect((await letters.list()).kinds).toMatchObject([{ count: 2, retryable: 1 }]);
    await letters.dismissAll(BY, KIND);
    expect(await kept()).toBe(0);
  });

  test('a failed webhook delivery is sent again once or dismissed', async () => {
    const database = await open();
    const letters = lettersOf(database);
    const [endpoint] = await database.query<{ id: string }>(
      `insert into webhook_endpoints (id, caller, url, events, unknown_events, secret, created_at)
       values ('whe_' || repeat('a', 24), 'ip:1', 'https://x.example/', '["*"]', '[]', 'whsec_x', now()) returning id`,
    );
    const deliveries = await database.query<{ id: string }>(
      `with e as (insert into webhook_events (type, data, at) values ('cafe.posted', '{}', now()) returning id)
       insert into webhook_deliveries (event_id, endpoint_id, host, caller, state, attempts, due_at, created_at, ended_at)
       select e.id, $1, 'x.example', 'ip:1', 'failed', '[{"at": "2026-11-27T00:00:00Z", "status": 500, "error": null, "ms": 3}]',
         now(), now(), now() from e, generate_series(1, 4) returning id`,
      [endpoint!.id],
    );
    const [one, other] = deliveries.map(({ id }) => id) as [string, string];
    expect((await letters.list()).deliveries).toHaveLength(4);
    const presses = await Promise.allSettled([letters.retry(BY, one), letters.retry(BY, one)]);
    expect(presses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await letters.dismiss(BY, other);
    expect(await letters.retryAll(BY, endpoint!.id)).toEqual({ count: 2, left: 0 });
    expect((await letters.list()).kinds).toEqual([]);
    const pending = await database.query(`select 1 from webhook_deliveries where state = 'pending'`);
    expect(pending).toHaveLength(3);
  });
});
