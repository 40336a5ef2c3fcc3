import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { forEachApp } from './support/for_each_app.ts';
import { ENDED, EVERY_SPECK, jobIn, noise, postJob } from './support/job_calls.ts';
import type { TestApp } from './support/open_test_app.ts';
import { bearer, newOwner } from './support/owner.ts';

// Jobs wait for their turn, and a drawing of noise takes a whole processor.

const MAY_SAVE = { scopes: ['spend', 'assets:write'] };
const NOTE = { key: 'note', data: 'aGVsbG8=', content_type: 'text/plain' };

const balance = async (app: TestApp, wallet: string) =>
  (await app.post('/api/tools/check_balance', { wallet }, bearer(wallet))).body;

/** A job that works until it is canceled: with one place, whatever comes after it waits. */
async function occupied(app: TestApp): Promise<string> {
  const { body } = await postJob(app, 'vectorize_image', { image: await noise(900), ...EVERY_SPECK });
  await jobIn(app, body.job_id, ['running']);
  return body.job_id;
}

const cancel = (app: TestApp, id: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`http://atelier.test/api/jobs/${id}`, { method: 'DELETE', headers }));

forEachApp((open) => {
  describe('a job', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await open();
    });
    afterAll(() => app.close());

    test('is accepted immediately, with its status URL', async () => {
      const { status, headers, body } = await postJob(app, 'extract_palette', { image: EXAMPLE_PNG_B64 });
      expect(status).toBe(202);
      expect(body).toMatchObject({ tool: 'extract_palette', state: 'queued', place: expect.any(Number) });
      expect(Object.fromEntries(headers)).toMatchObject({
        location: `/api/jobs/${body.job_id}`,
        'preference-applied': 'respond-async',
        'retry-after': expect.any(String),
        'cache-control': 'no-store',
        ratelimit: expect.any(String),
      });
    });

    test('returns the response of a synchronous call', async () => {
      const sent = { image: EXAMPLE_PNG_B64, num_colors: 3, colour: 'unknown field' };
      const waited = await app.post('/api/tools/extract_palette', sent);
      const { body } = await postJob(app, 'extract_palette', sent);
      const job = await jobIn(app, body.job_id, ENDED);
      expect(job).toMatchObject({ state: 'succeeded', progress: { fraction: 1 }, place: null });
      expect(job.result).toEqual(waited.body);
      expect(job.result.warnings).toHaveLength(1);
    });

    test('is visible only to its client and not cacheable', async () => {
      const { body } = await postJob(app, 'extract_palette', { image: EXAMPLE_PNG_B64 });
      const { headers } = await app.get(`/api/jobs/${body.job_id}`);
      expect(headers.get('cache-control')).toBe('private, no-store');
    });

    test('is paid when it succeeds, once', async () => {
      const { wallet } = await newOwner(app);
      const { body } = await postJob(app, 'save_asset', { wallet, ...NOTE }, bearer(wallet));
      expect(body.credits).toEqual({ held: 1, charged: 0 });
      const job = await jobIn(app, body.job_id, ENDED, bearer(wallet));
      expect(job).toMatchObject({
        state: 'succeeded',
        credits: { held: 0, charged: 1 },
        result: { key: 'note', payment: { transaction_id: body.job_id, credit_back: 0.05 } },
      });
      expect(await balance(app, wallet)).toMatchObject({ held: 0, balance: 9.05, totals: { spent: 1 } });
    });

    test('has a signed receipt, which its wallet finds in the statement', async () => {
      const owner = await newOwner(app);
      const { body } = await postJob(app, 'save_asset', { wallet: owner.wallet, ...NOTE }, owner.bare);
      const { payment } = (await jobIn(app, body.job_id, ENDED, owner.bare)).result;
      const path = (place: string) => `/api/wallet/${place}?wallet=${owner.wallet}`;
      const statement = await app.get(path('statement'), owner.bare);
      const receipt = await app.get(path(`receipts/${payment.receipt_id}`), owner.bare);
      const [charge] = statement.body.entries.filter(({ type }: { type: string }) => type === 'tool_call');
      expect(charge.receipt_id).toBe(payment.receipt_id);
      expect(receipt.body.receipt).toBe(payment.receipt);
    });

    test('a failed job reports the error of a synchronous call and is not charged', async () => {
      const { wallet } = await newOwner(app);
      const sent = { wallet: `0x${'9'.repeat(40)}`, ...NOTE };
      const { body } = await postJob(app, 'save_asset', sent, bearer(wallet));
      const job = await jobIn(app, body.job_id, ENDED, bearer(wallet));
      expect(job).toMatchObject({ state: 'failed', problem: { code: 'wallet_mismatch', status: 403 } });
      expect(job.result).toBeUndefined();
      expect(await balance(app, wallet)).toMatchObject({ held: 0, balance: 10, totals: { spent: 0 } });
    });

    test.each([
      ['a wrong field', 'extract_palette', { image: EXAMPLE_PNG_B64, num_colors: 99 }, 400],
      [
        'a file that is not an image',
        'extract_palette',
        { image: Buffer.from('no').toString('base64') },
        415,
      ],
      ['no payment', 'save_asset', { wallet: `0x${'1'.repeat(40)}`, ...NOTE }, 402],
      ['no such tool', 'paint_image', {}, 404],
    ])('with %s is refused at once', async (_, tool, body, status) => {
      expect((await postJob(app, tool, body)).status).toBe(status);
    });

    test('text that PostgreSQL rejects in JSON is handled', async () => {
      const sent = `{"query": "\\ud83d", "${'x'.repeat(59)}😀": 1}`;
      const good = sent.replace('\\ud83d', 'resize');
      const [wrong, accepted] = [
        await postJob(app, 'search_tools', sent),
        await postJob(app, 'search_tools', good),
      ];
      expect([wrong.status, accepted.status]).toEqual([400, 202]);
      expect(await jobIn(app, accepted.body.job_id, ENDED)).toMatchObject({ state: 'succeeded' });
    });

    test('a wallet with too little has no job', async () => {
      const wallet = `0x${'7'.repeat(40)}`;
      const { status, body } = await postJob(app, 'save_asset', { wallet, ...NOTE }, bearer(wallet));
      expect({ status, code: body.code }).toEqual({ status: 402, code: 'wallet_not_registered' });
    });

    test('a dry run needs no job', async () => {
      const sent = { image: EXAMPLE_PNG_B64, dry_run: true };
      const { status, body } = await postJob(app, 'extract_palette', sent);
      expect({ status, dry: body.dry_run }).toEqual({ status: 200, dry: true });
    });

    test.each(['return=minimal', 'respond-asynchronously', 'wait=10', ''])(
      'Prefer: %s creates no job',
      async (prefer) => {
        const sent = { query: 'palette' };
        const { status } = await app.post('/api/tools/search_tools', sent, { Prefer: prefer });
        expect(status).toBe(200);
      },
    );

    test.each(['Respond-Async', 'return=minimal, respond-async; wait=10'])(
      'Prefer: %s creates a job',
      async (prefer) => {
        const sent = { query: 'palette' };
        const { status } = await app.post('/api/tools/search_tools', sent, { Prefer: prefer });
        expect(status).toBe(202);
      },
    );

    test('a retry with its Idempotency-Key returns the same job and is charged once', async () => {
      const { wallet } = await newOwner(app);
      const headers = { ...bearer(wallet), 'Idempotency-Key': 'one-note' };
      const sent = { wallet, ...NOTE };
      const first = await postJob(app, 'save_asset', sent, headers);
      await jobIn(app, first.body.job_id, ENDED, bearer(wallet));
      const again = await postJob(app, 'save_asset', sent, headers);
      const waiting = await app.post('/api/tools/save_asset', sent, headers);
      const other = await postJob(app, 'save_asset', { ...sent, key: 'other' }, headers);
      expect([again.text, waiting.text]).toEqual([first.text, first.text]);
      expect([again.status, waiting.status, other.status]).toEqual([202, 202, 422]);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await balance(app, wallet)).toMatchObject({ totals: { spent: 1 } });
    });

    test('many simultaneous retries make one job', async () => {
      const { wallet } = await newOwner(app);
      const headers = { ...bearer(wallet), 'Idempotency-Key': 'at-once' };
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => postJob(app, 'save_asset', { wallet, ...NOTE }, headers)),
      );
      const accepted = replies.filter(({ status }) => status === 202);
      expect(new Set(accepted.map(({ body }) => body.job_id)).size).toBe(1);
      expect(replies.every(({ status }) => status === 202 || status === 409)).toBe(true);
      await jobIn(app, accepted[0]!.body.job_id, ENDED, bearer(wallet));
      expect(await balance(app, wallet)).toMatchObject({ held: 0, totals: { spent: 1 } });
    });

    test('a failed job frees its Idempotency-Key', async () => {
      const { wallet } = await newOwner(app);
      const headers = { ...bearer(wallet), 'Idempotency-Key': 'failing' };
      const sent = { wallet: `0x${'9'.repeat(40)}`, ...NOTE };
      const first = await postJob(app, 'save_asset', sent, headers);
      await jobIn(app, first.body.job_id, ENDED, bearer(wallet));
      const again = await postJob(app, 'save_asset', sent, headers);
      expect(again.status).toBe(202);
      expect(again.body.job_id).not.toBe(first.body.job_id);
    });

    test('a job of a wallet is not visible to others', async () => {
      const { wallet } = await newOwner(app);
      const other = await newOwner(app);
      const { body } = await postJob(app, 'save_asset', { wallet, ...NOTE }, bearer(wallet));
      const path = `/api/jobs/${body.job_id}`;
      const strangers = [{}, other.bare, await other.signIn(), bearer('nonsense')];
      const looked = await Promise.all(strangers.map((headers) => app.get(path, headers)));
      const canceled = await Promise.all(strangers.map((headers) => cancel(app, body.job_id, headers)));
      expect(looked.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect(canceled.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect(looked[0]?.body.code).toBe('job_not_found');
      expect(await jobIn(app, body.job_id, ENDED, bearer(wallet))).toMatchObject({ state: 'succeeded' });
    });

    test('made with a key is shown to that key and to the owner', async () => {
      const owner = await newOwner(app);
      const [mine, another] = [await owner.makeKey(MAY_SAVE), await owner.makeKey(MAY_SAVE)];
      const sent = { wallet: owner.wallet, ...NOTE };
      const { body } = await postJob(app, 'save_asset', sent, mine.header);
      await jobIn(app, body.job_id, ENDED, mine.header);
      const path = `/api/jobs/${body.job_id}`;
      const statuses = [another.header, owner.bare, await owner.signIn()].map(
        async (headers) => (await app.get(path, headers)).status,
      );
      expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
    });

    test('of a wallet that was locked later needs proof to be seen', async () => {
      const owner = await newOwner(app);
      const { body } = await postJob(app, 'save_asset', { wallet: owner.wallet, ...NOTE }, owner.bare);
      await jobIn(app, body.job_id, ENDED, owner.bare);
      const session = await owner.signIn();
      await app.post('/api/wallet/lock', {}, session);
      const path = `/api/jobs/${body.job_id}`;
      expect((await app.get(path, owner.bare)).status).toBe(404);
      expect((await app.get(path, session)).status).toBe(200);
    });

    test('an invalid id is 404', async () => {
      const ids = [
        'job_0',
        'x',
        '..%2f..%2fhealth',
        `job_${'0'.repeat(32)}`,
        "job_'--",
        '%00',
        'j'.repeat(5000),
      ];
      const looked = await Promise.all(ids.map((id) => app.get(`/api/jobs/${id}`)));
      expect(looked.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 400, 400]);
    });
  });

  describe('with a single slot', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await open({ JOBS_AT_ONCE: '1', JOBS_LIVE_MAX: '3', JOBS_PER_CALLER: '2' });
    });
    afterAll(() => app.close());

    test('a running job is canceled, and one that waits gets its turn', async () => {
      const first = await occupied(app);
      const { body } = await postJob(app, 'extract_palette', { image: EXAMPLE_PNG_B64 });
      expect((await app.get(`/api/jobs/${body.job_id}`)).body).toMatchObject({ state: 'queued', place: 1 });
      const canceled = await cancel(app, first);
      expect(canceled.status).toBe(200);
      expect(await canceled.json()).toMatchObject({ state: 'canceled', credits: { held: 0, charged: 0 } });
      expect(await jobIn(app, body.job_id, ENDED)).toMatchObject({ state: 'succeeded' });
    });

    test('a queued job is cancelled by POST too, and its hold is released', async () => {
      const { wallet } = await newOwner(app);
      const first = await occupied(app);
      const { body } = await postJob(app, 'save_asset', { wallet, ...NOTE }, bearer(wallet));
      expect(await balance(app, wallet)).toMatchObject({ held: 1, available: 9 });
      const { status } = await app.post(`/api/jobs/${body.job_id}/cancel`, {}, bearer(wallet));
      expect(status).toBe(200);
      expect(await balance(app, wallet)).toMatchObject({ held: 0, available: 10 });
      await cancel(app, first);
      expect((await app.get(`/api/jobs/${body.job_id}`, bearer(wallet))).body.state).toBe('canceled');
    });

    test("a client's own limit is 429, a full queue 503, and neither holds credits", async () => {
      const { wallet } = await newOwner(app);
      const other = await newOwner(app);
      const first = await occupied(app);
      const waiting = (await postJob(app, 'extract_palette', { image: EXAMPLE_PNG_B64 })).body.job_id;
      const own = await postJob(app, 'extract_palette', { image: EXAMPLE_PNG_B64 });
      const last = await postJob(app, 'save_asset', { wallet, ...NOTE }, bearer(wallet));
      const full = await postJob(app, 'save_asset', { wallet: other.wallet, ...NOTE }, other.bare);
      expect([own.status, own.body.code]).toEqual([429, 'too_many_jobs']);
      expect([last.status, full.status, full.body.code]).toEqual([202, 503, 'busy']);
      expect(full.headers.get('retry-after')).not.toBeNull();
      expect(await balance(app, other.wallet)).toMatchObject({ held: 0 });
      await Promise.all([first, waiting].map((id) => cancel(app, id)));
      await jobIn(app, last.body.job_id, ENDED, bearer(wallet));
    });

    test('locking a wallet stops jobs queued by its bare address', async () => {
      const owner = await newOwner(app);
      const first = await occupied(app);
      const { body } = await postJob(app, 'save_asset', { wallet: owner.wallet, ...NOTE }, owner.bare);
      const session = await owner.signIn();
      await app.post('/api/wallet/lock', {}, session);
      await cancel(app, first);
      const job = await jobIn(app, body.job_id, ENDED, session);
      expect(job).toMatchObject({ state: 'failed', problem: { code: 'wallet_locked' } });
      const { body: account } = await app.post('/api/tools/check_balance', { wallet: owner.wallet }, session);
      expect(account).toMatchObject({ held: 0, balance: 10 });
    });

    test('revoking a key stops its queued jobs', async () => {
      const owner = await newOwner(app);
      const key = await owner.makeKey(MAY_SAVE);
      const first = await occupied(app);
      const { body } = await postJob(app, 'save_asset', { wallet: owner.wallet, ...NOTE }, key.header);
      const session = await owner.signIn();
      const path = `http://atelier.test/api/wallet/keys/${key.id}`;
      await app.fetch(new Request(path, { method: 'DELETE', headers: session }));
      await cancel(app, first);
      const job = await jobIn(app, body.job_id, ENDED, session);
      expect(job).toMatchObject({ state: 'failed', problem: { code: 'invalid_token' } });
    });
  });

  test('a job may take longer than a call that waits, but not for ever', async () => {
    const app = await open({ TOOL_DEADLINE_MS: '200', JOB_DEADLINE_MS: '1500' });
    const { body } = await postJob(app, 'vectorize_image', { image: await noise(900), ...EVERY_SPECK });
    const job = await jobIn(app, body.job_id, ENDED);
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'timed_out', status: 504 } });
    const ran = Date.parse(job.finished_at) - Date.parse(job.started_at);
    expect(ran).toBeGreaterThan(1000);
    await app.close();
  });
});
