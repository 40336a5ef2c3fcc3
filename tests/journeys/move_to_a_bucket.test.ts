import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePicture } from '../support/fake_museums.ts';
import { postTo } from '../support/post_to.ts';
import { s3rver } from '../support/s3_servers.ts';
import { spawnProgram } from '../support/spawn_program.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';

/** An operator moves the files of a running server to a bucket with `atelier migrate files`. */

const WALLET = `0x${'c'.repeat(40)}`;
const AS_WALLET = { Authorization: `Bearer ${WALLET}` };

const settings = s3rver();
const dataDir = mkdtempSync(join(tmpdir(), 'atelier-to-bucket-'));
let service: ServiceProcess;
beforeAll(async () => {
  service = await startService({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await stop();
  rmSync(dataDir, { recursive: true });
});
const stop = async () => {
  service.process.kill('SIGTERM');
  await once(service.process, 'exit');
};
const ask = (tool: string, input: object) =>
  postTo(service.url, `/api/tools/${tool}`, { wallet: WALLET, ...input }, AS_WALLET);
const save = (key: string) => ask('save_asset', { key, data: Buffer.from(key).toString('base64') });
const migrate = async (...words: string[]) => {
  const move = spawnProgram(['src/interfaces/cli/main.ts', 'migrate', 'files', ...words], {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    ...settings(),
  });
  const [said, [code]] = await Promise.all([text(move.stdout), once(move, 'exit')]);
  return { said, code };
};

test('a move to a bucket copies everything, including late changes, and retires the folder', async () => {
  await postTo(service.url, '/api/wallet/register', { wallet: WALLET });
  const one = (await save('one'))?.body;
  const sent = await fetch(`${service.url}/api/uploads`, {
    method: 'POST',
    body: await makePicture(900, 700),
  });
  const { uri } = (await sent.json()) as { uri: string };

  expect(await migrate()).toMatchObject({ code: 0, said: expect.stringMatching(/^2 files .* 2 of them/) });
  await save('two');
  expect((await migrate('--last')).code).toBe(1);
  await stop();
  expect(await migrate('--last')).toMatchObject({ code: 0, said: expect.stringContaining('3 files') });

  for (const kind of ['blobs', 'results', 'uploads'])
    rmSync(join(dataDir, kind), { recursive: true, force: true });
  await expect(startService({ DATA_DIR: dataDir })).rejects.toThrow('did not start');
  service = await startService({ DATA_DIR: dataDir, ...settings() });
  expect((await ask('get_asset', { key: 'one' }))?.body).toMatchObject({ sha256: one.sha256, data: 'b25l' });
  expect((await ask('get_asset', { key: 'two' }))?.body).toMatchObject({ data: 'dHdv' });
  expect((await ask('resize_image', { image: uri, width: 90, height: 70 }))?.status).toBe(200);
});
