import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { newOwner, type Owner } from '../../../../tests/support/owner.ts';

let app: TestApp;
/** As a client that cannot set headers: over MCP. */
const manage = async (args: object, headers = {}) => {
  const params = { name: 'manage_wallet', arguments: args };
  const { body } = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  return body.result.structuredContent;
};
const signIn = async ({ wallet, account }: Owner): Promise<string> => {
  const { message } = await manage({ action: 'challenge', wallet });
  const signature = await account.signMessage({ message });
  return (await manage({ action: 'sign_in', message, signature })).session;
};
const save = (wallet: string, more = {}) =>
  app.post('/api/tools/save_asset', { wallet, key: 'note', data: 'aGVsbG8=', ...more });

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('an owner locks a wallet and creates a key with spending limits through tools alone', async () => {
  const owner = await newOwner(app);
  const { wallet } = owner;
  const session = await signIn(owner);
  expect(await manage({ action: 'lock', session })).toMatchObject({ wallet, state: 'locked' });
  expect((await save(wallet, { payer: wallet })).body.code).toBe('wallet_locked');
  const key = { name: 'agent', scopes: ['spend', 'assets:write'], max_credits: 1 };
  const { token: payer } = await manage({ action: 'create_key', session, key });
  expect((await save(wallet, { payer })).body.cost.credit).toBe(1);
  expect((await save(wallet, { payer, key: 'two' })).body.code).toBe('budget_refused');
});

test('a revoked key cannot spend credits', async () => {
  const owner = await newOwner(app);
  const session = await signIn(owner);
  const made = await manage({ action: 'create_key', session, key: { name: 'agent' } });
  await manage({ action: 'revoke_key', session, id: made.key.id });
  expect((await manage({ action: 'keys', session })).keys[0].state).toBe('revoked');
  expect((await save(owner.wallet, { payer: made.token })).body.code).toBe('invalid_token');
});

test('an unlocked wallet is reported as accessible by address, and registration suggests locking it', async () => {
  const owner = await newOwner(app);
  const { body } = await app.post('/api/tools/register_wallet', { wallet: owner.wallet });
  expect(body.address_alone).toContain('Not locked');
  expect(body.next_steps).toContainEqual(
    expect.objectContaining({ params: { action: 'challenge', wallet: owner.wallet } }),
  );
  const session = await signIn(owner);
  expect(await manage({ action: 'lock', session })).not.toHaveProperty('address_alone');
  expect((await manage({ action: 'unlock', session })).address_alone).toContain('Not locked');
});

describe('a client without proof of ownership', () => {
  const ACTIONS = ['lock', 'unlock', 'keys', 'create_key', 'revoke_key'];

  test.each(ACTIONS)('cannot %s with an address', async (action) => {
    const { wallet, bare } = await newOwner(app);
    expect((await manage({ action, wallet }, bare)).code).toBe('proof_required');
    expect((await manage({ action, wallet, payer: wallet })).code).toBe('proof_required');
  });

  test.each(ACTIONS)('cannot %s with a key of the wallet, whatever its scopes', async (action) => {
    const owner = await newOwner(app);
    const scopes = ['spend', 'assets:read', 'assets:write', 'account:read'];
    const { header, token } = await owner.makeKey({ scopes });
    expect((await manage({ action }, header)).code).toBe('scope_denied');
    expect((await manage({ action, payer: token })).code).toBe('scope_denied');
  });

  test('cannot manage a wallet with a session of another wallet', async () => {
    const [owner, other] = [await newOwner(app), await newOwner(app)];
    const { key } = await manage({
      action: 'create_key',
      session: await signIn(owner),
      key: { name: 'agent' },
    });
    const session = await signIn(other);
    expect(await manage({ action: 'lock', wallet: owner.wallet, session })).toMatchObject({
      wallet: other.wallet,
    });
    expect((await manage({ action: 'revoke_key', id: key.id, session })).code).toBe('key_not_found');
  });

  test('cannot sign in with the signature of another account, or reuse a challenge', async () => {
    const [owner, other] = [await newOwner(app), await newOwner(app)];
    const { message } = await manage({ action: 'challenge', wallet: owner.wallet });
    const forged = await other.account.signMessage({ message });
    expect((await manage({ action: 'sign_in', message, signature: forged })).code).toBe('invalid_signature');
    const signature = await owner.account.signMessage({ message });
    expect((await manage({ action: 'sign_in', message, signature })).session).toMatch(/^atl_sess_/);
    expect((await manage({ action: 'sign_in', message, signature })).code).toBe('invalid_signature');
  });

  test('cannot call manage_wallet inside a recipe', async () => {
    const owner = await newOwner(app);
    const session = await owner.signIn();
    const steps = [{ tool: 'manage_wallet', params: { action: 'lock' } }];
    const { body } = await app.post('/api/tools/run_recipe', { steps }, session);
    expect(body).toMatchObject({ status: 400, detail: expect.stringContaining('cannot be a step') });
  });

  test.each(['atl_sess_x', 'atl_key_x', `atl_sess_${'A'.repeat(43)}`])(
    'session token %s is rejected',
    async (session) => {
      expect(['invalid_input', 'invalid_token']).toContain((await manage({ action: 'keys', session })).code);
    },
  );
});
