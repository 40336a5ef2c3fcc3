import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openStore } from '../../src/core/storage/objects/objects.ts';
import { fillData, readStoredData, type StoredData } from '../support/filled_data.ts';
import { inTheMiddle, killWhen, succeed } from '../support/kill_commands.ts';
import { killRounds } from '../support/kill_rounds.ts';
import { runCommand } from '../support/run_command.ts';
import { forEachS3Server, type StorageSettings } from '../support/s3_servers.ts';
import { startService } from '../support/start_service.ts';
import { openTcpProxy } from '../support/tcp_proxy.ts';

/** kill -9 while bytes go into an object store: what was answered is there, nothing half is ever read, and what is left behind is ended. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const KILLS = 2;
const BLOBS = 40;
const TWO_DAYS_MS = 2 * 86_400_000;
/** Sent in three parts. */
const LARGE = randomBytes(20 * 1024 * 1024);

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-kill-bucket-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const source = { DATA_DIR: newFolder() };
let kept: StoredData;
beforeAll(async () => {
  await fillData(source, { rows: 2_000, blobs: BLOBS, blobBytes: 100_000 });
  kept = await readStoredData(source);
});

/** A store that needs no database: nothing is replaced or swept in it here. */
const storeOf = (settings: StorageSettings) =>
  openStore(readConfig({ DATA_DIR: newFolder(), ...settings }), undefined as never);
const within = ({ STORAGE_URL, ...keys }: StorageSettings, place: string) => ({
  STORAGE_URL: `${STORAGE_URL}/${place}`,
  ...keys,
});

forEachS3Server((name, settings) => {
  test('a kill during paid calls loses nothing and causes no duplicate or unearned charges', async () => {
    const { wrong, answered, calls } = await killRounds(KILLS, {
      by: 'credits',
      storage: within(settings(), 'rounds'),
    });
    expect(wrong).toEqual([]);
    expect(answered).toBeLessThan(calls);
  });

  test('a multipart upload cut off by a kill stays invisible and is aborted after a day', async () => {
    const place = within(settings(), 'parts');
    const proxy = await openTcpProxy(place.STORAGE_URL);
    onTestFinished(proxy.close);
    const server = { DATA_DIR: newFolder(), ...place, STORAGE_URL: proxy.url };
    const upload = (url: string) =>
      fetch(`${url}/api/uploads`, {
        method: 'POST',
        headers: { 'Content-Type': 'image/png' },
        body: LARGE,
      }).catch(() => undefined);
    const first = await startService(server);
    const isInTheMiddle = proxy.silenceAt('partNumber=2');
    const cutOff = upload(first.url);
    await isInTheMiddle;
    first.process.kill('SIGKILL');
    expect(await cutOff).toBe(undefined);
    await proxy.restore();

    const store = await storeOf(place);
    expect(await Array.fromAsync(store.objectsOf('uploads').list())).toEqual([]);
    expect(await store.remote!.endAbandoned(new Date())).toBe(0);
    // s3rver lists no uploads, and leaves them to a rule of the bucket.
    expect(await store.remote!.endAbandoned(new Date(Date.now() + TWO_DAYS_MS))).toBe(
      name === 'swift' ? 1 : 0,
    );
    const second = await startService(server);
    onTestFinished(() => void second.process.kill('SIGKILL'));
    expect((await upload(second.url))?.status).toBe(200);
    const [found] = await Array.fromAsync(store.objectsOf('uploads').list());
    expect(LARGE.equals((await store.objectsOf('uploads').read(found!.name))!)).toBe(true);
  });

  // Anybody may read what lies in s3rver, so it takes no backups.
  test.runIf(name === 'swift')(
    'a kill during a backup leaves no backup, and a rerun creates it',
    async () => {
      const { STORAGE_URL, STORAGE_KEY_ID, STORAGE_SECRET_KEY } = settings();
      const keys = { BACKUP_KEY_ID: STORAGE_KEY_ID, BACKUP_SECRET_KEY: STORAGE_SECRET_KEY };
      let tries = 0;
      const address = await inTheMiddle(async () => {
        tries += 1;
        const place = within(settings(), `backups-${tries}`);
        const objects = (await storeOf(place)).objectsOf('objects');
        const command = runCommand(['backup', place.STORAGE_URL], { ...source, ...keys });
        const isHalf = async () => (await Array.fromAsync(objects.list())).length > BLOBS / 2;
        const isKilled = await killWhen(command, isHalf);
        const check = await runCommand(['backup', place.STORAGE_URL, '--check'], { ...source, ...keys })
          .ended;
        return isKilled && check.said.includes('There is no backup') ? place.STORAGE_URL : undefined;
      });
      expect(address).toMatch(STORAGE_URL);
      await succeed(['backup', address], { ...source, ...keys });
      await succeed(['backup', address, '--check'], { ...source, ...keys });
      const restored = { DATA_DIR: newFolder() };
      await succeed(['restore', address], { ...restored, ...keys });
      expect(await readStoredData(restored)).toEqual(kept);
    },
  );
});
