import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pngChunk } from '../../pixels/png_chunks.ts';
import { activeManifestOf, manifestsIn } from './jumbf.ts';
import { manifestStoreIn } from './manifest_store.ts';

const SIGNED = readFileSync(join(import.meta.dirname, '../../../../../tests/fixtures/c2pa/signed.jpg'));
const store = manifestStoreIn(SIGNED)!;

/** A JUMBF box. */
function box(type: string, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}
const TAIL = '00110010800000aa00389b71';
const about = (kind: string, label: string) =>
  box(
    'jumd',
    Buffer.from(kind, 'latin1'),
    Buffer.from(TAIL, 'hex'),
    Buffer.from([3]),
    Buffer.from(`${label}\0`),
  );
const manifest = (label: string, ...inside: Buffer[]) => box('jumb', about('c2ma', label), ...inside);
const storeOf = (...manifests: Buffer[]) => box('jumb', about('c2pa', 'c2pa'), ...manifests);

/** A JPEG whose store is split into segments of `size` bytes. */
function jpegOf(bytes: Buffer, size: number, number = 1): Buffer {
  const parts = [];
  for (let at = 0, part = 1; at < bytes.length; at += size, part++) {
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0xffeb);
    head.write('JP', 4, 'latin1');
    head.writeUInt16BE(number, 6);
    head.writeUInt32BE(part, 8);
    const repeated = at === 0 ? Buffer.alloc(0) : bytes.subarray(0, 8);
    const payload = Buffer.concat([repeated, bytes.subarray(at, at + size)]);
    head.writeUInt16BE(10 + payload.length, 2);
    parts.push(head, payload);
  }
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])]);
}
const PNG_HEAD = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

test('the manifest store of a signed image is extracted in full with its active manifest', () => {
  expect(store.readUInt32BE(0)).toBe(store.length);
  expect(manifestsIn(store)!.map(({ id }) => id)).toEqual([expect.stringMatching(/^urn:c2pa:/)]);
});

test.each([50, 100, 60_000])('a store split into segments of %i bytes is reassembled', (size) => {
  const made = storeOf(manifest('urn:a', Buffer.alloc(300)), manifest('urn:b'));
  expect(manifestStoreIn(jpegOf(made, size))).toEqual(made);
});

test('a file with two stores yields none, as readers may choose differently', () => {
  const chunk = pngChunk('caBX', store);
  expect(manifestStoreIn(Buffer.concat([PNG_HEAD, chunk]))).toEqual(store);
  expect(manifestStoreIn(Buffer.concat([PNG_HEAD, chunk, chunk]))).toBeUndefined();
  const two = [jpegOf(store, 60_000).subarray(0, -2), jpegOf(store, 60_000, 2).subarray(2)];
  expect(manifestStoreIn(Buffer.concat(two))).toBeUndefined();
});

test('the active manifest is extracted as a single-manifest store', () => {
  const made = storeOf(manifest('urn:a', Buffer.alloc(300)), manifest('urn:b', Buffer.from('claim')));
  expect(activeManifestOf(made)).toEqual(storeOf(manifest('urn:b', Buffer.from('claim'))));
  expect(activeManifestOf(store)).toEqual(store);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['no box', Buffer.from('hello, world')],
  ['no manifest', storeOf()],
  ['a store in a store', storeOf(storeOf(manifest('urn:a')))],
  ['a box longer than the bytes', Buffer.concat([Buffer.from('7fffffff6a756d62', 'hex'), store])],
  ['a box of no length inside', storeOf(Buffer.from('000000016a756d620000000000000000', 'hex'))],
  ['a label of other characters', storeOf(manifest('urn:a\n\u202e'))],
  ['a label without an end', storeOf(manifest('x'.repeat(201)))],
  ['a thousand manifests', storeOf(...Array.from({ length: 1000 }, (_, at) => manifest(`urn:${at}`)))],
  ['something behind it', Buffer.concat([store, Buffer.alloc(1)])],
])('a store of %s is invalid', (_what, bytes) => {
  expect(manifestsIn(bytes)).toBeUndefined();
});

test('a truncated or corrupted store never causes an endless loop', () => {
  for (let length = 0; length < 2000; length += 7)
    expect(manifestsIn(store.subarray(0, length))).toBeUndefined();
  for (let at = 0; at < 400; at++) {
    const changed = Buffer.from(store);
    changed[at]! ^= 0xff;
    expect(() => manifestsIn(changed)).not.toThrow();
  }
});
