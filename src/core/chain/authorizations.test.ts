import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authorizationEvent, transferEvent } from '../../../tests/support/token_events.ts';
import { createAuthorizations } from './chain.ts';

/** A node that knows one transaction, or none. Events are encoded by viem, as an independent reference. */

const USDC: Hex = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const [PAYER, SHOP, OTHER] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}` as Hex) as [
  Hex,
  Hex,
  Hex,
];
const NONCE: Hex = `0x${'ab'.repeat(32)}`;
const CLAIM = { network: 'eip155:84532', asset: USDC, from: PAYER, to: SHOP, value: '100000', nonce: NONCE };

interface Seen {
  readonly event: 'used' | 'canceled';
  readonly to?: Hex;
  readonly value?: bigint;
  readonly token?: Hex;
  readonly status?: string;
}
let seen: Seen | undefined;
let isWell = true;
let asked: { topics?: unknown[]; fromBlock?: string }[] = [];

const logOf = ({ event }: Seen) =>
  authorizationEvent(event, { payer: PAYER, nonce: NONCE, token: USDC, transaction: '0xfeed' });
const transferOf = ({ to = SHOP, value = 100_000n, token = USDC }: Seen) =>
  transferEvent({ from: PAYER, to, value, token, transaction: '0xfeed' });

const node = createServer(async (request, response) => {
  const { method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  if (method === 'eth_getLogs') asked.push(params[0]);
  const results: Record<string, unknown> = {
    eth_chainId: '0x14a34',
    eth_blockNumber: '0x989680',
    eth_getLogs: seen ? [logOf(seen)] : [],
    eth_getTransactionReceipt: seen && {
      status: seen.status ?? '0x1',
      logs: [logOf(seen), transferOf(seen)],
    },
  };
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: isWell ? results[method] : 7 }));
});
beforeAll(() => new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve)));
afterAll(() => void node.close());
beforeEach(() => {
  [seen, isWell, asked] = [undefined, true, []];
});

const fateOf = (claim: Partial<typeof CLAIM> = {}) =>
  createAuthorizations({
    rpcUrl: `http://127.0.0.1:${(node.address() as AddressInfo).port}/`,
  }).transferOutcome({
    ...CLAIM,
    ...claim,
  });

const OUTCOMES: [string, Seen | undefined, object][] = [
  ['with the transfer to us', { event: 'used' }, { fate: 'paid', transaction: '0xfeed' }],
  ['with a transfer to another account', { event: 'used', to: OTHER }, { fate: 'not_paid' }],
  ['with a smaller transfer', { event: 'used', value: 1n }, { fate: 'not_paid' }],
  ['with a transfer of another token', { event: 'used', token: OTHER }, { fate: 'not_paid' }],
  ['in a reverted transaction', { event: 'used', status: '0x0' }, { fate: 'not_paid' }],
  ['by a cancellation', { event: 'canceled' }, { fate: 'not_paid' }],
  ['nowhere', undefined, { fate: 'unseen' }],
];
test.each(OUTCOMES)('an authorization used %s has the expected outcome', async (_how, what, fate) => {
  seen = what;
  expect(await fateOf()).toEqual(fate);
});

test('events are requested for this payer and nonce, within the block range nodes allow', async () => {
  await fateOf();
  const topics = ([event]: readonly unknown[]) => event;
  expect(asked).toMatchObject([{ fromBlock: '0x9882f8' }]);
  expect(asked[0]!.topics).toEqual([
    [topics(logOf({ event: 'used' }).topics), topics(logOf({ event: 'canceled' }).topics)],
    ...logOf({ event: 'used' }).topics.slice(1),
  ]);
});

test('an authorization on another chain is unseen', async () => {
  seen = { event: 'used' };
  expect(await fateOf({ network: 'eip155:8453' })).toEqual({ fate: 'unseen' });
});

test('an invalid response from the node is an error', async () => {
  isWell = false;
  await expect(fateOf()).rejects.toMatchObject({ code: 'chain_unavailable' });
});
