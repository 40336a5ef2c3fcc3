import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import { drainRefused } from './connections.ts';

let server: Server;
afterEach(() => server.close());

/** A server that refuses every body unread, and a client that reads only after it has sent its whole body. */
async function sendBeforeReading(bytes: number): Promise<string> {
  server = createServer((_, response) => response.writeHead(413, { Connection: 'close' }).end('too large'));
  drainRefused(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`);
  for (let left = bytes; left > 0; left -= 65_536)
    if (!socket.write(Buffer.alloc(Math.min(left, 65_536)))) await once(socket, 'drain');
  const pieces = await socket.end().setEncoding('utf8').toArray();
  return pieces.join('');
}

test('a client that sends the whole body before reading still receives the 413 response', async () => {
  const answer = await sendBeforeReading(30_000_000);
  expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*too large/);
});

test('a client that never stops sending is disconnected', { timeout: WAIT_MS_MAX }, async () => {
  const sending = sendBeforeReading(Number.MAX_SAFE_INTEGER);
  await expect(sending).rejects.toThrow(/ECONNRESET|EPIPE/);
});
