import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import { RESPONSE_STALL_MS } from '../../config/limits.ts';
import { boundConnections } from './connections.ts';
import { RESPONSE_WAIT_MS } from './limits.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const HALF_HEAD = 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ';
const HALF_BODY = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc';

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
interface Given {
  trustedProxies?: string[];
  inAll?: number;
  perAddress?: number;
  handler?: Handler;
}
const serve: Handler = (request, response) => {
  request.resume();
  request.once('end', () => response.end('served'));
};

/** A server with these bounds and clients at several addresses of this machine. */
async function given({ handler = serve, ...bounds }: Given = {}) {
  const refused: string[] = [];
  server = createServer(handler);
  boundConnections(server, {
    inAll: 100,
    perAddress: 2,
    trustedProxies: [],
    checkMs: 10,
    ...bounds,
    onRefused: (address, code) => refused.push(`${address} ${code}`),
  });
  await once(server.listen(0, '0.0.0.0'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress = '127.0.0.1', written = '') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    sockets.push(socket.on('error', () => {}));
    await once(socket, 'connect');
    if (written) socket.write(written);
    return socket;
  };
  const answer = (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    return text(socket);
  };
  return { open, answer, refused };
}

/** Waits until the server has made this many pace checks. */
const checks = (count: number) => new Promise((resolve) => setTimeout(resolve, 10 * (count + 1)));

test('a connection above the per-address limit gets 429 until another one closes', async () => {
  const { open, answer, refused } = await given();
  const [first] = [await open(), await open()];
  expect(await text(await open())).toMatch(/^HTTP\/1.1 429 /);
  expect(refused).toEqual(['127.0.0.1 too_many_connections']);
  expect(await answer(first)).toContain('served');
  expect(await answer(await open())).toContain('served');
});

test('a trusted proxy is exempt from the per-address limit', async () => {
  const { open, answer } = await given({ trustedProxies: ['127.0.0.0/8'] });
  await open();
  await open();
  expect(await answer(await open())).toContain('served');
});

test.each([
  ['silence', ''],
  ['half a head', HALF_HEAD],
  ['half a body', HALF_BODY],
  ['idleness after a request', GET],
])(
  'addresses that fill the server with %s lose one connection per new connection',
  async (_what, written) => {
    const { open, answer, refused } = await given({ inAll: 12, perAddress: 10 });
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4'])
      for (let count = 0; count < 4; count += 1) await open(address, written);
    for (let count = 0; count < 20; count += 1) expect(await answer(await open())).toContain('served');
    expect(refused[0]).toMatch(/^127.0.0.[234] connection_evicted$/);
    expect(refused.some((line) => line.startsWith('127.0.0.1 '))).toBe(false);
  },
);

test('the network with the most waiting connections loses its longest-waiting one', async () => {
  const { open, refused } = await given({ inAll: 4, perAddress: 10 });
  const light = await open('127.0.0.2');
  const [oldest, newer, newest] = [
    await open('127.0.0.3'),
    await open('127.0.0.3'),
    await open('127.0.0.3'),
  ] as const;
  await Promise.all([once(oldest, 'close'), open('127.0.0.4')]);
  expect(refused).toEqual(['127.0.0.3 connection_evicted']);
  expect([light, newer, newest].map(({ readyState }) => readyState)).toEqual(['open', 'open', 'open']);
});

test('requests in progress are never evicted, and a connection above the limit gets 503', async () => {
  const waiting: ServerResponse[] = [];
  const { open, refused } = await given({
    inAll: 2,
    perAddress: 10,
    handler: (_, response) => void waiting.push(response),
  });
  const busy = [await open('127.0.0.2', GET), await open('127.0.0.2', GET)];
  await vi.waitFor(() => expect(waiting).toHaveLength(2), WAIT_MS_MAX);
  await checks(3);
  expect(await text(await open('127.0.0.3'))).toMatch(/^HTTP\/1.1 503 [\s\S]*Retry-After/);
  expect(refused).toEqual(['127.0.0.3 too_many_connections']);
  const replies = busy.map((socket) => once(socket, 'data'));
  for (const response of waiting) response.end('served');
  for (const reply of replies) expect(String(await reply)).toContain('served');
});

