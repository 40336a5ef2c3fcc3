import { mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileObjects } from '../objects/file_objects.ts';
import { blobName } from './blob_name.ts';
import { type BlobChecksums, type BlobRecords, CHUNK_BYTES, createBlobs } from './blobs.ts';

/** Three chunks and a bit, with no two equal adjacent bytes. */
const FILE = Buffer.from(
  Uint32Array.from({ length: (3 * CHUNK_BYTES + 500) / 4 }, (_, at) => at * 2_654_435_761).buffer,
);

function memoryRecords() {
  const sums = new Map<string, BlobChecksums>();
  const damage = new Map<string, boolean>();
  const records: BlobRecords = {
    saveChecksums: async (sha256, checksums) => void sums.set(sha256, checksums),
    checksumsOf: async (sha256) => sums.get(sha256),
    saveDamage: async (sha256, isMissing) => void damage.set(sha256, isMissing),
    removeDamage: async (sha256) => void damage.delete(sha256),
    forget: async (sha256s) => {
      for (const one of sha256s) sums.delete(one);
    },
  };
  return { records, sums, damage };
}

async function stored(bytes: Buffer = FILE) {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-checked-'));
  const known = memoryRecords();
  const kinds: string[] = [];
  const blobs = createBlobs(createFileObjects(folder), {
    records: known.records,
    onDamage: (kind) => kinds.push(kind),
  });
  const sha256 = await blobs.put(bytes);
  const path = join(folder, blobName(sha256));
  const change = async (at: number) => {
    const there = await readFile(path);
    there[at]! ^= 1;
    await writeFile(path, there);
  };
  return { blobs, sha256, path, change, kinds, ...known };
}

const partOf = async (blobs: ReturnType<typeof createBlobs>, sha256: string, from: number, to?: number) =>
  Buffer.from(await (await blobs.open(sha256)).slice(from, to).bytes());

test.each([
  [0, 1],
  [CHUNK_BYTES - 1, CHUNK_BYTES + 1],
  [2 * CHUNK_BYTES, 3 * CHUNK_BYTES],
  [-10, undefined],
  [5, 5],
  [CHUNK_BYTES, FILE.length],
])('the range from %s to %s equals the stored bytes', async (from, to) => {
  const { blobs, sha256 } = await stored();
  expect(await partOf(blobs, sha256, from, to)).toEqual(FILE.subarray(from, to));
});

test('a slice of a slice is relative to the first slice', async () => {
  const { blobs, sha256 } = await stored();
  const part = (await blobs.open(sha256)).slice(CHUNK_BYTES, 3 * CHUNK_BYTES).slice(10, -10);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(
    FILE.subarray(CHUNK_BYTES + 10, 3 * CHUNK_BYTES - 10),
  );
});

test('after one changed byte, only ranges in its 1 MiB chunk are refused', async () => {
  const { blobs, sha256, change, kinds, damage } = await stored();
  await change(CHUNK_BYTES + 7);
  await expect(partOf(blobs, sha256, CHUNK_BYTES + 900, CHUNK_BYTES + 901)).rejects.toMatchObject({
    code: 'stored_file_damaged',
  });
  expect(await partOf(blobs, sha256, 2 * CHUNK_BYTES, FILE.length)).toEqual(FILE.subarray(2 * CHUNK_BYTES));
  expect(kinds).toEqual(['changed']);
  expect(damage).toEqual(new Map([[sha256, false]]));
});

test('a stream returns the bytes before a damaged chunk and none of that chunk', async () => {
  const { blobs, sha256, change } = await stored();
  await change(CHUNK_BYTES + 7);
  const read: Buffer[] = [];
  const all = async () => {
    for await (const piece of (await blobs.open(sha256)).slice(1).stream()) read.push(Buffer.from(piece));
  };
  await expect(all()).rejects.toMatchObject({ code: 'stored_file_damaged' });
  expect(Buffer.concat(read)).toEqual(FILE.subarray(1, CHUNK_BYTES));
});

test('in a truncated file, a range at the original end is refused', async () => {
  const { blobs, sha256, path } = await stored();
  const blob = await blobs.open(sha256);
  await truncate(path, 2 * CHUNK_BYTES);
  await expect(blob.slice(1).bytes()).rejects.toThrow();
  await expect(partOf(blobs, sha256, 1, 2)).rejects.toMatchObject({ code: 'stored_file_damaged' });
});

test('a file stored without checksums is read completely once and then has checksums', async () => {
  const { blobs, sha256, sums } = await stored();
  const made = sums.get(sha256);
  sums.clear();
  expect(await partOf(blobs, sha256, 10, 20)).toEqual(FILE.subarray(10, 20));
  expect(sums.get(sha256)).toEqual(made);
});

test('in a damaged file without checksums, every range is refused', async () => {
  const { blobs, sha256, sums, change } = await stored();
  sums.clear();
  await change(3 * CHUNK_BYTES);
  await expect(partOf(blobs, sha256, 10, 20)).rejects.toMatchObject({ code: 'stored_file_damaged' });
  expect(sums.size).toBe(0);
});

test('a file of at most 1 MiB is verified by its name alone', async () => {
  const small = FILE.subarray(0, 1000);
  const { blobs, sha256, sums, change } = await stored(small);
  expect(sums.size).toBe(0);
  expect(await partOf(blobs, sha256, 10, 20)).toEqual(small.subarray(10, 20));
  await change(900);
  await expect(partOf(blobs, sha256, 10, 20)).rejects.toMatchObject({ code: 'stored_file_damaged' });
});

test('storing the same bytes again repairs the file and clears its damage', async () => {
  const { blobs, sha256, change, damage } = await stored();
  await change(0);
  await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'stored_file_damaged' });
  await blobs.put(FILE);
  expect(await partOf(blobs, sha256, 0, 5)).toEqual(FILE.subarray(0, 5));
  expect(damage.size).toBe(0);
});
