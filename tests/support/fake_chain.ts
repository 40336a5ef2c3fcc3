import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Address,
  concat,
  decodeAbiParameters,
  decodeFunctionData,
  erc6492SignatureValidatorByteCode,
  type Hex,
  isErc6492Signature,
  keccak256,
  parseErc6492Signature,
  recoverAddress,
  slice,
} from 'viem';

/** Behaviour of the node; all but the first are failures of real nodes. */
type Mood = 'well' | 'silent' | 'refusing' | 'not json' | 'endless' | 'elsewhere' | 'other error';

export interface FakeChain {
  readonly url: string;
  readonly chainId: number;
  mood: Mood;
  /** Methods requested so far. */
  readonly asked: string[];
  /** Deploys a contract wallet that accepts signatures of this key; returns its address in lower case. */
  deploy(owner: Address, kind?: 'wallet' | 'echo' | 'yes to nothing'): string;
  /** A wallet that this call would deploy, and that is not deployed yet. */
  plan(owner: Address): { wallet: string; factory: Address; factoryData: Hex };
  close(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: [unknown, unknown?];
}

const FACTORY: Address = '0x00000000000000000000000000000000000fac70';
const IS_VALID_SIGNATURE = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [{ type: 'bytes32' }, { type: 'bytes' }],
    outputs: [{ type: 'bytes4' }],
  },
] as const;
const MAGIC: Hex = `0x1626ba7e${'0'.repeat(56)}`;

/**
 * A node with contract wallets, without an EVM: a wallet is a rule in TypeScript, and the validator of
 * ERC-6492 is recognised by its code and emulated. It cannot show that the code itself is correct.
 */
export async function openFakeChain(chainId = 8453): Promise<FakeChain> {
  const deployed = new Map<string, { owner: Address; kind: string }>();
  const asked: string[] = [];
  const chain = { mood: 'well' as Mood };
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const question = JSON.parse(text) as Question;
    asked.push(question.method);
    if (chain.mood !== 'well') return misbehave(chain.mood, response);
    const reply = await answerTo(question).then(
      (result) => ({ result }),
      (error: Error) => ({ error: { code: 3, message: `execution reverted: ${error.message}` } }),
    );
    response.end(JSON.stringify({ jsonrpc: '2.0', id: question.id, ...reply }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function answerTo({ method, params }: Question): Promise<Hex> {
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
    if (method === 'eth_getCode') return deployed.has(String(params[0])) ? '0x60fe' : '0x';
    const { to, data } = params[0] as { to?: string; data: Hex };
    if (to === undefined) return validated(data);
    const { args } = decodeFunctionData({ abi: IS_VALID_SIGNATURE, data });
    return isValid(to, { hash: args[0], signature: args[1] }, data);
  }

  async function isValid(
    to: string,
    { hash, signature }: { hash: Hex; signature: Hex },
    data: Hex,
  ): Promise<Hex> {
    const contract = deployed.get(to);
    if (contract?.kind === 'echo') return data;
    if (contract?.kind !== 'wallet') return '0x';
    if ((await recoverAddress({ hash, signature })) !== contract.owner) throw new Error('not my owner');
    return MAGIC;
  }

  async function validated(data: Hex): Promise<Hex> {
    const code = erc6492SignatureValidatorByteCode;
    if (!data.startsWith(code)) throw new Error('unknown code');
    const [wallet, hash, signature] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }],
      `0x${data.slice(code.length)}`,
    );
    if (!isErc6492Signature(signature)) throw new Error('not wrapped');
    const { address, data: factoryData, signature: inner } = parseErc6492Signature(signature);
    const isMade =
      address?.toLowerCase() === FACTORY &&
      factoryData &&
      addressMadeBy(factoryData) === wallet.toLowerCase();
    if (!isMade) throw new Error('the factory makes no such wallet');
    const owner = await recoverAddress({ hash, signature: inner });
    return owner.toLowerCase() === factoryData.toLowerCase() ? '0x01' : '0x00';
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    chainId,
    asked,
    get mood() {
      return chain.mood;
    },
    set mood(mood) {
      chain.mood = mood;
    },
    deploy(owner, kind = 'wallet') {
      const wallet = addressMadeBy(concat([owner, keccak256(owner)]));
      deployed.set(wallet, { owner, kind });
      return wallet;
    },
    plan: (owner) => ({ wallet: addressMadeBy(owner), factory: FACTORY, factoryData: owner }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Deterministic, like CREATE2. */
const addressMadeBy = (data: Hex): string =>
  slice(keccak256(concat([FACTORY, data.toLowerCase() as Hex])), 12);

function misbehave(mood: Exclude<Mood, 'well'>, response: ServerResponse): void {
  if (mood === 'silent') return;
  if (mood === 'refusing') response.destroy();
  else if (mood === 'not json') response.end('<html>bad gateway</html>');
  else if (mood === 'elsewhere') response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  else if (mood === 'endless') response.end(`"${'a'.repeat(1_000_000)}"`);
  else
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'limit exceeded' } }),
    );
}