test('a request whose body the server is not reading is not evicted', async () => {
  const waiting: IncomingMessage[] = [];
  const { open } = await given({ inAll: 1, handler: (request) => void waiting.push(request) });
  await open('127.0.0.2', HALF_BODY);
  await vi.waitFor(() => expect(waiting).toHaveLength(1), WAIT_MS_MAX);
  await checks(3);
  expect(await text(await open('127.0.0.3'))).toMatch(/^HTTP\/1.1 503 /);
});

/** A server with capacity for one connection, whose client does not read its response of 50 MB. */
async function stalledResponse() {
  let isSent = false;
  const { open, answer, refused } = await given({
    inAll: 1,
    handler: ({ method }, response) => {
      response.end(method === 'GET' ? 'served' : Buffer.alloc(50_000_000));
      isSent = true;
    },
  });
  const stalled = await open('127.0.0.2', 'POST / HTTP/1.1\r\nHost: a\r\n\r\n');
  stalled.pause();
  await vi.waitFor(() => expect(isSent).toBe(true), WAIT_MS_MAX);
  expect(await text(await open('127.0.0.3'))).toMatch(/^HTTP\/1.1 503 /);
  const now = performance.now.bind(performance);
  let lateMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + lateMs);
  refused.length = 0;
  return {
    refused,
    answer: async () => answer(await open('127.0.0.3')),
    /** The kernels of both sides may still transmit bytes, which restarts the wait. */
    pass: (ms: number) => {
      lateMs += ms;
    },
  };
}

test('a client that does not read its response is evicted for a new connection', async () => {
  const { answer, pass, refused } = await stalledResponse();
  await vi.waitFor(async () => {
    pass(RESPONSE_WAIT_MS);
    await checks(2);
    expect(await answer()).toContain('served');
  });
  expect(refused).toContain('127.0.0.2 connection_evicted');
});

test('the connection of a client that does not read its response for 1 minute is closed', async () => {
  const { pass, refused } = await stalledResponse();
  await vi.waitFor(async () => {
    pass(RESPONSE_STALL_MS);
    await checks(2);
    expect(await connections()).toBe(0);
  }, WAIT_MS_MAX);
  expect(refused).toEqual([]);
});

const connections = () =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

/** A connection from an address that this machine does not have. */
function connectFrom(remoteAddress: string): { answer: string } {
  const seen = { answer: '' };
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      seen.answer += chunk;
      done();
    },
  });
  server.emit(
    'connection',
    Object.assign(socket, { remoteAddress, destroySoon: () => socket.destroy(), bytesRead: 0 }),
  );
  return seen;
}

test.each([
  [4, '2001:db8:0:0::', '2001:db8:0:1::'],
  [16, '2001:db8:0:', '2001:db8:0:100:'],
  [64, '2001:db8:0:', '2001:db8:1:'],
])('an IPv6 network gets %i times the connection limit of one address', async (factor, inside, outside) => {
  await given({ inAll: 1000, perAddress: 1 });
  const address = (index: number) =>
    factor === 4
      ? `${inside}${index + 1}`
      : factor === 16
        ? `${inside}${index + 1}::1`
        : `${inside}${(index * 256).toString(16)}::1`;
  for (let index = 0; index < factor; index += 1) expect(connectFrom(address(index)).answer).toBe('');
  const further = connectFrom(address(factor));
  await vi.waitFor(() => expect(further.answer).toMatch(/^HTTP\/1.1 429 /), WAIT_MS_MAX);
  expect(connectFrom(factor === 4 ? `${outside}1` : `${outside}:1`).answer).toBe('');
});
