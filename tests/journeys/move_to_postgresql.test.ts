import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { postTo } from '../support/post_to.ts';
import { spawnProgram } from '../support/spawn_program.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';

/** An operator moves a running server's embedded database to PostgreSQL with `atelier migrate`. */

const WALLET = `0x${'a'.repeat(40)}`;
const AS_WALLET = { Authorization: `Bearer ${WALLET}` };
describe('a move to PostgreSQL', needs('PostgreSQL'), () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-move-'));
  let schema: Schema;
  let service: ServiceProcess;
  beforeAll(async () => {
    schema = await newSchema(process.env.TEST_DATABASE_URL!);
    service = await startService({ DATA_DIR: dataDir, FREE_TOOLS_PER_HOUR: '1000000' });
  });
  afterAll(async () => {
    await stop();
    await schema.drop();
    rmSync(dataDir, { recursive: true });
  });
  const stop = async () => {
    service.process.kill('SIGTERM');
    await once(service.process, 'exit');
  };
  const save = (key: string) =>
    postTo(
      service.url,
      '/api/tools/save_asset',
      { wallet: WALLET, key, data: Buffer.from('Grüße').toString('base64') },
      { ...AS_WALLET, 'Idempotency-Key': key },
    );
  const list = () => postTo(service.url, '/api/tools/list_assets', { wallet: WALLET }, AS_WALLET);
  const books = async () => (await fetch(`${service.url}/api/ledger/invariants`)).json();

  test('copies all data while reads are served', async () => {
    await postTo(service.url, '/api/wallet/register', { wallet: WALLET });
    const paid = await save('one');
    expect(paid).toMatchObject({ status: 200, isReplay: false });
    const [before, listed] = [await books(), await list()];

    const move = spawnProgram(['src/interfaces/cli/main.ts', 'migrate'], {
      DATA_DIR: dataDir,
      DATABASE_URL: schema.url,
    });
    const said = text(move.stdout);
    let isMoving = true;
    const moved = once(move, 'exit').finally(() => {
      isMoving = false;
    });
    const read = new Set<number>();
    while (isMoving) {
      // The books are audited for an address sixty times an hour, so they are not what is read again and again.
      read.add((await fetch(`${service.url}/api/cafe/feed`)).status);
      read.add((await list())!.status);
      await sleep(100);
    }
    expect(await moved).toEqual([0, null]);
    expect(await said).toMatch(/rows of \d+ tables .*\n.*start it with DATABASE_URL/);
    expect([...read]).toEqual([200]);
    expect(await save('two')).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });

    await stop();
    service = await startService({ DATA_DIR: dataDir, DATABASE_URL: schema.url });
    expect(await books()).toEqual({ ...(before as object), checked_at: expect.any(String) });
    const [asset] = listed!.body.assets;
    expect((await list())?.body).toMatchObject({
      assets: [{ ...asset, url: expect.any(String), url_expires_at: expect.any(String) }],
    });
    expect(await save('one')).toMatchObject({ status: 200, isReplay: true, text: paid!.text });
    expect(await save('two')).toMatchObject({ status: 200, isReplay: false });
  });

  test('the old database is not opened by mistake', async () => {
    await expect(startService({ DATA_DIR: dataDir })).rejects.toThrow('did not start');
    const again = spawnProgram(['src/interfaces/cli/main.ts', 'migrate'], {
      DATA_DIR: dataDir,
      DATABASE_URL: schema.url,
    });
    expect(await once(again, 'exit')).toEqual([1, null]);
  });
});
