import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { global, text, writePth, zip } from '../../../../../tests/support/write_pth.ts';
import { type Tensors, WeightsError } from '../../onnx/tensors.ts';
import { readPth } from './read_weights.ts';

/** Written by PyTorch: tests/golden/weights/make_tiny_pth.py */
const golden = (name: string) =>
  readFileSync(new URL(`../../../../../tests/golden/weights/${name}`, import.meta.url));
const plain = (tensors: Tensors) =>
  Object.fromEntries(
    [...tensors].map(([name, { shape, data }]) => [name, { shape: [...shape], data: [...data] }]),
  );

test('a PyTorch checkpoint is read with views and half floats, without training state', () => {
  expect(plain(readPth(golden('tiny.pth')))).toEqual({
    'conv.weight': { shape: [2, 3, 1, 2], data: Array.from({ length: 12 }, (_, at) => at / 8) },
    'conv.bias': { shape: [2], data: [0.5, -2] },
    turned: { shape: [3, 2], data: [0, 3, 1, 4, 2, 5] },
    shared: { shape: [3], data: [0.5, 0.625, 0.75] },
    parameter: { shape: [1], data: [3.25] },
  });
});

test('tensors round-trip at every alignment', () => {
  const tensors: Tensors = new Map([
    ['a.weight', { shape: [2, 2], data: Float32Array.of(1, -2, 0.1, 1e-30) }],
    ['a.bias', { shape: [1], data: Float32Array.of(7) }],
  ]);
  const file = writePth(tensors);
  for (const shift of [0, 1, 2, 3]) {
    const shifted = new Uint8Array(file.length + shift).subarray(shift);
    shifted.set(file);
    expect(plain(readPth(shifted))).toEqual(plain(tensors));
  }
});

const message = (bytes: Uint8Array): string => {
  try {
    readPth(bytes);
    return 'read';
  } catch (error) {
    if (error instanceof WeightsError) return error.message;
    throw error;
  }
};

test('the legacy PyTorch format is rejected by name', () => {
  expect(message(golden('tiny_legacy.pth'))).toContain('before version 1.6');
});

test('a file truncated at any byte is rejected', () => {
  const file = golden('tiny.pth');
  const read = Array.from({ length: file.length }, (_, bytes) => message(file.subarray(0, bytes))).filter(
    (outcome) => outcome === 'read',
  );
  expect(read).toEqual([]);
});

test('a changed byte never gives different weights or an unexpected error', () => {
  const file = golden('tiny.pth');
  const expected = JSON.stringify(plain(readPth(file)));
  for (let at = 0; at < file.length; at += 1) {
    const altered = Uint8Array.from(file);
    altered[at]! ^= 0x55;
    if (message(altered) === 'read') expect(JSON.stringify(plain(readPth(altered)))).toBe(expected);
  }
});

const pickle = (...parts: (string | Buffer)[]) =>
  zip({
    'archive/data.pkl': Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    ),
  });

test.each([
  [
    'runs a command',
    pickle('\x80\x02', global('os', 'system'), text('touch owned'), '\x85R.'),
    '"os.system"',
  ],
  ['calls eval', pickle('\x80\x02', global('builtins', 'eval'), text('1'), '\x85R.'), '"builtins.eval"'],
  ['imports torch.load', pickle('\x80\x02', global('torch', 'load'), text('x'), '\x85R.'), '"torch.load"'],
  ['hides the name on the stack', pickle('\x80\x04', text('os'), text('system'), '\x93.'), 'protocol 4'],
  ['imports by a newer opcode', pickle('\x80\x02', text('os'), text('system'), '\x93.'), 'opcode 0x93'],
  ['builds an instance', pickle('\x80\x02(', global('os', 'system'), '\x81.'), '"os.system"'],
  ['builds an old-style instance', pickle('\x80\x02(ios\nsystem\n.'), 'opcode 0x69'],
  ['calls a string', pickle('\x80\x02', text('x'), ')R.'), 'calls something that is not'],
  ['sets a state on a list', pickle('\x80\x02]}b.'), 'sets the state'],
  ['reads an undefined memo entry', pickle('\x80\x02h\x05.'), 'undefined memo entry'],
  ['pops from an empty stack', pickle('\x80\x020.'), 'opcode 0x30'],
  ['calls with an empty stack', pickle('\x80\x02R.'), 'empty stack'],
  ['declares a string longer than the file', pickle('\x80\x02X\xff\xff\xff\x7f.'), 'truncated'],
  ['contains no tensors', pickle('\x80\x02}.'), 'no tensors'],
  ['is a single number', pickle('\x80\x02K\x01.'), 'no dictionary'],
])('a pickle that %s is rejected with an explanation', (_what, file, words) => {
  expect(message(file)).toContain(words);
});

test('millions of values are rejected before they exhaust memory', () => {
  expect(message(pickle('\x80\x02', 'N'.repeat(2_000_000), '.'))).toContain('more values');
});

const tensorPickle = (elements: number, shape: string, strides: string) =>
  Buffer.concat([
    Buffer.from('\x80\x02}', 'latin1'),
    text('a'),
    global('torch._utils', '_rebuild_tensor_v2'),
    Buffer.from('(('),
    text('storage'),
    global('torch', 'FloatStorage'),
    text('0'),
    text('cpu'),
    Buffer.from(`M${String.fromCharCode(elements)}\0tQK\0`),
    Buffer.from(`${shape}${strides}\x89NtRs.`, 'latin1'),
  ]);
