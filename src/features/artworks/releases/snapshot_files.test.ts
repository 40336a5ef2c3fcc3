import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOMY_DISK } from '../../../../tests/support/roomy_disk.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { StoredRecord } from '../records/record_store.ts';
import type { Edition } from './edition_store.ts';
import { createSnapshotFiles } from './snapshot_files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-snapshots-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const edition = (number: number) => ({ number, digest: `${number}`.repeat(64) }) as Edition;

/** A database of 600 works that returns pages, and reports whether a work was withdrawn. */
function files({ disk = ROOMY_DISK, waitMs = 10_000, slowMs = 0 } = {}) {
  const state = { pages: 0, isWithdrawn: false };
  const database = {
    async query(text: string, [, after]: readonly unknown[]) {
      if (text.includes('exists (select 1 from artwork_withdrawals where edition'))
        return [{ is: state.isWithdrawn }];
      state.pages += 1;
      if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs));
      const first = after === '' ? 0 : Number(after) + 1;
      return Array.from({ length: Math.min(250, 600 - first) }, (_, at) => ({
        record: { id: String(first + at).padStart(4, '0') },
      }));
    },
  } as unknown as Database;
  const lineOf = ({ record }: StoredRecord) => JSON.stringify({ id: record.id });
  return { state, made: createSnapshotFiles({ database, folder, disk, lineOf, waitMs }) };
}

test('a snapshot file is built once for concurrent requests and reused by later processes', async () => {
  const { made, state } = files();
  const [one, other] = await Promise.all([made.newest(edition(1)), made.newest(edition(1))]);
  expect([one.sha256, state.pages]).toEqual([other.sha256, 3]);
  expect((await (await one.open()).plain.text()).split('\n').length).toBe(601);
  expect((await files().made.newest(edition(1))).sha256).toBe(one.sha256);
});

test('a request that waits too long is rejected as busy and a retry succeeds', async () => {
  const { made } = files({ waitMs: 5, slowMs: 30 });
  await expect(made.newest(edition(1))).rejects.toMatchObject({ code: 'busy' });
  await made.settle();
  expect((await made.newest(edition(1))).bytes).toBeGreaterThan(0);
});

test('a full disk leaves no partial file', async () => {
  const full = new AtelierError('storage_full', 'full');
  const disk = { ...ROOMY_DISK, requireRoom: () => Promise.reject(full) };
  await expect(files({ disk }).made.newest(edition(1))).rejects.toThrow('full');
  expect(readdirSync(folder)).toEqual([]);
});

test('a truncated snapshot file is rebuilt', async () => {
  const { made } = files();
  const { sha256, bytes } = await made.newest(edition(1));
  truncateSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl'))!), 10);
  expect(await made.newest(edition(1))).toMatchObject({ sha256, bytes });
});

test('older snapshot files are kept for a while unless one of their works is withdrawn', async () => {
  const { made, state } = files();
  for (const number of [1, 2, 3, 4]) await made.newest(edition(number));
  await made.sweep(edition(4), new Date());
  const here = async () =>
    Promise.all([1, 2, 3].map(async (number) => (await made.kept(edition(number))) !== undefined));
  expect(await here()).toEqual([false, true, true]);
  state.isWithdrawn = true;
  expect(await here()).toEqual([false, false, false]);
});
