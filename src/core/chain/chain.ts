import { keccak_256 } from '@noble/hashes/sha3.js';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { parseBoundedJson } from '../json/parse_bounded_json.ts';

/** Timeout of a node request about a contract wallet. */
const CHAIN_TIMEOUT_MS = 5000;
const CHAIN_ANSWER_BYTES_MAX = 256 * 1024;
/** Concurrent requests to the node, over all callers. */
const CHAIN_REQUESTS_MAX = 16;
/** Block range of event queries: about three hours of a chain with blocks of two seconds, and what most nodes allow. */
const CHAIN_LOG_BLOCKS_MAX = 5000n;

interface JsonRpc {
  /** @throws Reverted, AtelierError chain_unavailable, busy */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** The called contract reverted: a result for the signature, not a failure of the node. */
class Reverted extends Error {}

/** JSON-RPC to the configured node, with a timeout, a response limit and a concurrency limit. */
function createJsonRpc({
  rpcUrl,
  timeoutMs = CHAIN_TIMEOUT_MS,
}: {
  rpcUrl: string;
  timeoutMs?: number;
}): JsonRpc {
  let running = 0;
  return {
    async ask(method, params) {
      if (running >= CHAIN_REQUESTS_MAX) throw new AtelierError('busy', undefined, { retryAfterSeconds: 5 });
      running += 1;
      try {
        return resultIn(method, await post(rpcUrl, timeoutMs, { jsonrpc: '2.0', id: 1, method, params }));
      } finally {
        running -= 1;
      }
    },
  };
}

async function post(url: string, timeoutMs: number, body: object): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return parseBoundedJson(await textOf(response));
  } catch (error) {
    throw unavailable(error);
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > CHAIN_ANSWER_BYTES_MAX) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function resultIn(method: string, answer: unknown): unknown {
  const { result, error } = (answer ?? {}) as {
    result?: unknown;
    error?: { code?: unknown; message?: unknown };
  };
  // Code 3 is the convention for a revert; some nodes report it only in the message.
  if (error && (error.code === 3 || /revert|invalid opcode|out of gas/i.test(String(error.message)))) {
    throw new Reverted();
  }
  if (error || result === undefined) throw unexpectedAnswer(method);
  return result;
}

/** @param method the method whose result was malformed */
const unexpectedAnswer = (method: string): AtelierError =>
  unavailable(new Error(`malformed response to ${method}`));

/** The node URL may contain a password, so the error includes neither it nor the inner message. */
const unavailable = (cause: unknown): AtelierError =>
  new AtelierError('chain_unavailable', undefined, { cause, retryAfterSeconds: 30 });

/**
 * Contract wallets on the chain whose node is at `rpcUrl`. Sources: ERC-1271 (isValidSignature), ERC-6492 (wallets that are not
 * deployed yet: runs the validator of the ERC as the code of a simulated deployment).
 */
export function createContractWallets(options: { rpcUrl: string; timeoutMs?: number }): ContractWallets {
  const rpc = createJsonRpc(options);
  // viem takes half a second to load, which must not delay a call; without a configured node it is not loaded.
  const encoding = import('viem');
  encoding.catch(() => {});
  let known: number | undefined;
  const chainId = async () => {
    known ??= numberOf(await rpc.ask('eth_chainId', []));
    return known;
  };
  return {
    async judge(claim) {
      const served = await chainId();
      if (claim.chainId !== served) {
        return no(
          `the signature does not match the key of ${claim.wallet}, and this server verifies contract wallets on chain ${served} only, not on ${claim.chainId}`,
        );
      }
      return judge(rpc, await encoding, claim);
    },
  };
}

type Encoding = typeof import('viem');
type Hex = `0x${string}`;

const no = (why: string): Verdict => ({ accepted: false, why });

async function judge(rpc: JsonRpc, encoding: Encoding, claim: ContractClaim): Promise<Verdict> {
  const signature = claim.signature as Hex;
  if (encoding.isErc6492Signature(signature)) return counterfactual(rpc, encoding, claim);
  const code = await rpc.ask('eth_getCode', [claim.wallet, 'latest']);
  if (!isHex(code)) throw unexpectedAnswer('eth_getCode');
  // Without code there is only the key, whose signature was checked before. Precompiled contracts have no code either, and the one
  // at 0x…04 would return the magic value, because it echoes its input.
  if (code === '0x')
    return no(
      `the signature does not match ${claim.wallet}, and no contract is deployed at that address on chain ${claim.chainId}`,
    );
  const data = encoding.encodeFunctionData({
    abi: IS_VALID_SIGNATURE,
    args: [hexOf(claim.hash), signature],
  });
  const answer = await answerOrRevert(rpc, { to: claim.wallet, data });
  return answer === MAGIC ? { accepted: true } : refuseClaim(claim);
}

/** The wallet may not exist yet: the validator deploys it and calls it in a simulation that changes nothing on the chain. */
async function counterfactual(rpc: JsonRpc, encoding: Encoding, claim: ContractClaim): Promise<Verdict> {
  const data = encoding.encodeDeployData({
    abi: encoding.erc6492SignatureValidatorAbi,
    bytecode: encoding.erc6492SignatureValidatorByteCode,
    args: [claim.wallet as Hex, hexOf(claim.hash), claim.signature as Hex],
  });
  const answer = await answerOrRevert(rpc, { data });
  return answer !== undefined && /^0x0*1$/.test(answer) ? { accepted: true } : refuseClaim(claim);
}

const refuseClaim = ({ wallet }: ContractClaim): Verdict =>
  no(`the contract at ${wallet} rejects this signature`);