const withTensor = (...shape: Parameters<typeof tensorPickle>) =>
  zip({ 'archive/data.pkl': tensorPickle(...shape), 'archive/data/0': new Uint8Array(16) });

test.each([
  ['is valid', withTensor(4, 'K\x04\x85', 'K\x01\x85'), 'read'],
  ['is larger than its storage', withTensor(4, 'K\x05\x85', 'K\x01\x85'), 'exceeds its storage'],
  ['has strides beyond its storage', withTensor(4, 'K\x04\x85', 'K\x02\x85'), 'exceeds its storage'],
  ['has a storage of the wrong length', withTensor(5, 'K\x04\x85', 'K\x01\x85'), 'wrong length'],
  ['expands to gigabytes', withTensor(4, 'J\xff\xff\xff\x7f\x85', 'K\0\x85'), 'impossible shape'],
  [
    'has a negative dimension',
    withTensor(4, 'J\xff\xff\xff\xff\x85', 'K\x01\x85'),
    'differently from PyTorch',
  ],
  ['has too few strides', withTensor(4, 'K\x02K\x02\x86', 'K\x01\x85'), 'differently from PyTorch'],
])('a tensor that %s is rejected', (_what, file, words) => {
  expect(message(file)).toContain(words);
});

/** Memoises a list of many dimensions, then builds tensors of that shape until the pickle ends. */
function manyLongShapes(): Uint8Array {
  const build = Buffer.from('h\x03(h\x01K\0h\x02h\x02tR', 'latin1');
  return zip({
    'archive/data.pkl': Buffer.concat([
      Buffer.from('\x80\x02', 'latin1'),
      global('torch._utils', '_rebuild_tensor_v2'),
      Buffer.from('q\x03((', 'latin1'),
      text('storage'),
      global('torch', 'FloatStorage'),
      text('0'),
      text('cpu'),
      Buffer.from(`K\x04tQq\x01(${'K\x01'.repeat(400_000)}tq\x02`, 'latin1'),
      ...Array<Buffer>(100_000).fill(build),
      Buffer.from('.'),
    ]),
    'archive/data/0': new Uint8Array(16),
  });
}

/** Repeatedly requests the same large bytes, at an offset where reading requires a copy. */
function sameBytesAgain(): Uint8Array {
  const ask = Buffer.from('(h\x01h\x02h\x03h\x04J\0\0\x40\0tQ', 'latin1');
  return zip({
    'archive/data.pkl': Buffer.concat([
      Buffer.from('\x80\x02', 'latin1'),
      text('storage'),
      Buffer.from('q\x01'),
      global('torch', 'FloatStorage'),
      Buffer.from('q\x02'),
      text('0'),
      Buffer.from('q\x03'),
      text('cpu'),
      Buffer.from('q\x04'),
      ...Array<Buffer>(20_000).fill(ask),
      Buffer.from('}.'),
    ]),
    'archive/odd': new Uint8Array(1),
    'archive/data/0': new Uint8Array(16 * 1024 * 1024),
  });
}

/** A directory with a thousand names for the same bytes. */
function overlapTensors(): Uint8Array {
  const files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [
      `archive/data/${1000 + at}`,
      new Uint8Array(at === 0 ? 4096 : 0),
    ]),
  );
  const file = Buffer.from(zip(files));
  const first = file.indexOf(Buffer.from('PK\x01\x02'));
  const entryBytes = file.indexOf(Buffer.from('PK\x01\x02'), first + 4) - first;
  for (let at = first + entryBytes; file.readUInt32LE(at) === 0x02014b50; at += entryBytes) {
    file.copy(file, at + 16, first + 16, first + 28);
    file.writeUInt32LE(0, at + 42);
  }
  return file;
}

test.each([
  ['has a thousand overlapping entries', overlapTensors(), 'more content than it has'],
  ['has millions of opcodes', pickle('\x80\x02]', '(e'.repeat(2_500_000), '.'), 'more opcodes'],
  ['builds tensors with very long shapes', manyLongShapes(), 'builds a tensor differently'],
  ['requests the same bytes repeatedly', sameBytesAgain(), 'no tensors'],
  ['declares more values than it has', withTensor(4, 'J\0\0\0\x04\x85', 'K\0\x85'), 'exceeds its storage'],
])('a file that %s is rejected quickly', (_what, file, words) => {
  expect(message(file)).toContain(words);
});

test.each([
  ['an empty file', new Uint8Array(0), 'not a PyTorch checkpoint'],
  ['an image', Buffer.from('89504e470d0a1a0a', 'hex'), 'not a PyTorch checkpoint'],
  ['another zip', zip({ 'word/document.xml': Buffer.from('<w/>') }), 'exactly one data.pkl'],
  ['a compressed zip', zip({ 'archive/data.pkl': Buffer.from('N.') }, 8), 'compressed'],
  [
    'an archive with two checkpoints',
    zip({ 'a/data.pkl': Buffer.from('N.'), 'b/data.pkl': Buffer.from('N.') }),
    'exactly one data.pkl',
  ],
])('%s is not a checkpoint', (_what, file, words) => {
  expect(message(file)).toContain(words);
});
