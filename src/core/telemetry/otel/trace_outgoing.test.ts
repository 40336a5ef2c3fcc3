import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryTraces } from '../../../../tests/support/memory_traces.ts';

let server: Server;
let url: string;
const seen: IncomingHttpHeaders[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(request.url?.startsWith('/bad') ? 500 : 200).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server?.close());

test('fetch requests propagate the trace and record their outcome', async () => {
  const { tracing, spans } = memoryTraces();
  seen.length = 0;
  const sent = await tracing.span('call', {}, async () => {
    await (await fetch(url)).text();
    await (await fetch(`${url}/bad?secret`)).text();
    return tracing.traceContext()!.traceparent!;
  });
  const [, traceId] = sent.split('-');
  expect(seen.map(({ traceparent }) => String(traceparent).split('-')[1])).toEqual([traceId, traceId]);
  const host = url.slice('http://'.length);
  expect((await spans()).map(({ name, attributes }) => [name, attributes])).toEqual([
    ['GET', { 'http.request.method': 'GET', 'server.address': host, 'http.response.status_code': 200 }],
    ['GET', { 'http.request.method': 'GET', 'server.address': host, 'http.response.status_code': 500 }],
    ['call', {}],
  ]);
});

test('a request to a client-supplied URL does not propagate the trace', async () => {
  const { tracing, spans } = memoryTraces();
  seen.length = 0;
  await tracing.span('call', {}, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    get(url, { agent: false }, (response) => response.resume().on('end', resolve));
    await promise;
  });
  expect(seen.map(({ traceparent }) => traceparent)).toEqual([undefined]);
  expect((await spans()).map(({ name }) => name).sort()).toEqual(['GET', 'call']);
});

test('requests to the collector and untraced requests create no spans', async () => {
  const { tracing, spans } = memoryTraces({ collectors: [url.slice('http://'.length)] });
  seen.length = 0;
  await (await fetch(url)).text();
  await tracing.span('call', {}, async () => (await fetch(url)).text());
  expect(seen.map(({ traceparent }) => traceparent)).toEqual([undefined, undefined]);
  expect((await spans()).map(({ name }) => name)).toEqual(['call']);
});
