import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { frameReader, writeFrame } from './frames.ts';

const VALUES = [
  { a: 1 },
  new Uint8Array([1, 2, 3]),
  '',
  { bytes: new Uint8Array(5000).fill(7), empty: new Uint8Array(0), more: [new Float32Array([0.5, 2])] },
  undefined,
];

test.each([1, 3, 100, 1e6])('values arrive complete and in order from chunks of %i bytes', (pieceBytes) => {
  const pipe = new PassThrough();
  for (const value of VALUES) writeFrame(pipe, value);
  const [all, received] = [pipe.read() as Buffer, [] as unknown[]];
  const read = frameReader((value) => received.push(value));
  for (let at = 0; at < all.length; at += pieceBytes) read(all.subarray(at, at + pieceBytes));
  expect(received).toEqual(VALUES);
});

test('a subarray is sent without the rest of its buffer', () => {
  const [pipe, received] = [new PassThrough(), [] as unknown[]];
  writeFrame(pipe, Buffer.from('a secret, and what is meant').subarray(14));
  frameReader((value) => received.push(value))(pipe.read() as Buffer);
  expect(Buffer.from(received[0] as Uint8Array).toString()).toBe('what is meant');
});
