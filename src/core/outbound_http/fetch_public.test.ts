import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { USER_AGENT } from '../../config/program.ts';
import { FETCH_REFUSAL_MS, fetchPublic } from './fetch_public.ts';
import type { Reach } from './reach.ts';
import type { FetchOptions } from './types.ts';

/** This machine represents the public internet, 10.0.0.0/8 a private network. */
function worldOf(names: Record<string, string> = {}): Reach & { asked: string[] } {
  const asked: string[] = [];
  return {
    schemes: ['http:', 'https:'],
    allows: (address) => address === '127.0.0.1',
    resolve: async (host) => {
      asked.push(host);
      return [{ address: names[host] ?? '127.0.0.1', family: 4 }];
    },
    asked,
  };
}

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listening(server: Server | SocketServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  open.push({
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const serving = (listener: RequestListener) => listening(createServer(listener));
/** Sends these bytes on every connection and keeps it open. */
const servingRaw = (bytes: string) => listening(createSocketServer((socket) => socket.write(bytes)));
/** The same, and closes it. */
const servingAndClosing = (bytes: string) => listening(createSocketServer((socket) => socket.end(bytes)));

function fetching(url: string, more: Partial<FetchOptions> = {}, reach: Reach = worldOf()) {
  const signal = new AbortController().signal;
  return fetchPublic(reach, url, {
    field: 'image',
    maxBytes: 1000,
    timeoutMs: 5000,
    redirectsMax: 3,
    signal,
    ...more,
  });
}

const redirecting =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end();

test('a file is returned with declared type and final URL, without forwarding client headers', async () => {
  let headers = {};
  const port = await serving((request, response) => {
    headers = request.headers;
    if (request.url === '/old') return response.writeHead(301, { location: '/new?x=1' }).end();
    return response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
  });
  const fetched = await fetching(`http://pictures.test:${port}/old`);
  expect(fetched).toEqual({
    bytes: Buffer.from('picture'),
    contentType: 'image/png',
    etag: '',
    isUnchanged: false,
    finalUrl: `http://pictures.test:${port}/new?x=1`,
  });
  expect(headers).toEqual({
    accept: 'image/*, */*;q=0.1',
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    host: `pictures.test:${port}`,
    connection: 'close',
  });
});

test('a name is resolved once, so that DNS rebinding is impossible', async () => {
  const port = await serving((_, response) => response.end('picture'));
  const world = worldOf();
  let asked = 0;
  const rebinding = {
    ...world,
    resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }],
  };
  expect((await fetching(`http://rebind.test:${port}/`, {}, rebinding)).bytes).toEqual(
    Buffer.from('picture'),
  );
  expect(asked).toBe(1);
});

test.each([
  'http://10.0.0.1/secret',
  'http://[::1]/',
  'file:///etc/passwd',
  'http://u:p@pictures.test/',
  'http://[',
])('a redirect to %s is refused like an initial URL', async (location) => {
  const port = await serving(redirecting(location));
  const world = worldOf({ 'inner.test': '10.0.0.1' });
  await expect(fetching(`http://pictures.test:${port}/`, {}, world)).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('each redirect resolves the name again', async () => {
  let hops = 0;
  const port = await serving((_, response) =>
    hops++ === 0 ? response.writeHead(307, { location: '/again' }).end() : response.end('x'),
  );
  const world = worldOf();
  await fetching(`http://pictures.test:${port}/`, {}, world);
  expect(world.asked).toEqual(['pictures.test', 'pictures.test']);
});

test('a redirect loop is stopped', async () => {
  let hits = 0;
  const port = await serving((_, response) => {
    hits += 1;
    response.writeHead(302, { location: '/' }).end();
  });
  await expect(fetching(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(hits).toBe(4);
});

test.each([204, 206, 304, 403, 404, 500])('status %i is reported as an upstream failure', async (status) => {
  const port = await serving((_, response) => response.writeHead(status).end());
  await expect(fetching(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining(String(status)),
  });
});

test('a body with an excessive Content-Length is refused before reading', async () => {
  const port = await servingRaw('HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n');
  await expect(fetching(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'payload_too_large' });
});

test('an endless body is refused while it is received', async () => {
  const port = await serving((_, response) => {
    const more = () => response.write(Buffer.alloc(400)) || response.once('drain', more);
    const timer = setInterval(more, 1);
    response.on('close', () => clearInterval(timer));
  });
  await expect(fetching(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'payload_too_large' });
});

test.each([
  ['a body that never completes', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ['a response header that never completes', 'HTTP/1.1 200 OK\r\n'],
  ['silence', ''],
])('%s is ended by the overall deadline', async (_, head) => {
  const port = await servingRaw(head);
  await expect(fetching(`http://127.0.0.1:${port}/`, { timeoutMs: 100 })).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('0.1 s'),
  });
});

test('a name server without a response is ended by the deadline', async () => {
  const silent = { ...worldOf(), resolve: () => new Promise<never>(() => {}) };
  await expect(fetching('http://slow.test/', { timeoutMs: 100 }, silent)).rejects.toMatchObject({
    code: 'upstream_failed',
  });
});

test('a compressed body is refused unread', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const port = await serving((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  );
  await expect(fetching(`http://127.0.0.1:${port}/`, { maxBytes: 100_000 })).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('compressed'),
  });
});

test.each([
  ['shorter than its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ['without a status', 'hello\r\n\r\n'],
  ['with two Content-Length headers', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'with Content-Length and chunked encoding',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  ],
  ['with an oversized header', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['switching protocols', 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
])('a response %s is an upstream failure', async (_, bytes) => {
  const port = await servingAndClosing(bytes);
  await expect(fetching(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'upstream_failed' });
});

test('private, unknown and refusing hosts cause identical errors after the same delay', async () => {
  const port = await serving(() => {});
  for (const server of open.splice(0)) server.close();
  const world: Reach = {
    ...worldOf(),
    resolve: async (host) =>
      host === 'nowhere.test'
        ? Promise.reject(new Error('ENOTFOUND'))
        : [{ address: host === 'inner.test' ? '10.0.0.1' : '127.0.0.1', family: 4 }],
  };
  const leading = await serving(redirecting('http://inner.test/'));
  const begun = performance.now();
  const told = await Promise.all(
    ['inner.test', 'nowhere.test', `refusing.test:${port}`, `leading.test:${leading}`].map(async (host) => {
      const { code, message } = await fetching(`http://${host}/`, {}, world).catch((error) => error);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(FETCH_REFUSAL_MS - 2);
      return `${code} ${message}`;
    }),
  );
  expect(new Set(told).size).toBe(1);
  expect(told[0]).toMatch(/^upstream_failed .*is not on the public internet/);
});

test('an unreachable address is reported without internal detail', async () => {
  const port = await serving(() => {});
  for (const server of open.splice(0)) server.close();
  const failure = await fetching(`http://pictures.test:${port}/`).catch((error) => error);
  expect(failure.code).toBe('upstream_failed');
  expect(failure.message).not.toContain('127.0.0.1');
});

test.each([['255.255.255.255'], ['255.255.255.255', '255.255.255.254']])(
  'an address that cannot be connected to fails the fetch, not the process: %s',
  async (...addresses) => {
    const reach = {
      ...worldOf(),
      allows: () => true,
      resolve: async () => addresses.map((address) => ({ address, family: 4 })),
    };
    for (const scheme of ['http', 'https'])
      await expect(fetching(`${scheme}://unrouted.test/`, {}, reach)).rejects.toMatchObject({
        code: 'upstream_failed',
      });
  },
);

test('a client that disconnects aborts the fetch', async () => {
  const port = await servingRaw('');
  const leaving = new AbortController();
  const fetched = fetching(`http://127.0.0.1:${port}/`, { signal: leaving.signal });
  leaving.abort();
  await expect(fetched).rejects.toMatchObject({ code: 'timed_out' });
});
