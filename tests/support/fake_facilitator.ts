import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Hex, verifyTypedData } from 'viem';
import { createFakeEscrow, type FakeEscrow } from './fake_escrow.ts';
import { authorizationEvent, transferEvent } from './token_events.ts';
import { TRANSFER_TYPES } from './transfer_with_authorization.ts';
import { USDC } from './x402_payer.ts';

/** A fault of the facilitator, for the next requests to one of its paths. */
export type Fault =
  | { readonly kind: 'slow'; readonly ms: number }
  /** Closes the connection before doing anything. */
  | { readonly kind: 'hang_up' }
  /** Completes the request, and closes the connection instead of responding. */
  | { readonly kind: 'lose_reply' }
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown };

export interface FakeFacilitator {
  readonly url: string;
  /** A node of its chain. */
  readonly rpcUrl: string;
  /** Bodies of every request, by path. */
  readonly requests: { path: string; body: Wire }[];
  /** Executed transfers: payer (lower case), nonce and amount. */
  readonly transfers: { payer: string; to: string; value: string; nonce: string; transaction: string }[];
  /** Balances of payers, in the smallest unit; a payer without an entry has enough. */
  readonly balances: Map<string, bigint>;
  /** Escrow of the scheme auth-capture. */
  readonly escrow: FakeEscrow;
  /** Faults for the next requests to a path, used up one by one. */
  fail(path: '/verify' | '/settle', ...faults: Fault[]): void;
  /**
   * A repeated settlement returns the first result again, as with some facilitators. Others report that the
   * nonce is used.
   */
  remembersSettlements: boolean;
  /** Called when a transfer was executed, before the response is sent. */
  onSettled(): void;
  /** Stops the server, and restarts it at the same address. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a message of the wire format, read by name
type Wire = any;

const CHAIN_OF_V1: Record<string, number> = { base: 8453, 'base-sepolia': 84532 };
/** A facilitator with a chain in memory. It verifies with viem rather than the code under test. */
export async function startFakeFacilitator(): Promise<FakeFacilitator> {
  const faults: Record<string, Fault[]> = { '/verify': [], '/settle': [] };
  const chain: Chain = { balances: new Map(), transfers: [], escrow: createFakeEscrow() };
  const requests: FakeFacilitator['requests'] = [];
  let server: Server;
  let port = 0;
  const sockets = new Set<Socket>();

  const self = { remembersSettlements: false, onSettled: () => {} };
  const listener = async (request: IncomingMessage, response: import('node:http').ServerResponse) => {
    const path = request.url ?? '';
    // The client was killed in the middle of its request.
    const body = await jsonOf(request).catch(() => undefined);
    if (body === undefined) return request.socket.destroy();
    if (path === '/rpc') return response.end(JSON.stringify(nodeAnswer(chain, body)));
    requests.push({ path, body });
    const fault = faults[path]?.shift();
    if (fault?.kind === 'hang_up') return request.socket.destroy();
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, { 'content-type': 'application/json' });
      return response.end(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body));
    }
    const answer =
      path === '/verify' ? await verify(chain, body) : await settle(chain, body, self.remembersSettlements);
    if (path === '/settle') self.onSettled();
    if (fault?.kind === 'lose_reply') return request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(answer));
  };
  const up = async () => {
    server = createServer((request, response) => void listener(request, response));
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const down = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  await up();
  return Object.assign(self, {
    url: `http://127.0.0.1:${port}`,
    rpcUrl: `http://127.0.0.1:${port}/rpc`,
    requests,
    transfers: chain.transfers,
    balances: chain.balances,
    escrow: chain.escrow,
    fail: (path: string, ...more: Fault[]) => void faults[path]!.push(...more),
    up,
    down,
    close: down,
  });
}

interface Chain {
  readonly escrow: FakeEscrow;
  readonly balances: Map<string, bigint>;
  readonly transfers: FakeFacilitator['transfers'];
}

