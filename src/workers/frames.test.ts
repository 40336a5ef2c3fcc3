import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { onFrame, writeFrame } from './frames.ts';

test('values arrive whole and in order, however the pipe cuts them', () => {
  const [written, cut, received] = [new PassThrough(), new PassThrough(), [] as unknown[]];
  onFrame(cut, (value) => received.push(value));
  const values = [{ a: 1 }, new Uint8Array([1, 2, 3]), '', { bytes: new Uint8Array(5000).fill(7) }];
  for (const value of values) writeFrame(written, value);
  const all = written.read() as Buffer;
  for (let at = 0; at < all.length; at += 3) cut.write(all.subarray(at, at + 3));
  return new Promise<void>((resolve) => cut.end(resolve)).then(() => expect(received).toEqual(values));
});
