import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { boundConnections } from './connections.ts';

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

async function given(more: { trustedProxies?: string[]; inAll?: number } = {}) {
  const refused: string[] = [];
  server = createServer((_, response) => response.end('served'));
  boundConnections(server, {
    ...{ inAll: 100, perAddress: 2, trustedProxies: [], ...more },
    onRefused: (address) => refused.push(address),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
      sockets.push(socket.on('error', () => {}));
    });
  const answer = async (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    return text(socket);
  };
  return { open, answer, refused };
}

test('one connection too many of an address is told so and closed; when another ends there is room', async () => {
  const { open, answer, refused } = await given();
  const [first] = [await open(), await open()];
  expect(await text(await open())).toMatch(/^HTTP\/1.1 429 /);
  expect(refused).toEqual(['127.0.0.1']);
  expect(await answer(first)).toContain('served');
  expect(await answer(await open())).toContain('served');
});

test('a trusted proxy stands for many', async () => {
  const { open, answer } = await given({ trustedProxies: ['127.0.0.0/8'] });
  await open();
  await open();
  expect(await answer(await open())).toContain('served');
});

test('of everybody together there is a bound as well', async () => {
  const { open, refused } = await given({ inAll: 1 });
  await open();
  await new Promise((resolve) => open().then((socket) => socket.once('close', resolve)));
  expect(refused).toEqual(['127.0.0.1']);
});