/** The order of the checks and the reasons are those of the protocol's own package. */
async function verify(
  chain: Chain,
  body: Wire,
): Promise<{ isValid: boolean; invalidReason?: string; payer: string }> {
  const { payload } = body.paymentPayload;
  const { authorization: a } = payload;
  const required = body.paymentRequirements;
  if (required.scheme === 'auth-capture') {
    const invalidReason = await chain.escrow.verify(body);
    return { isValid: !invalidReason, ...(invalidReason && { invalidReason }), payer: a.from };
  }
  const no = (invalidReason: string) => ({ isValid: false, invalidReason, payer: a.from });
  const isV1 = body.x402Version === 1;
  const network = isV1 ? body.paymentPayload.network : body.paymentPayload.accepted.network;
  if (network !== required.network) return no('invalid_network');
  const chainId = isV1 ? CHAIN_OF_V1[network] : Number(network.split(':')[1]);
  const isSigned = await verifyTypedData({
    address: a.from,
    domain: {
      name: required.extra.name,
      version: required.extra.version,
      chainId: chainId!,
      verifyingContract: required.asset,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...a,
      value: BigInt(a.value),
      validAfter: BigInt(a.validAfter),
      validBefore: BigInt(a.validBefore),
    },
    signature: payload.signature as Hex,
  }).catch(() => false);
  if (!isSigned) return no('invalid_exact_evm_payload_signature');
  if (a.to.toLowerCase() !== required.payTo.toLowerCase())
    return no('invalid_exact_evm_payload_recipient_mismatch');
  const now = Date.now() / 1000;
  if (Number(a.validBefore) < now + 6) return no('invalid_exact_evm_payload_authorization_valid_before');
  if (Number(a.validAfter) > now) return no('invalid_exact_evm_payload_authorization_valid_after');
  if (a.value !== (required.amount ?? required.maxAmountRequired))
    return no('invalid_exact_evm_payload_authorization_value');
  const payer = a.from.toLowerCase();
  if (chain.transfers.some((one) => one.payer === payer && one.nonce === a.nonce)) {
    return no('invalid_exact_evm_nonce_already_used');
  }
  if ((chain.balances.get(payer) ?? 10n ** 12n) < BigInt(a.value)) return no('insufficient_funds');
  return { isValid: true, payer: a.from };
}

async function settle(chain: Chain, body: Wire, remembers: boolean): Promise<object> {
  const { authorization: a, paymentInfo } = body.paymentPayload.payload;
  const { network, scheme } = body.paymentRequirements;
  if (scheme === 'auth-capture') {
    const { reason: errorReason, transaction = '' } = await chain.escrow.settle(body);
    const payer = a?.from ?? paymentInfo.payer;
    return { success: !errorReason, ...(errorReason && { errorReason }), transaction, network, payer };
  }
  const payer = a.from.toLowerCase();
  const before = chain.transfers.find((one) => one.payer === payer && one.nonce === a.nonce);
  if (before && remembers) return { success: true, transaction: before.transaction, network, payer: a.from };
  const { isValid, invalidReason } = await verify(chain, body);
  if (!isValid)
    return { success: false, errorReason: invalidReason, transaction: '', network, payer: a.from };
  const transaction = `0x${(chain.transfers.length + 1).toString(16).padStart(64, '0')}`;
  chain.transfers.push({ payer, to: a.to.toLowerCase(), value: a.value, nonce: a.nonce, transaction });
  chain.balances.set(payer, (chain.balances.get(payer) ?? 10n ** 12n) - BigInt(a.value));
  return { success: true, transaction, network, payer: a.from };
}

/** Responses of a node of the chain (Base Sepolia) about the executed transfers. */
function nodeAnswer({ transfers, escrow }: Chain, { method, params }: Wire): object {
  const eventsOf = ({ payer, to, value, nonce, transaction }: FakeFacilitator['transfers'][number]) => [
    authorizationEvent('used', { payer, nonce, token: USDC, transaction }),
    transferEvent({ from: payer, to, value: BigInt(value), token: USDC, transaction }),
  ];
  const results: Record<string, () => unknown> = {
    eth_chainId: () => `0x${CHAIN_OF_V1['base-sepolia']!.toString(16)}`,
    eth_blockNumber: () => '0x10',
    eth_call: () => {
      const payment = escrow.payments.get(`0x${params[0].data.slice(10)}`);
      const state = [payment ? 1n : 0n, payment?.capturable ?? 0n, payment?.refundable ?? 0n];
      return `0x${state.map((one) => one.toString(16).padStart(64, '0')).join('')}`;
    },
    eth_getLogs: () => {
      const [, , nonce] = params[0].topics;
      return transfers.filter((one) => one.nonce === nonce).flatMap((one) => eventsOf(one).slice(0, 1));
    },
    eth_getTransactionReceipt: () => {
      const found = transfers.find(({ transaction }) => transaction === params[0]);
      return found && { status: '0x1', logs: eventsOf(found) };
    },
  };
  return { jsonrpc: '2.0', id: 1, result: results[method]!() };
}

async function jsonOf(request: IncomingMessage): Promise<Wire> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
