import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchByProxy } from './fetch_by_proxy.ts';

const asked: string[] = [];
const proxy = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.setHeader('ETag', '"1"').end('file');
});
proxy.on('connect', ({ url }: IncomingMessage, socket) => {
  asked.push(`CONNECT ${url}`);
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(() => proxy.close());

test('a download is requested from the proxy by its absolute URL', async () => {
  const response = await fetchByProxy({ http: address })('http://museum.test/works.csv');
  expect([await response.text(), response.headers.get('etag')]).toEqual(['file', '"1"']);
  expect(asked).toContain('GET http://museum.test/works.csv');
});

test('the size of a file is requested with HEAD', async () => {
  await fetchByProxy({ http: address })('http://museum.test/size', { method: 'HEAD' });
  expect(asked).toContain('HEAD http://museum.test/size');
});

test('HTTPS uses a tunnel, and a proxy that refuses the tunnel causes an error', async () => {
  await expect(fetchByProxy({ https: address })('https://museum.test/')).rejects.toThrow();
  expect(asked).toContain('CONNECT museum.test:443');
});

test('hosts excluded from the proxy are contacted directly', async () => {
  const fetching = fetchByProxy({ http: 'http://127.0.0.1:1', no: '127.0.0.1' });
  expect(await (await fetching(`${address}/direct`)).text()).toBe('file');
  expect(asked).toContain('GET /direct');
});
