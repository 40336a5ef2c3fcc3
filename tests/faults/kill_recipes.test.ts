import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { JOB_CRASHES_MAX } from '../../src/core/queue/limits.ts';
import { EXAMPLE_PNG_B64 } from '../../src/features/definitions/example_image.ts';
import { passTime } from '../support/kill_rounds.ts';
import { newSchema } from '../support/new_schema.ts';
import { type ProcessReply, postTo } from '../support/post_to.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';

/** kill -9 in the middle of recipes, as jobs and as calls that wait, on the embedded database and on PostgreSQL. */

/** A job that was interrupted more often is given up. */
const KILLS = JOB_CRASHES_MAX;
const JOBS = 3;
const CALLS = 3;
/** Two titles and one asset of what is held for four: the last step fails. */
const CREDITS_EACH = 3;
const WALLET = `0x${'6'.repeat(40)}`;
const PAID = { Authorization: `Bearer ${WALLET}` };
const TIMEOUT_MS = 300_000;

const titled = (image: string, title: string, save_as: string) => ({
  tool: 'infuse_metadata',
  save_as,
  params: { image, metadata: { title } },
});

/** No two of them have a step in common that costs. */
const recipe = (name: string) => ({
  steps: [
    { tool: 'resize_image', params: { image: '$photo', width: 60, height: 60 }, save_as: 'small' },
    titled('$small', name, 'first'),
    titled('$first', `${name}, again`, 'second'),
    { tool: 'save_asset', params: { wallet: WALLET, key: name, data: '$second' }, save_as: 'saved' },
    // Of what is kept once it is paid: whoever asks again is told at once of a step that is known to fail.
    titled('$second.content_type', 'never', 'broken'),
  ],
  inputs: { photo: EXAMPLE_PNG_B64 },
});

function sendAll(service: ServiceProcess): Promise<(ProcessReply | undefined)[]> {
  const send = (name: string, headers: Record<string, string>) =>
    postTo(service.url, '/api/tools/run_recipe', recipe(name), {
      ...PAID,
      ...headers,
      'Idempotency-Key': name,
    });
  return Promise.all([
    ...Array.from({ length: JOBS }, (_, at) => send(`job-${at}`, { Prefer: 'respond-async' })),
    ...Array.from({ length: CALLS }, (_, at) => send(`call-${at}`, {})),
  ]);
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of another process
async function look({ url }: ServiceProcess, path: string): Promise<any> {
  return (await fetch(`${url}${path}`, { headers: PAID })).json();
}

async function story(databaseUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-kill-recipes-'));
  const start = () =>
    startService({
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      PAID_TOOLS_PER_MINUTE: '100000',
      FREE_TOOLS_PER_HOUR: '100000',
    });
  let service = await start();
  const { url } = service;
  await toppedUp((path, body) => postTo(url, path, body), WALLET);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const sent = sendAll(service);
    await sleep(200 + Math.random() * 2_500);
    service.process.kill('SIGKILL');
    await once(service.process, 'exit');
    await sent;
    service = await start();
    const { balanced, problems } = await look(service, '/api/ledger/invariants');
    expect({ balanced, problems }).toEqual({ balanced: true, problems: [] });
  }
  if (databaseUrl) await passTime(databaseUrl);

  const replies = await vi.waitFor(
    async () => {
      const all = await sendAll(service);
      expect(all.map((reply) => reply?.status)).toEqual([
        ...Array(JOBS).fill(202),
        ...Array(CALLS).fill(200),
      ]);
      return all;
    },
    { timeout: WAIT_MS_MAX, interval: 1_000 },
  );
  for (const reply of replies.slice(JOBS))
    expect(reply?.body).toMatchObject({ state: 'partial', delivered: 4 });
  for (const reply of replies.slice(0, JOBS)) {
    await vi.waitFor(
      async () => {
        const job = await look(service, `/api/jobs/${reply!.body.job_id}`);
        expect(job).toMatchObject({
          state: 'succeeded',
          credits: { charged: CREDITS_EACH },
          result: { delivered: 4 },
        });
      },
      { timeout: WAIT_MS_MAX, interval: 500 },
    );
  }
  const balance = await postTo(service.url, '/api/tools/check_balance', { wallet: WALLET });
  const assets = await postTo(service.url, '/api/tools/list_assets', { wallet: WALLET });
  expect(balance?.body).toMatchObject({ held: 0, totals: { spent: CREDITS_EACH * (JOBS + CALLS) } });
  expect(assets?.body.count).toBe(JOBS + CALLS);
  expect(await look(service, '/api/ledger/invariants')).toMatchObject({ balanced: true, problems: [] });
  service.process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

test(
  'embedded: kill -9 during recipes loses nothing and causes no duplicate or unearned charges',
  () => story(''),
  TIMEOUT_MS,
);

test('postgresql', { ...needs('PostgreSQL'), timeout: TIMEOUT_MS }, async () => {
  const schema = await newSchema(process.env.TEST_DATABASE_URL!);
  await story(schema.url).finally(schema.drop);
});
