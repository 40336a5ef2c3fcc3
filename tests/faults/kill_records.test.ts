import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { describe, expect, test } from 'vitest';
import { arweaveSettings, type FakeArweave, startFakeArweave } from '../support/fake_arweave.ts';
import { passTime } from '../support/kill_rounds.ts';
import { newSchema } from '../support/new_schema.ts';
import { type ProcessReply, postTo } from '../support/post_to.ts';
import { scene } from '../support/scene.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** kill -9 in the middle of what is to stay for ever: registered exactly if charged, and kept exactly if charged. */

const TIMEOUT_MS = 300_000;
const PICTURES = 3;
describe('embedded', () => suite());
describe('postgresql', needs('PostgreSQL'), () => suite(process.env.TEST_DATABASE_URL));

function suite(url?: string): void {
  test('registrations', () => withService(url, registrations), TIMEOUT_MS);
  test(
    'an upload received before a kill is charged only when the call is repeated',
    () => withService(url, uploads),
    TIMEOUT_MS,
  );
}

interface World {
  readonly fake: FakeArweave;
  readonly wallet: string;
  /** Of the service that runs. */
  post(path: string, body: object, key?: string): Promise<ProcessReply | undefined>;
  get(path: string): Promise<{ status: number; text: string }>;
  /** SIGKILL, a fresh start, and the time after which what a dead server held is given back. */
  killAndStart(): Promise<void>;
  kill(): void;
  spent(): Promise<number>;
}

async function withService(url: string | undefined, story: (world: World) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-kill-records-'));
  const fake = await startFakeArweave();
  const schema = url ? await newSchema(url) : undefined;
  const settings = {
    ...arweaveSettings(fake, folder),
    DATA_DIR: folder,
    ...(schema && { DATABASE_URL: schema.url }),
  };
  let service: ServiceProcess = await startService(settings);
  const wallet = `0x${randomBytes(20).toString('hex')}`;
  const headers = { Authorization: `Bearer ${wallet}` };
  const kill = () => void service.process.kill('SIGKILL');
  const post: World['post'] = (path, body, key) =>
    postTo(service.url, path, body, { ...headers, ...(key && { 'Idempotency-Key': key }) });
  await toppedUp(post, wallet);
  try {
    await story({
      fake,
      wallet,
      post,
      kill,
      get: async (path) => {
        const response = await fetch(`${service.url}${path}`);
        return { status: response.status, text: await response.text() };
      },
      async killAndStart() {
        kill();
        service = await startService(settings);
        if (schema) await passTime(schema.url);
      },
      spent: async () => {
        const { body } = (await post('/api/tools/check_balance', { wallet }))!;
        expect(body.held).toBe(0);
        return body.totals.spent;
      },
    });
  } finally {
    kill();
    await schema?.drop();
    await fake.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function registrations({ post, killAndStart, spent, get }: World): Promise<void> {
  const pictures = await Promise.all(Array.from({ length: PICTURES }, (_, seed) => scene(seed + 10)));
  const register = (index: number) =>
    post('/api/tools/register_hash', { image: pictures[index]!.toString('base64') }, `picture-${index}`);
  const calls = pictures.map((_, index) => register(index));
  await Promise.race(calls);
  await killAndStart();
  const answers = await Promise.all(calls);
  const answered = answers.filter((reply) => reply?.status === 200).length;
  const charged = await spent();
  expect(charged).toBeGreaterThanOrEqual(answered);
  expect(await found()).toBe(charged);

  const again = await Promise.all(pictures.map((_, index) => register(index)));
  expect(again.map((reply) => reply?.status)).toEqual(pictures.map(() => 200));
  answers.forEach((reply, index) => {
    if (reply?.status === 200) expect(again[index]!.text).toBe(reply.text);
  });
  expect([await spent(), await found()]).toEqual([PICTURES, PICTURES]);
  expect(JSON.parse((await get('/api/ledger/invariants')).text)).toMatchObject({ balanced: true });

  /** Found by the index and in the table, or in neither: as a file, and by its looks as another file. */
  async function found(): Promise<number> {
    let count = 0;
    for (const picture of pictures) {
      const copy = await sharp(picture).webp({ quality: 90 }).toBuffer();
      const [file, looks] = await Promise.all(
        [picture, copy].map((image) =>
          post('/api/tools/verify_provenance', { image: image.toString('base64') }),
        ),
      );
      expect([file!.status, looks!.status], `${file!.text} ${looks!.text}`).toEqual([200, 200]);
      expect(looks!.body.best_match?.credit_id).toBe(file!.body.best_match?.credit_id);
      if (file!.body.verdict === 'identical') count += 1;
    }
    return count;
  }
}

async function uploads({ fake, post, kill, killAndStart, spent, get }: World): Promise<void> {
  const store = () => post('/api/tools/store_permanent', { data: 'aGVsbG8=' }, 'hello');
  fake.onTaken = (count) => count === 2 && kill();
  expect(await store()).toBeUndefined();
  fake.onTaken = () => {};
  await killAndStart();
  const record = [...fake.items.keys()].at(-1)!;
  expect([await spent(), (await get(`/ar/${record}`)).status]).toEqual([0, 404]);

  const { status, body } = (await store())!;
  expect([status, body.permanent_storage_tx, await spent()]).toEqual([200, record, 15]);
  expect([fake.items.size, (await get(`/ar/${record}`)).status]).toEqual([2, 200]);
}
