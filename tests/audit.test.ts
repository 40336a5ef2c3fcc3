import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAYMENT_INTENT_KEY } from '../src/interfaces/mcp/answer_call.ts';
import { stripeBank } from './support/banks.ts';
import { signature as signatureOf } from './support/fake_stripe.ts';
import type { TestApp, TestReply } from './support/open_test_app.ts';
import { bearer, newOwner, type Owner } from './support/owner.ts';
import { type ServiceProcess, startService } from './support/start_service.ts';
import { newPayer, v2, X402_SETTINGS } from './support/x402_payer.ts';

/** Every refused payment and proof leaves one line in the log, and no line says what a reader could pay with. */

const dataDir = mkdtempSync(join(tmpdir(), 'atelier-audit-'));
let service: ServiceProcess;
let bank: Awaited<ReturnType<typeof stripeBank>>;
let owner: Owner;
const secrets: string[] = [];

beforeAll(async () => {
  bank = await stripeBank();
  service = await startService({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...X402_SETTINGS('http://127.0.0.1:9'),
    ...bank.settings,
  });
  owner = await newOwner({ post } as TestApp);
});
afterAll(async () => {
  service.process.kill('SIGKILL');
  await bank.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const json = body && { body: JSON.stringify(body) };
  const type = { 'Content-Type': 'application/json' };
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...type, ...headers },
    ...json,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) } as TestReply;
}
const post: TestApp['post'] = (path, body, headers) => send('POST', path, body as object, headers);
const save = (headers: Record<string, string>, wallet = owner.wallet) =>
  post('/api/tools/save_asset', { wallet, key: 'k', data: 'aGk=' }, headers);
const lines = () =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes('"audit"'))
    .map((line) => JSON.parse(line));
const key = async (more: Record<string, unknown> = {}) => {
  const made = await owner.makeKey(more);
  secrets.push(made.token);
  return made;
};
/** The header of an intent that a card has paid. */
const card = async (more: object = {}): Promise<{ id: string; header: Record<string, string> }> => {
  const made = await post('/api/create-payment-intent', { tool_name: 'save_asset', ...more });
  secrets.push(made.body.client_secret);
  bank.stripe.pay(made.body.id);
  return { id: made.body.id, header: { 'X-Payment-Intent': made.body.id } };
};
const stranger = `0x${'e'.repeat(40)}`;

