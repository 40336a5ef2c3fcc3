import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { toppedUp } from '../../../tests/support/topped_up.ts';
import { photo } from '../photo.ts';

/** Observations of a client, and the guarantees it received. */
export interface Record {
  readonly statuses: Map<string, number>;
  /** Violated guarantees. */
  readonly wrong: string[];
  /** Credits charged according to the responses. */
  spent: number;
  /** sha256 of saved files, by key. */
  readonly saved: Map<string, string>;
  /** Accepted jobs whose end is not yet known. */
  readonly jobs: Set<string>;
  ended: number;
  /** Answered calls, each with its own key. */
  readonly acknowledged: Acknowledged[];
  /** The longest time that a key stayed claimed by a crashed call. */
  claimedMs: number;
}

interface Call {
  readonly path: string;
  readonly body: object;
  readonly headers: { readonly [name: string]: string };
}

interface Acknowledged {
  readonly call: Call;
  readonly status: number;
  readonly sha256: string;
}

interface Reply {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown };
  readonly text: string;
  readonly isReplay: boolean;
}

/** Maximum time after any fault until every key is free or has a response. */
const CLAIMED_MS_MAX = 120_000;
const ANSWERED_MS_MAX = 240_000;
const AGAIN_MS = 700;
const JOBS_WAITING_MAX = 12;

