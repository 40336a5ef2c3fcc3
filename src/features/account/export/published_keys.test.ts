import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANY_NETWORK, PUBLIC_INTERNET } from '../../../core/outbound_http/reach.ts';
import { receiptKeys } from '../../billing/routes/index.ts';
import { publishedKeys } from './export.ts';

const { signal } = new AbortController();
let said = '';
const server = createServer((request, response) =>
  response.writeHead(request.url === '/.well-known/jwks.json' ? 200 : 404).end(said),
);
let address: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test('published keys of a server are read, including revoked keys', async () => {
  const revoked = { at: new Date(0), reason: 'compromised' as const };
  const firstUsed = new Date(0);
  const kept = [
    { kid: 'a', x: 'one', firstUsed },
    { kid: 'b', x: 'two', firstUsed, revoked },
  ];
  said = JSON.stringify(
    await receiptKeys.run({}, { receipts: { keys: async () => kept } as never }, {} as never),
  );
  expect(await publishedKeys(ANY_NETWORK, `${address}/`, signal)).toEqual([
    { kid: 'a', x: 'one' },
    { kid: 'b', x: 'two', revoked: { revoked_at: 0, reason: 'compromised' } },
  ]);
});

test.each(['', '{}', '{"keys": [{}]}', `{"keys": [${'{"kid":"a","x":"b"},'.repeat(20_000)}{}]}`])(
  'an invalid key document is rejected (%#)',
  async (text) => {
    said = text;
    await expect(publishedKeys(ANY_NETWORK, address, signal)).rejects.toThrow();
  },
);

test('keys are fetched only from public internet addresses', async () => {
  await expect(publishedKeys(PUBLIC_INTERNET, address, signal)).rejects.toMatchObject({
    code: 'invalid_input',
  });
});
