import { afterEach, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../../../tests/support/receiver.ts';
import { ANY_NETWORK, PUBLIC_INTERNET, type Reach } from '../../core/outbound_http/reach.ts';
import { sendOnce } from './service.ts';

const receivers: Receiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

async function given(answer?: Parameters<typeof openReceiver>[0]) {
  const receiver = await openReceiver(answer);
  receivers.push(receiver);
  return receiver;
}
const send = (url: string, reach: Reach = ANY_NETWORK, timeoutMs = 5000) =>
  sendOnce(reach, {
    url,
    timeoutMs,
    headers: { 'webhook-id': 'msg_1' },
    body: '{}',
    signal: new AbortController().signal,
  });

test('a notification is a POST request with a JSON body', async () => {
  const { url, received } = await given();
  expect(await send(url)).toMatchObject({ status: 204, error: null, ms: expect.any(Number) });
  expect(received[0]).toMatchObject({
    body: '{}',
    headers: { 'content-type': 'application/json', 'content-length': '2', 'webhook-id': 'msg_1' },
  });
});

test('a redirect is returned as the response and not followed', async () => {
  const target = await given();
  const { url } = await given((response) => response.writeHead(307, { location: target.url }).end());
  expect(await send(url)).toMatchObject({ status: 307 });
  expect(target.received).toEqual([]);
});

test('Retry-After is read from the response', async () => {
  const { url } = await given((response) => response.writeHead(429, { 'retry-after': '120' }).end());
  expect(await send(url)).toMatchObject({ status: 429, pauseMs: 120_000 });
});

test('only the beginning of an endless response is read', async () => {
  let written = 0;
  const { url } = await given((response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && written < 1e9) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
      }
    };
    more();
  });
  expect(await send(url)).toMatchObject({ status: 200 });
  expect(written).toBeLessThan(20e6);
});

test('a receiver that never responds is aborted at the deadline', async () => {
  const { url } = await given(() => {});
  expect(await send(url, ANY_NETWORK, 200)).toEqual({
    status: null,
    ms: null,
    error: expect.stringContaining('did not respond'),
  });
});

test('a receiver that sends headers and then stalls counts as responded', async () => {
  const { url } = await given((response) => void response.writeHead(200).write('x'));
  expect(await send(url, ANY_NETWORK, 300)).toMatchObject({ status: 200 });
});

test('a host name rebound to a private address is rejected like an unresolvable one', async () => {
  const { url, received } = await given();
  const { port } = new URL(url);
  const leadsTo = (addresses: string[]): Reach => ({
    ...PUBLIC_INTERNET,
    schemes: ['http:'],
    ports: [port],
    resolve: async () => addresses.map((address) => ({ address, family: 4 })),
  });
  const inward = await send(`http://hooks.example.org:${port}/`, leadsTo(['93.184.215.14', '127.0.0.1']));
  const nowhere = await send(`http://hooks.example.org:${port}/`, leadsTo([]));
  expect(inward).toEqual(nowhere);
  expect(received).toEqual([]);
});
