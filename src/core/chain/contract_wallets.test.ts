import { hashMessage, hexToBytes, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeChain, openFakeChain } from '../../../tests/support/fake_chain.ts';
import { type ContractWallets, createContractWallets } from './chain.ts';

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

test('a deployed contract wallet confirms its owner’s signature (ERC-1271)', async () => {
  expect(await contracts().judge(await claim(chain.deploy(account.address)))).toEqual({ accepted: true });
});

test('a contract wallet not yet deployed confirms through its factory (ERC-6492)', async () => {
  expect(await contracts().judge(await wrapped())).toEqual({ accepted: true });
});

test('a factory that creates a different wallet is not accepted', async () => {
  const other = { ...(await wrapped()), wallet: `0x${'1'.repeat(40)}` };
  expect(await contracts().judge(other)).toMatchObject({ accepted: false });
});

const stranger = privateKeyToAccount(generatePrivateKey()).address;
const refusals: [string, () => Promise<object>, string][] = [
  ['of another owner', () => claim(chain.deploy(stranger)), 'rejects this signature'],
  [
    'of a different text',
    () => claim(chain.deploy(account.address), { hash: hash.toReversed() }),
    'rejects this signature',
  ],
  ['of an address without a contract', () => claim(account.address.toLowerCase()), 'no contract is deployed'],
  ['of another chain', () => claim(chain.deploy(account.address), { chainId: 1 }), 'on chain 8453 only'],
  [
    'of a contract that echoes its input',
    () => claim(chain.deploy(account.address, 'echo')),
    'rejects this signature',
  ],
  [
    'of a contract that returns nothing',
    () => claim(chain.deploy(account.address, 'yes to nothing')),
    'rejects this signature',
  ],
];
test.each(refusals)('a signature %s is refused', async (_what, made, why) => {
  const verdict = await contracts().judge((await made()) as Parameters<ContractWallets['judge']>[0]);
  expect(verdict).toEqual({ accepted: false, why: expect.stringContaining(why) });
});

test.each(['silent', 'refusing', 'not json', 'endless', 'elsewhere', 'other error'] as const)(
  'a node that is %s is reported without its URL',
  async (mood) => {
    chain.mood = mood;
    const judged = contracts().judge(await claim(chain.deploy(account.address)));
    await expect(judged).rejects.toMatchObject({
      code: 'chain_unavailable',
      message: expect.not.stringContaining('127.0.0.1'),
    });
  },
);

test('a node is retried after it was unavailable', async () => {
  const judge = contracts();
  const made = await claim(chain.deploy(account.address));
  chain.mood = 'refusing';
  await expect(judge.judge(made)).rejects.toMatchObject({ code: 'chain_unavailable' });
  chain.mood = 'well';
  expect(await judge.judge(made)).toEqual({ accepted: true });
});

test('the chain id is requested once', async () => {
  const judge = contracts();
  const made = await claim(chain.deploy(account.address));
  chain.asked.length = 0;
  await judge.judge(made);
  await judge.judge(made);
  expect(chain.asked).toEqual(['eth_chainId', 'eth_getCode', 'eth_call', 'eth_getCode', 'eth_call']);
});

test('requests above the concurrency limit of a node are refused', async () => {
  chain.mood = 'silent';
  const judge = contracts();
  const made = await claim(chain.deploy(account.address));
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => judge.judge(made)));
  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
  expect(codes.filter((code) => code === 'busy')).toHaveLength(4);
});
