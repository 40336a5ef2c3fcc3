import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSpool } from './spool.ts';

function given({ bytesMax = 1000 } = {}) {
  const folder = join(mkdtempSync(join(tmpdir(), 'atelier-spool-')), 'arriving');
  return { folder, spool: createSpool({ folder, bytesMax }) };
}

test('a file contains all chunks in order and reports its size and SHA-256', async () => {
  const { spool } = given({ bytesMax: 10_000_000 });
  const writer = spool.open('203.0.113.1');
  const pieces = Array.from({ length: 1500 }, () => randomBytes(1 + Math.floor(Math.random() * 3000)));
  const bytes = Buffer.concat(pieces);
  for (const [at, piece] of pieces.entries()) {
    writer.add(new Uint8Array(piece));
    if (at % 400 === 0) await writer.flush();
  }
  const { path, sizeBytes, sha256 } = await writer.finish();
  expect(bytes.equals(readFileSync(path))).toBe(true);
  expect(sizeBytes).toBe(bytes.length);
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('the memory of a chunk is freed once the chunk is written', async () => {
  const { spool } = given();
  const writer = spool.open('203.0.113.1');
  const piece = new Uint8Array(100);
  writer.add(piece);
  await writer.flush();
  expect(piece.byteLength).toBe(0);
});

test.each(['before its end', 'after its end'])('a file removed %s leaves nothing behind', async (when) => {
  const { spool, folder } = given();
  const writer = spool.open('203.0.113.1');
  writer.add(Buffer.from('hello'));
  await (when === 'before its end' ? writer.flush() : writer.finish());
  expect(readdirSync(folder)).toHaveLength(1);
  await writer.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test('one address gets half of the space, and regains it when its files are removed', async () => {
  const { spool } = given({ bytesMax: 1000 });
  const [first, second, other] = ['203.0.113.1', '203.0.113.1', '203.0.113.2'].map(spool.open);
  first!.add(new Uint8Array(400));
  expect(() => second!.add(new Uint8Array(101))).toThrow(expect.objectContaining({ code: 'busy' }));
  other!.add(new Uint8Array(500));
  await first!.remove();
  second!.add(new Uint8Array(500));
});

test('a folder that is not writable fails the file, not the process', async () => {
  const { spool, folder } = given();
  writeFileSync(folder, '');
  const writer = spool.open('203.0.113.1');
  writer.add(Buffer.from('hello'));
  await expect(writer.flush()).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(writer.finish()).rejects.toMatchObject({ code: 'ENOTDIR' });
  await writer.remove().catch(() => {});
});

test('a cleanup deletes files of killed processes but no file in progress', async () => {
  const { spool, folder } = given();
  const writer = spool.open('203.0.113.1');
  writer.add(Buffer.from('hello'));
  await writer.flush();
  const left = join(folder, 'left');
  writeFileSync(left, 'half');
  utimesSync(left, new Date(0), new Date(0));
  expect(await spool.sweep(new Date())).toBe(1);
  expect((await writer.finish()).sizeBytes).toBe(5);
});

test('a cleanup on a server without uploads deletes nothing', async () => {
  expect(await given().spool.sweep(new Date())).toBe(0);
});
