import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/database/open.ts';
import type { Objects } from '../src/services/objects/contract.ts';
import { openStore } from '../src/services/objects/open.ts';
import { median } from './support/load.ts';

const SIZES = [4 * 1024, 1024 ** 2, 24 * 1024 ** 2];
const ROUNDS = 15;

/** Bytes in an object store beside bytes in a folder of the same disk, on one machine: what the requests cost, without any network. */
export async function run(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const database = await openDatabase({ dataDir: 'memory' });
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, configureBuckets: [{ name: 'bench' }] },
    directory: await mkdtemp(join(dataDir, 's3rver-')),
  });
  const { port } = await server.run();
  const places: Record<string, Record<string, string>> = {
    files: {},
    s3rver: settingsOf(`http://S3RVER:S3RVER@127.0.0.1:${port}/bench`),
    ...(process.env.TEST_STORAGE_URL && { Swift: settingsOf(process.env.TEST_STORAGE_URL) }),
  };
  const rows: string[] = [];
  const base: number[][] = [];
  for (const [name, settings] of Object.entries(places)) {
    const store = await openStore(readConfig({ DATA_DIR: dataDir, ...settings }), database);
    const objects = store.objectsOf('bench');
    for (const [index, size] of SIZES.entries()) {
      const times = await measure(objects, size);
      base[index] ??= times;
      const cells = times.map((ms, at) => `${ms.toFixed(1)} (×${(ms / base[index]![at]!).toFixed(1)})`);
      rows.push(`| ${name} | ${size / 1024} KiB | ${cells.join(' | ')} |`);
    }
    await objects.removeFolder('bench');
  }
  await server.close();
  await database.close();
  rmSync(dataDir, { recursive: true });
  return `## Bytes in an object store\n\nMilliseconds, median of ${ROUNDS}, and how many times those of a folder; store and service on one machine.\n\n| | size | keep | read | pass on |\n|---|---|---|---|---|\n${rows.join('\n')}`;
}

const settingsOf = (address: string) => {
  const { origin, pathname, username, password } = new URL(address);
  return {
    STORAGE_URL: `${origin}${pathname}/${randomUUID()}`,
    STORAGE_KEY_ID: decodeURIComponent(username),
    STORAGE_SECRET_KEY: decodeURIComponent(password),
  };
};

/** Keeping durably, reading whole, and passing on as a stream. */
async function measure(objects: Objects, size: number): Promise<number[]> {
  const bytes = randomBytes(size);
  const times: number[][] = [[], [], []];
  const clock = async (at: number, work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    times[at]!.push(performance.now() - begun);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `bench/${randomUUID()}`;
    await clock(0, () => objects.replace(name, bytes));
    await clock(1, () => objects.read(name));
    await clock(2, async () => {
      const stream = (await objects.open(name))!.stream();
      for await (const chunk of stream) if (chunk.length === 0) throw new Error('nothing came');
    });
  }
  return times.map(median);
}
