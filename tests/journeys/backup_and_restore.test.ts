import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newSchema } from '../support/new_schema.ts';
import { postTo } from '../support/post_to.ts';
import { spawnProgram } from '../support/spawn_program.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';

/** The drill: a server is backed up under load, and comes back on either database with everything it had acknowledged before. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const WALLET = `0x${'a'.repeat(40)}`;
const AS_WALLET = { Authorization: `Bearer ${WALLET}` };
const SETTINGS = { FREE_TOOLS_PER_HOUR: '1000000', PAID_TOOLS_PER_MINUTE: '1000000' };
const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-drill-'));
  folders.push(folder);
  return folder;
};
const backups = newFolder();
const running: ServiceProcess[] = [];
const start = async (settings: Record<string, string>) => {
  const service = await startService({ ...SETTINGS, ...settings });
  running.push(service);
  return service;
};
const stop = async ({ process }: ServiceProcess) => {
  if (process.exitCode !== null) return;
  process.kill('SIGTERM');
  await once(process, 'exit');
};
afterAll(async () => {
  await Promise.all(running.map(stop));
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Runs a command, and answers what it said. */
async function atelier(words: string[], settings: Record<string, string>): Promise<string> {
  const command = spawnProgram(['src/interfaces/cli/main.ts', ...words], { DATABASE_URL: '', ...settings });
  const said = text(command.stdout);
  expect(await once(command, 'exit')).toEqual([0, null]);
  return said;
}

const save = (url: string, key: string, wallet = WALLET) =>
  postTo(
    url,
    '/api/tools/save_asset',
    { wallet, key, data: Buffer.from(`bytes of ${key}`).toString('base64') },
    { Authorization: `Bearer ${wallet}`, 'Idempotency-Key': key },
  );
const read = async (url: string, path: string) =>
  (await (await fetch(`${url}${path}`, { headers: AS_WALLET })).json()) as Record<string, unknown>;

/** What a caller sees of the instance, without what only names its address. */
async function seen(url: string) {
  const listed = (await postTo(url, '/api/tools/list_assets', { wallet: WALLET, limit: 100 }, AS_WALLET))!
    .body;
  const { assets } = listed as { assets: { key: string; sha256: string; url: string }[] };
  const books = await read(url, '/api/ledger/invariants');
  const feed = (await read(url, '/api/cafe/feed')) as { posts: { message: string }[] };
  return { assets, books, posts: feed.posts };
}

describe('a server under load', () => {
  const dataDir = newFolder();
  let service: ServiceProcess;
  let jobPath: string;
  let paid: string;
  beforeAll(async () => {
    service = await start({ DATA_DIR: dataDir });
    const { url } = service;
    await postTo(url, '/api/wallet/register', { wallet: WALLET });
    paid = (await save(url, 'before'))!.text;
    await postTo(url, '/api/cafe/post', { name: 'Ada', message: 'Before the backup.' });
    const body = { url: 'https://example.org/hook', events: ['*'] };
    expect(await postTo(url, '/api/webhooks/register', body, AS_WALLET)).toMatchObject({ status: 200 });
    const job = await fetch(`${url}/api/tools/search_tools`, {
      method: 'POST',
      headers: { ...AS_WALLET, Prefer: 'respond-async' },
      body: '{"query": "resize"}',
    });
    jobPath = job.headers.get('location')!;
    expect(job.status).toBe(202);
  });

  test('is backed up while it serves requests', async () => {
    let isBackingUp = true;
    const backup = atelier(['backup', backups], { DATA_DIR: dataDir }).finally(() => {
      isBackingUp = false;
    });
    const answers = new Set<number | undefined>();
    for (let count = 0; isBackingUp; count += 1) {
      const wallet = `0x${String(count).padStart(40, '0')}`;
      answers.add((await postTo(service.url, '/api/wallet/register', { wallet }))?.status);
      answers.add((await save(service.url, `during_${count}`, wallet))?.status);
    }
    expect(await backup).toMatch(/^[\dTZ-]+: \d+ rows and \d+ blobs/);
    expect([...answers]).toEqual([200]);
    await save(service.url, 'after');
  });

  test('is restored on the embedded database', () => comesBack({}));

  describe('and', needs('PostgreSQL'), () => {
    test('is restored on PostgreSQL', async () => {
      const schema = await newSchema(process.env.TEST_DATABASE_URL!);
      onTestFinished(() => schema.drop());
      await comesBack({ DATABASE_URL: schema.url });
    });
  });

  async function comesBack(settings: Record<string, string>) {
    const restored = { DATA_DIR: newFolder(), ...settings };
    expect(await atelier(['restore', backups], restored)).toContain('was restored and verified');
    const back = await start(restored);
    const [then, now] = [await seen(service.url), await seen(back.url)];
    expect(now.books).toMatchObject({ balanced: true, problems: [] });
    expect(now.posts.map(({ message }) => message)).toEqual(['Before the backup.']);
    const keys = now.assets.map(({ key }) => key);
    expect(keys).toEqual(['before']);
    expect(then.assets.map(({ key }) => key).sort()).toEqual(['after', 'before']);
    for (const { key, sha256, url } of now.assets) {
      const bytes = Buffer.from(
        await (await fetch(`${back.url}${new URL(url).pathname}${new URL(url).search}`)).arrayBuffer(),
      );
      expect([bytes.toString(), createHash('sha256').update(bytes).digest('hex')]).toEqual([
        `bytes of ${key}`,
        sha256,
      ]);
    }
    expect(await save(back.url, 'before')).toMatchObject({ status: 200, isReplay: true, text: paid });
    expect(await read(back.url, jobPath)).toMatchObject({ job_id: expect.any(String) });
    expect(await read(back.url, '/api/webhooks')).toMatchObject({
      webhooks: [{ url: 'https://example.org/hook' }],
    });
    expect((await read(back.url, '/api/log')).tree_size).toEqual(expect.any(Number));
    await stop(back);
  }
});