const attempts: [string, string, () => Promise<TestReply>][] = [
  ['an unregistered wallet', 'wallet_not_registered', () => save(bearer(stranger), stranger)],
  ['an invalid token', 'invalid_token', () => save(bearer('hunter2-my-bank-password'))],
  ['a forged key', 'invalid_token', () => save(bearer(`atl_key_${'Z'.repeat(43)}`))],
  [
    'an invalid intent',
    'payment_intent_not_found',
    () => save({ 'X-Payment-Intent': 'pi_3x_secret_s3cr3t' }),
  ],
  [
    'an unpaid intent',
    'payment_not_authorized',
    async () => {
      const { id, header } = await card();
      bank.decline({ post } as TestApp, id);
      return save(header);
    },
  ],
  [
    'an intent of another tool',
    'payment_intent_tool_mismatch',
    async () => save((await card({ tool_name: 'upscale_image' })).header),
  ],
  [
    'an intent of another wallet',
    'payment_intent_wallet_mismatch',
    async () => save({ ...(await card({ wallet: stranger })).header, ...owner.bare }),
  ],
  [
    'an intent of another amount',
    'payment_intent_void',
    async () => {
      const { id, header } = await card();
      Object.assign(bank.stripe.thing(id), { amount: 49 });
      return save(header);
    },
  ],
  [
    'a card that is refused when it is to be charged',
    'payment_failed',
    async () => {
      const { id, header } = await card();
      bank.stripe.thing(id).declineCapture = true;
      return save(header);
    },
  ],
  [
    'an intent for less than one call',
    'invalid_input',
    () => post('/api/create-payment-intent', { tool_name: 'save_asset', quantity: -1 }),
  ],
  [
    'a forged notice of a card processor',
    'invalid_event',
    () => {
      const { body } = bank.stripe.event('charge.refunded', {});
      const forged = signatureOf(body, { secret: 'whsec_other' });
      return post('/api/webhooks/stripe', JSON.parse(body), { 'Stripe-Signature': forged });
    },
  ],
  ['a malformed x402 payment', 'payment_malformed', () => save({ 'X-PAYMENT': 'hunter2' })],
  [
    'an x402 payment for another chain',
    'payment_refused',
    async () => {
      const payment = await newPayer().pay({ chainId: 1 });
      secrets.push(payment.payload.signature.slice(2), v2(payment)['PAYMENT-SIGNATURE']!);
      return save(v2(payment));
    },
  ],
  [
    'a revoked key',
    'invalid_token',
    async () => {
      const { header, id } = await key();
      await send('DELETE', `/api/wallet/keys/${id}`, undefined, await owner.signIn());
      return save(header);
    },
  ],
  [
    'a key over its cap',
    'budget_refused',
    async () => {
      const { header } = await key({ max_credits: 1, scopes: ['spend', 'assets:write'] });
      await save(header);
      return save(header);
    },
  ],
  [
    'a key without the scope',
    'scope_denied',
    async () => save((await key({ scopes: ['account:read'] })).header),
  ],
  ['another wallet than the payer', 'wallet_mismatch', async () => save((await key()).header, stranger)],
  [
    'a signature by another wallet',
    'invalid_signature',
    async () => {
      const { message } = (await post('/api/wallet/challenge', { wallet: owner.wallet })).body;
      const signature = await privateKeyToAccount(generatePrivateKey()).signMessage({ message });
      secrets.push(signature);
      return post('/api/wallet/session', { message, signature });
    },
  ],
  ['a cap below nothing', 'invalid_input', async () => badKey({ max_credits: -1 })],
  ['a giant cap', 'invalid_input', async () => badKey({ max_credits: 1e300 })],
  [
    'the account of a locked wallet',
    'wallet_locked',
    async () => {
      await post('/api/wallet/lock', {}, await owner.signIn());
      return send('GET', `/api/wallet/statement?wallet=${owner.wallet}`);
    },
  ],
  ['a locked wallet that is to pay', 'wallet_locked', () => save(owner.bare)],
  ['a job of a locked wallet', 'wallet_locked', () => save({ ...owner.bare, Prefer: 'respond-async' })],
  [
    'a job with an intent',
    'payment_required',
    () => save({ 'X-Payment-Intent': 'pi_3x_secret_s3cr3t', Prefer: 'respond-async' }, stranger),
  ],
  ['a key made without proof', 'proof_required', () => post('/api/wallet/keys', { name: 'n' }, owner.bare)],
];
const badKey = async (more: object) => post('/api/wallet/keys', { name: 'n', ...more }, await owner.signIn());

test.each(attempts)('%s: one line', async (_what, code, attempt) => {
  const before = lines().length;
  const { body } = await attempt();
  await expect.poll(() => lines().length).toBeGreaterThan(before);
  const [line, ...more] = lines().slice(before);
  expect([body.code, more]).toEqual([code, []]);
  expect(line).toMatchObject({
    audit: 'refused',
    level: 40,
    code,
    status: body.status,
    about: expect.any(String),
    request_id: body.request_id,
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
  });
});

test('a refusal over MCP leaves a line as well, with a hash of the intent', async () => {
  const meta = { [PAYMENT_INTENT_KEY]: 'pi_9_secret_mcp' };
  const before = lines().length;
  const params = { name: 'save_asset', arguments: { wallet: stranger, key: 'k', data: 'aGk=' }, _meta: meta };
  await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, bearer(stranger));
  await expect.poll(() => lines().length).toBe(before + 1);
  expect(lines().at(-1)).toMatchObject({
    about: 'save_asset',
    bearer: stranger,
    payment_intent: 'd0a9efccbc3b',
  });
});

test('of an x402 payment a line has the start of its hash', async () => {
  const before = lines().length;
  await save({ 'PAYMENT-SIGNATURE': 'hunter2' });
  await expect.poll(() => lines().length).toBe(before + 1);
  // printf hunter2 | sha256sum
  expect(lines().at(-1)).toMatchObject({ code: 'payment_malformed', x402_payment: 'f52fbd32b2b3' });
});

test('a call without payment or with an invalid image writes no audit line', async () => {
  const before = lines().length;
  await save({});
  await post('/api/tools/resize_image', { image: 'x', width: 1, height: 1 });
  await post('/api/tools/no_such_tool', {});
  const { body } = await save(bearer(stranger), stranger);
  await expect.poll(() => lines().at(-1)?.request_id).toBe(body.request_id);
  expect(lines()).toHaveLength(before + 1);
});

test('no line contains a token, a signature or a client secret', () => {
  const text = service.output();
  const told = [...secrets, 'hunter2', 's3cr3t', 'Z'.repeat(43), 'secret_mcp'];
  expect(secrets.length).toBeGreaterThan(3);
  expect(told.filter((secret) => text.includes(secret))).toEqual([]);
});