async function answerOrRevert(
  rpc: JsonRpc,
  call: { to?: string; data: string },
): Promise<string | undefined> {
  try {
    const answer = await rpc.ask('eth_call', [call, 'latest']);
    if (!isHex(answer)) throw unexpectedAnswer('eth_call');
    return answer;
  } catch (error) {
    if (error instanceof Reverted) return undefined;
    throw error;
  }
}

const IS_VALID_SIGNATURE = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [{ name: 'magic', type: 'bytes4' }],
  },
] as const;

/** ERC-1271: the function selector, padded. Compared in full, so that a contract that echoes does not pass. */
const MAGIC = `0x1626ba7e${'0'.repeat(56)}`;

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

const isHex = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value);

function numberOf(answer: unknown): number {
  const id = isHex(answer) && answer.length > 2 ? Number(answer) : 0;
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw unexpectedAnswer('eth_chainId');
}

/**
 * Outcome of signed transfers (EIP-3009), from the events of the token: AuthorizationUsed identifies the transaction whose Transfer
 * names the recipient; AuthorizationCanceled means that no money moved. On the chain whose node is at `rpcUrl`, within the block
 * range that nodes allow.
 */
export function createAuthorizations(options: { rpcUrl: string; timeoutMs?: number }): Authorizations {
  const rpc = createJsonRpc(options);
  return {
    async transferOutcome(claim) {
      const chain = await asked(rpc, 'eth_chainId', [], quantity);
      return claim.network === `eip155:${chain}` ? transferOutcomeOn(rpc, claim) : { fate: 'unseen' };
    },
    async escrowOf({ network, escrow, payment }) {
      const chain = await asked(rpc, 'eth_chainId', [], quantity);
      if (network !== `eip155:${chain}`) return undefined;
      const call = { to: escrow, data: `${PAYMENT_STATE}${payment.slice(2)}` };
      const state = await asked(rpc, 'eth_call', [call, 'latest'], threeWords);
      const [isCollected, capturable, refundable] = [0, 1, 2].map((word) =>
        BigInt(`0x${state.slice(2 + 64 * word, 66 + 64 * word)}`),
      ) as [bigint, bigint, bigint];
      return { isCollected: isCollected !== 0n, capturable, refundable };
    },
  };
}

async function transferOutcomeOn(
  rpc: JsonRpc,
  { asset, from, to, value, nonce }: AuthorizationClaim,
): Promise<TransferOutcome> {
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
const threeWords = z.string().regex(/^0x[0-9a-f]{192}$/i);
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
/** Selector. */
const PAYMENT_STATE = hashOf('paymentState(bytes32)').slice(0, 10);
const USED = hashOf('AuthorizationUsed(address,bytes32)');
const CANCELED = hashOf('AuthorizationCanceled(address,bytes32)');
const TRANSFER = hashOf('Transfer(address,address,uint256)');
/** An address as event topic: 32 bytes. */
const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const same = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

/** Chain clients; undefined without a configured node. */
export const openChain = ({
  EVM_RPC_URL: rpcUrl,
}: Config): { contracts?: ContractWallets; authorizations?: Authorizations } =>
  rpcUrl === undefined
    ? {}
    : { contracts: createContractWallets({ rpcUrl }), authorizations: createAuthorizations({ rpcUrl }) };

/** Verifies signatures of contract wallets through a chain node (ERC-1271, ERC-6492). */
export interface ContractWallets {
  /**
   * Sends one or two node requests, each with a timeout.
   * @throws AtelierError chain_unavailable if the node fails, busy at the concurrency limit
   */
  judge(claim: ContractClaim): Promise<Verdict>;
}

interface ContractClaim {
  /** Lower case. */
  readonly wallet: string;
  readonly chainId: number;
  /** The EIP-191 hash of the signed message: 32 bytes. */
  readonly hash: Uint8Array;
  /** 0x and hex, of any length. */
  readonly signature: string;
}

/** `why` ends a sentence: "The proof is not accepted: …" */
type Verdict = { readonly accepted: true } | { readonly accepted: false; readonly why: string };

/** Finds the outcome of a signed transfer (EIP-3009) on the chain. */
export interface Authorizations {
  /** @throws AtelierError chain_unavailable if the node fails, busy at the concurrency limit */
  transferOutcome(claim: AuthorizationClaim): Promise<TransferOutcome>;
  /**
   * A payment in the escrow of x402's auth-capture; undefined on another chain.
   * @throws AtelierError chain_unavailable, busy
   */
  escrowOf(claim: EscrowClaim): Promise<Escrowed | undefined>;
}

interface EscrowClaim {
  /** CAIP-2. */
  readonly network: string;
  /** Address of the contract. */
  readonly escrow: string;
  /** 32 bytes in hex. */
  readonly payment: string;
}

interface Escrowed {
  /** Whether the escrow ever held it. */
  readonly isCollected: boolean;
  /** Held amount, in the token's smallest unit. */
  readonly capturable: bigint;
  /** Captured and not refunded amount. */
  readonly refundable: bigint;
}

interface AuthorizationClaim {
  /** CAIP-2, `eip155:8453`. */
  readonly network: string;
  /** Address of the token. */
  readonly asset: string;
  readonly from: string;
  readonly to: string;
  /** In the token's smallest unit, decimal. */
  readonly value: string;
  /** 32 bytes in hex. */
  readonly nonce: string;
}

/** `paid`: the money went to the claimed recipient. `not_paid`: cancelled, or sent elsewhere. `unseen`: unknown. */
export type TransferOutcome =
  | { readonly fate: 'paid'; readonly transaction: string }
  | { readonly fate: 'not_paid' | 'unseen' };
