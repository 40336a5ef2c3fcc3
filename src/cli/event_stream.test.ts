import { expect, test } from 'vitest';
import { eventStream } from './event_stream.ts';

async function read(chunks: Uint8Array[]) {
  const body = ReadableStream.from(chunks) as ReadableStream<Uint8Array>;
  return Array.fromAsync(eventStream(body));
}

test('events survive being cut anywhere, even inside a letter', async () => {
  const bytes = Buffer.from('event: a\r\ndata: ü\r\ndata: 2\r\n\r\n: note\nid: 1\n\ndata:x\n\n');
  const single = [...bytes].map((byte) => Uint8Array.of(byte));
  const events = [
    { event: 'a', data: 'ü\n2' },
    { event: 'message', data: 'x' },
  ];
  expect(await read([bytes])).toEqual(events);
  expect(await read(single)).toEqual(events);
});

test('an event that never ended is dropped', async () => {
  expect(await read([Buffer.from('data: half')])).toEqual([]);
});
