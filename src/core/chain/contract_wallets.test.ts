import { hashMessage, hexToBytes, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeChain, openFakeChain } from '../../../tests/support/fake_chain.ts';
import { createContractWallets } from './chain.ts';
import type { ContractWallets } from './types.ts';

let chain: FakeChain;
beforeAll(async () => {
  chain = await openFakeChain();
});
afterAll(() => chain?.close());
beforeEach(() => {
  chain.mood = 'well';
});

const account = privateKeyToAccount(generatePrivateKey());
const hash = hexToBytes(hashMessage('hello'));
const contracts = () => createContractWallets({ rpcUrl: chain.url, timeoutMs: 500 });
const signature = () => account.signMessage({ message: 'hello' });
const claim = async (wallet: string, more: object = {}) => ({
  wallet,
  chainId: chain.chainId,
  hash,
  signature: (await signature()) as string,
  ...more,
});
const wrapped = async () => {
  const { wallet, factory, factoryData } = chain.plan(account.address);
  const inner = await signature();
  const whole = serializeErc6492Signature({ address: factory, data: factoryData, signature: inner });
  return claim(wallet, { signature: whole });
};

test('a deployed wallet stands by the signature of its owner (ERC-1271)', async () => {
  expect(await contracts().judge(await claim(chain.deploy(account.address)))).toEqual({ accepted: true });
});

test('a wallet that is not deployed yet does so by way of its factory (ERC-6492)', async () => {
  expect(await contracts().judge(await wrapped())).toEqual({ accepted: true });
});

test('a factory that makes another wallet proves nothing', async () => {
  const other = { ...(await wrapped()), wallet: `0x${'1'.repeat(40)}` };
  expect(await contracts().judge(other)).toMatchObject({ accepted: false });
});

const stranger = privateKeyToAccount(generatePrivateKey()).address;
const refusals: [string, () => Promise<object>, string][] = [
  ['of another owner', () => claim(chain.deploy(stranger)), 'rejects this signature'],
  [
    'of another text',
    () => claim(chain.deploy(account.address), { hash: hash.toReversed() }),
    'rejects this signature',
  ],
  ['where nothing is deployed', () => claim(account.address.toLowerCase()), 'no contract is deployed'],
  ['of another chain', () => claim(chain.deploy(account.address), { chainId: 1 }), 'on chain 8453 only'],
  [
    'of a contract that repeats the question',
    () => claim(chain.deploy(account.address, 'echo')),
    'rejects this signature',
  ],
  [
    'of a contract that answers nothing',
    () => claim(chain.deploy(account.address, 'yes to nothing')),
    'rejects this signature',
  ],
];
test.each(refusals)('a signature %s is refused', async (_what, made, why) => {
  const verdict = await contracts().judge((await made()) as Parameters<ContractWallets['judge']>[0]);
  expect(verdict).toEqual({ accepted: false, why: expect.stringContaining(why) });
});

test.each(['silent', 'refusing', 'not json', 'endless', 'elsewhere', 'other error'] as const)(
  'a node that is %s is reported as such, without its address',
  async (mood) => {
    chain.mood = mood;
    const judged = contracts().judge(await claim(chain.deploy(account.address)));
    await expect(judged).rejects.toMatchObject({
      code: 'chain_unavailable',
      message: expect.not.stringContaining('127.0.0.1'),
    });
  },
);

test('a node that was away at first is asked again', async () => {
  const judge = contracts();
  const made = await claim(chain.deploy(account.address));
  chain.mood = 'refusing';
  await expect(judge.judge(made)).rejects.toMatchObject({ code: 'chain_unavailable' });
  chain.mood = 'well';
  expect(await judge.judge(made)).toEqual({ accepted: true });
});

test('the chain is asked for its number once', async () => {
  const judge = contracts();
  const made = await claim(chain.deploy(account.address));
  chain.asked.length = 0;
  await judge.judge(made);
  await judge.judge(made);
  expect(chain.asked).toEqual(['eth_chainId', 'eth_getCode', 'eth_call', 'eth_getCode', 'eth_call']);
});

test('more questions at once than a node should get are turned away', async () => {
  chain.mood = 'silent';
  const judge = contracts();
  const made = await claim(chain.deploy(account.address));
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => judge.judge(made)));
  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
  expect(codes.filter((code) => code === 'busy')).toHaveLength(4);
});
