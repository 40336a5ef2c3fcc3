import { serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeChain, openFakeChain } from './support/fake_chain.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { bearer } from './support/owner.ts';
import { signRequest } from './support/sign_request.ts';

/** Wallets that are contracts prove themselves where the operator has named a node, and are told where not. */

forEachApp((open) => {
  let chain: FakeChain;
  let app: TestApp;
  let without: TestApp;
  beforeAll(async () => {
    chain = await openFakeChain();
    app = await open({ EVM_RPC_URL: chain.url });
    without = await open();
  });
  afterAll(async () => {
    await Promise.all([app?.close(), without?.close()]);
    await chain?.close();
  });
  beforeEach(() => {
    chain.mood = 'well';
  });

  const account = () => privateKeyToAccount(generatePrivateKey());
  async function signedIn(
    at: TestApp,
    wallet: string,
    sign: (text: string) => Promise<string>,
    chainId = 8453,
  ) {
    const { message } = (await at.post('/api/wallet/challenge', { wallet, chain_id: chainId })).body;
    return at.post('/api/wallet/session', { message, signature: await sign(message) });
  }
  const signing = (owner: ReturnType<typeof account>) => (message: string) => owner.signMessage({ message });

  test('a deployed wallet opens a session and locks itself', async () => {
    const owner = account();
    const wallet = chain.deploy(owner.address);
    const { body } = await signedIn(app, wallet, signing(owner));
    expect(body).toMatchObject({ wallet, state: 'claimed' });
    expect((await app.post('/api/wallet/lock', {}, bearer(body.token))).body).toMatchObject({ locked: true });
  });

  test('a counterfactual wallet opens a session', async () => {
    const owner = account();
    const { wallet, factory, factoryData } = chain.plan(owner.address);
    const wrap = async (message: string) =>
      serializeErc6492Signature({
        address: factory,
        data: factoryData,
        signature: await owner.signMessage({ message }),
      });
    expect((await signedIn(app, wallet, wrap)).body).toMatchObject({ wallet });
  });

  test('a contract wallet signs a request', async () => {
    const owner = account();
    const wallet = chain.deploy(owner.address);
    const path = '/api/wallet/keys';
    const keyid = `eip155:${chain.chainId}:${wallet}`;
    const sign = (raw: Uint8Array) => owner.signMessage({ message: { raw } });
    const headers = await signRequest({ method: 'GET', path, wallet, keyid, sign });
    expect((await app.get(path, headers)).body).toMatchObject({ wallet, keys: [] });
  });

  test("another owner's key opens no session", async () => {
    const wallet = chain.deploy(account().address);
    const { status, body } = await signedIn(app, wallet, signing(account()));
    expect([status, body.code]).toEqual([401, 'invalid_signature']);
    expect(body.detail).toContain('rejects this signature');
  });

  test('a wallet of another chain is rejected with the supported chain', async () => {
    const owner = account();
    const { body } = await signedIn(app, chain.deploy(owner.address), signing(owner), 1);
    expect(body.detail).toContain('on chain 8453 only, not on 1');
  });

  test('a wallet with a private key needs no node', async () => {
    const owner = account();
    chain.mood = 'refusing';
    expect((await signedIn(app, owner.address.toLowerCase(), signing(owner), 1)).status).toBe(200);
  });

  test('while the node is unavailable, sign-in fails and the same message works later', async () => {
    const owner = account();
    const wallet = chain.deploy(owner.address);
    const { message } = (await app.post('/api/wallet/challenge', { wallet, chain_id: 8453 })).body;
    const signed = { message, signature: await owner.signMessage({ message }) };
    chain.mood = 'refusing';
    const away = await app.post('/api/wallet/session', signed);
    expect([away.status, away.body.code]).toEqual([503, 'chain_unavailable']);
    expect(away.headers.get('retry-after')).toBe('30');
    chain.mood = 'well';
    expect((await app.post('/api/wallet/session', signed)).status).toBe(200);
  });

  test('the challenge lists the supported kinds of wallets', async () => {
    const wallet = account().address;
    const asked = [app, without].map((at) => at.post('/api/wallet/challenge', { wallet }));
    const replies = await Promise.all(asked);
    expect(replies.map(({ body }) => body.supported)).toEqual([['eoa', 'contract'], ['eoa']]);
  });

  test('a server without a node reports that it cannot verify contract wallets', async () => {
    const owner = account();
    const before = chain.asked.length;
    const { status, body } = await signedIn(without, chain.deploy(owner.address), signing(owner));
    expect([status, body.code]).toEqual([401, 'invalid_signature']);
    expect(body.detail).toContain('this server cannot verify contract wallets');
    expect(chain.asked.length).toBe(before);
  });
});
