import { afterEach, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { bearer, newOwner } from './support/owner.ts';

let app: TestApp;
afterEach(() => app?.close());

const register = (n: number, headers: Record<string, string>) =>
  app.post('/api/webhooks/register', { url: `https://example.org/${n}` }, headers);

forEachApp((open) => {
  test('a key needs to be allowed to see the account', async () => {
    app = await open();
    const owner = await newOwner(app);
    const spender = await owner.makeKey({ scopes: ['spend'] });
    const reader = await owner.makeKey({ scopes: ['account:read'] });
    const [refused, taken] = [await register(1, spender.header), await register(1, reader.header)];
    expect([refused.status, refused.body.code, taken.status]).toEqual([403, 'scope_denied', 200]);
  });

  test('wallets that are made up share the bound of their address', async () => {
    app = await open();
    const wallet = (n: number) => `0x${n.toString(16).padStart(40, 'e')}`;
    const replies = [];
    for (let n = 0; n <= 20; n += 1) replies.push(await register(n, bearer(wallet(n))));
    expect(replies.map(({ status }) => status)).toEqual([...Array(20).fill(200), 400]);
  });
});
