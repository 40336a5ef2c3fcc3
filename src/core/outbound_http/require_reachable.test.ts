import { expect, test } from 'vitest';
import { requireReachable } from './require_reachable.ts';

const signal = new AbortController().signal;
const otherwise = 'carry it here';
const refused = () => Promise.reject(new TypeError('fetch failed'));

test('if no server is reachable, the error names each host once and the remedy', async () => {
  const addresses = ['https://a.test/1', 'https://a.test/2', 'https://b.test/'];
  await expect(requireReachable(addresses, { fetch: refused, signal, otherwise })).rejects.toThrow(
    'This machine cannot reach any of a.test, b.test, so nothing was downloaded; carry it here.',
  );
});

test('one response is sufficient, whatever its status', async () => {
  const fetch = async (url: unknown) =>
    String(url).includes('a.test') ? refused() : new Response('', { status: 403 });
  await expect(
    requireReachable(['https://a.test/', 'https://b.test/'], { fetch, signal, otherwise }),
  ).resolves.toBeUndefined();
});

test('a network that drops all packets is not waited for', async () => {
  const silent = (_url: unknown, init?: RequestInit) =>
    new Promise<never>((_resolve, reject) =>
      init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)),
    );
  await expect(
    requireReachable(['https://a.test/'], { fetch: silent, signal, timeoutMs: 20, otherwise }),
  ).rejects.toThrow('cannot reach any of');
});
