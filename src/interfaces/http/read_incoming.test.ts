import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BODY_BYTES_PER_SECOND_MIN, BODY_SPAN_MS } from '../../config/limits.ts';
import { readIncoming } from './read_body.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const ENOUGH = Buffer.alloc((BODY_BYTES_PER_SECOND_MIN * BODY_SPAN_MS) / 1000);

function given(reserve: (bytes: number) => Promise<void> = async () => {}) {
  const body = new PassThrough();
  let size = 0;
  const reading = readIncoming(
    body as unknown as IncomingMessage,
    (chunk) => {
      size += chunk.byteLength;
    },
    reserve,
  );
  reading.catch(() => {});
  const pass = async (bytes: Uint8Array) => {
    body.write(bytes);
    await new Promise(setImmediate);
    vi.advanceTimersByTime(BODY_SPAN_MS);
  };
  return { body, reading, pass, size: () => size };
}

test('a body at a steady rate is read regardless of its duration', async () => {
  const { body, reading, pass, size } = given();
  for (let span = 0; span < 10; span += 1) await pass(ENOUGH);
  body.end();
  await reading;
  expect(size()).toBe(10 * ENOUGH.length);
});

test('a body that trickles, or stalls after a fast start, is rejected', async () => {
  const { reading, pass } = given();
  await pass(Buffer.alloc(10 * ENOUGH.length));
  await pass(Buffer.of(1));
  await expect(reading).rejects.toMatchObject({ code: 'body_too_slow', status: 408 });
});

test('reading pauses while memory is full, and the pause does not count as a slow body', async () => {
  const room = Promise.withResolvers<void>();
  const { body, reading, pass, size } = given(() => room.promise);
  body.write(Buffer.of(1));
  await new Promise(setImmediate);
  await pass(Buffer.of(2));
  expect(size()).toBe(1);
  room.resolve();
  body.end();
  await reading;
  expect(size()).toBe(2);
});

test('a failed memory reservation rejects the body', async () => {
  const { reading, pass } = given(() => Promise.reject(new Error('full')));
  await pass(Buffer.of(1));
  await expect(reading).rejects.toThrow('full');
});

test('a connection that closes in the middle of a body is a client error', async () => {
  const { body, reading, pass } = given();
  await pass(ENOUGH);
  body.destroy(new Error('aborted'));
  await expect(reading).rejects.toMatchObject({ code: 'unreadable_request' });
});
