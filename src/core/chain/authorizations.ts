import { keccak_256 } from '@noble/hashes/sha3.js';
import { z } from 'zod';
import { createJsonRpc, type JsonRpc, unexpectedAnswer } from './json_rpc.ts';
import { CHAIN_LOG_BLOCKS_MAX } from './limits.ts';
import type { AuthorizationClaim, Authorizations, Fate } from './types.ts';

/**
 * What became of signed transfers (EIP-3009), by the events of the token: AuthorizationUsed names the transaction whose Transfer
 * says where the money went, AuthorizationCanceled that it went nowhere. Of the one chain whose node is at `rpcUrl`, and as
 * far back as nodes like to look.
 */
export function createAuthorizations(options: { rpcUrl: string; timeoutMs?: number }): Authorizations {
  const rpc = createJsonRpc(options);
  return {
    async fateOf(claim) {
      const chain = await asked(rpc, 'eth_chainId', [], quantity);
      return claim.network === `eip155:${chain}` ? fateOn(rpc, claim) : { fate: 'unseen' };
    },
  };
}

async function fateOn(rpc: JsonRpc, { asset, from, to, value, nonce }: AuthorizationClaim): Promise<Fate> {
  const last = await asked(rpc, 'eth_blockNumber', [], quantity);
  const filter = {
    address: asset,
    fromBlock: hex(last > CHAIN_LOG_BLOCKS_MAX ? last - CHAIN_LOG_BLOCKS_MAX : 0n),
    toBlock: 'latest',
    topics: [[USED, CANCELED], topicOf(from), nonce],
  };
  const [event] = await asked(rpc, 'eth_getLogs', [filter], logs);
  if (!event) return { fate: 'unseen' };
  if (event.topics[0]?.toLowerCase() === CANCELED) return { fate: 'not_paid' };
  const { transactionHash: transaction } = event;
  const { status, logs: moved } = await asked(rpc, 'eth_getTransactionReceipt', [transaction], receipt);
  const isOurs = moved.some(
    ({ address, topics, data }) =>
      same(address, asset) &&
      same(topics[0], TRANSFER) &&
      same(topics[1], topicOf(from)) &&
      same(topics[2], topicOf(to)) &&
      /^0x[0-9a-f]+$/i.test(data) &&
      BigInt(data) === BigInt(value),
  );
  return status === '0x1' && isOurs ? { fate: 'paid', transaction } : { fate: 'not_paid' };
}

const text = z.string().max(1000);
const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,16}$/i)
  .transform(BigInt);
const log = z.object({
  address: text,
  topics: z.array(text).max(8),
  data: z.string(),
  transactionHash: text,
});
const logs = z.array(log);
const receipt = z.object({ status: text, logs });

async function asked<T>(rpc: JsonRpc, method: string, params: unknown[], shape: z.ZodType<T>): Promise<T> {
  const { data } = shape.safeParse(await rpc.ask(method, params));
  if (data === undefined) throw unexpectedAnswer(method);
  return data;
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
const hashOf = (event: string): string => `0x${Buffer.from(keccak_256(Buffer.from(event))).toString('hex')}`;
const USED = hashOf('AuthorizationUsed(address,bytes32)');
const CANCELED = hashOf('AuthorizationCanceled(address,bytes32)');
const TRANSFER = hashOf('Transfer(address,address,uint256)');
/** An address as an event has it: 32 bytes. */
const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const same = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