/** One client with its own address and wallet, which repeats a call until it gets a response. */
export async function openClient(urls: readonly string[], nth: number) {
  const wallet = `0x${String(nth + 1).repeat(40)}`;
  const own = {
    'Content-Type': 'application/json',
    'X-Forwarded-For': `198.51.100.${nth + 1}`,
    Authorization: `Bearer ${wallet}`,
  };
  const record: Record = {
    statuses: new Map(),
    wrong: [],
    spent: 0,
    saved: new Map(),
    jobs: new Set(),
    ended: 0,
    acknowledged: [],
    claimedMs: 0,
  };
  let turn = nth;
  const count = (what: string) => record.statuses.set(what, (record.statuses.get(what) ?? 0) + 1);
  const once = async ({ path, body, headers }: Call, method = 'POST'): Promise<Reply | undefined> => {
    turn += 1;
    try {
      const init = { method, headers: { ...own, ...headers }, signal: AbortSignal.timeout(90_000) };
      const sent = method === 'POST' ? { ...init, body: JSON.stringify(body) } : init;
      const response = await fetch(urls[turn % urls.length] + path, sent);
      const text = await response.text();
      const isReplay = response.headers.has('idempotency-replayed');
      const reply: Reply = { status: response.status, body: JSON.parse(text), text, isReplay };
      count(String(reply.status));
      const isAnnounced = reply.status === 503 && response.headers.has('retry-after');
      if (reply.status >= 500 && !isAnnounced && path !== '/health')
        record.wrong.push(`${path}: ${reply.status} ${text.slice(0, 200)}`);
      return reply;
    } catch {
      count('no connection');
      return undefined;
    }
  };
  /** Repeats until there is a response. */
  const ask = async (call: Call, method = 'POST'): Promise<Reply | undefined> => {
    const began = performance.now();
    let claimedAt: number | undefined;
    while (performance.now() - began < ANSWERED_MS_MAX) {
      const reply = await once(call, method);
      const now = performance.now();
      if (claimedAt !== undefined) record.claimedMs = Math.max(record.claimedMs, now - claimedAt);
      if (reply && ![409, 429, 503].includes(reply.status)) return reply;
      if (reply?.status === 409) claimedAt ??= now;
      if (claimedAt !== undefined && now - claimedAt > CLAIMED_MS_MAX) break;
      await sleep(AGAIN_MS);
    }
    record.wrong.push(
      `${call.path}: ${claimedAt === undefined ? 'no answer' : 'its key stayed claimed'} for ${Math.round((performance.now() - began) / 1000)} s`,
    );
    return undefined;
  };
  const took = (body: Reply['body']) => {
    record.spent += (body.cost as { credit?: number } | undefined)?.credit ?? 0;
  };
  const settle = (call: Call, reply: Reply) => {
    const { key, data } = call.body as { key?: string; data?: string };
    if (reply.status === 202) record.jobs.add(String(reply.body.job_id));
    else if (reply.status === 200) took(reply.body);
    else record.wrong.push(`${call.path}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`);
    if (reply.status < 300 && key !== undefined)
      record.saved.set(key, sha256Of(Buffer.from(data!, 'base64')));
  };
  const send = async (tool: string, body: object, more: { [name: string]: string } = {}) => {
    const headers = { 'Idempotency-Key': randomUUID(), ...more };
    const call = { path: `/api/tools/${tool}`, body, headers };
    const reply = await ask(call);
    if (!reply) return;
    settle(call, reply);
    if (reply.status < 300)
      record.acknowledged.push({ call, status: reply.status, sha256: sha256Of(reply.text) });
  };
  const look = async (path: string) => ask({ path, body: {}, headers: {} }, 'GET');
  /** Polls the open jobs. */
  const lookAtJobs = async () => {
    for (const id of record.jobs) {
      const reply = await look(`/api/jobs/${id}`);
      const { state, result } = (reply?.body ?? {}) as { state?: string; result?: Reply['body'] };
      if (state === 'succeeded') took(result!);
      else if (state === 'failed' || reply?.status === 404)
        record.wrong.push(`job ${id}: ${JSON.stringify(reply?.body).slice(0, 300)}`);
      else continue;
      record.jobs.delete(id);
      record.ended += 1;
    }
  };
  await toppedUp(async (path, body) => ({ body: (await ask({ path, body, headers: {} }))?.body }), wallet);
  const pictures = [await photo(640, 480), await photo(48, 48)].map((bytes) => bytes.toString('base64'));
  return {
    wallet,
    record,
    async round(number: number): Promise<void> {
      const [image, small] = pictures;
      const note = (key: string) => ({
        wallet,
        key,
        content_type: 'text/plain',
        data: Buffer.from(`${key} of ${nth}`).toString('base64'),
      });
      const asJob = { Prefer: 'respond-async' };
      await send('save_asset', note(`at-once-${number}`));
      await send('save_asset', note(`as-job-${number}`), asJob);
      await send('resize_image', { image, width: 200, height: 200, output: 'url' });
      await send('extract_palette', { image }, asJob);
      if (number % 4 === 0) await send('upscale_image', { image: small, scale: 2, output: 'url' }, asJob);
      await look('/health');
      await ask({ path: '/api/tools/list_assets', body: { wallet, limit: 5 }, headers: {} });
      await lookAtJobs();
      while (record.jobs.size > JOBS_WAITING_MAX) {
        await sleep(1_000);
        await lookAtJobs();
      }
    },
    /** Waits until every job has ended. */
    async end(byMs: number): Promise<void> {
      while (record.jobs.size > 0 && performance.now() < byMs) {
        await lookAtJobs();
        await sleep(500);
      }
      for (const id of record.jobs) record.wrong.push(`job ${id} has not ended`);
    },
    /** Repeats every answered call: each has been executed once, with the same response. */
    async replay(): Promise<void> {
      for (const { call, status, sha256 } of record.acknowledged) {
        const again = await ask(call);
        if (!again?.isReplay || again.status !== status || sha256Of(again.text) !== sha256)
          record.wrong.push(
            `${call.path} ${call.headers['Idempotency-Key']} was answered with ${status}, and repeated with ${again?.status}${again?.isReplay ? ' and another text' : ', as a new call'}`,
          );
      }
    },
    /** Compares the guarantees with the actual state. */
    async check(): Promise<void> {
      const { body } = (await ask({ path: '/api/tools/check_balance', body: { wallet }, headers: {} }))!;
      const { held, totals } = body as unknown as { held: number; totals: { spent: number } };
      if (held !== 0) record.wrong.push(`${held} credits are still held`);
      if (Math.abs(totals.spent - record.spent) > 0.001)
        record.wrong.push(`answers say ${record.spent} credits were taken, the books ${totals.spent}`);
      for (const [key, sha256] of record.saved) {
        const asset = await ask({ path: '/api/tools/get_asset', body: { wallet, key }, headers: {} });
        if (asset?.body.sha256 !== sha256)
          record.wrong.push(`asset ${key} differs from the acknowledged file`);
      }
    },
  };
}

const sha256Of = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
