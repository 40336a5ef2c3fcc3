import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { answerMalformed } from './connections.ts';

let server: Server;
afterEach(() => server.close());

async function answerTo(text: string): Promise<{ head: string; body: { code: string; detail: string } }> {
  server = createServer((_, response) => response.end('{"code": "served"}'));
  answerMalformed(server, () => 'https://atelier.test');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  socket.write(text);
  const pieces = await socket.setEncoding('utf8').toArray();
  const [head, body] = pieces.join('').split('\r\n\r\n');
  return { head: head!, body: JSON.parse(body!) };
}

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'unreadable_request'],
  ['an unknown method', 'PEEK / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'unreadable_request'],
  [
    'two lengths',
    'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'unreadable_request',
  ],
  ['a header of 20 kB', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
])('%s gets an error with a fix', async (_, text, status, code) => {
  const { head, body } = await answerTo(text);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*application/problem\\+json`));
  expect(body).toMatchObject({ status, code, type: `https://atelier.test/problems/${code}` });
});
