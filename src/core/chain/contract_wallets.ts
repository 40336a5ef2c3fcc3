import { createJsonRpc, type JsonRpc, Reverted, unexpectedAnswer } from './json_rpc.ts';
import type { ContractClaim, ContractWallets, Verdict } from './types.ts';

/**
 * Contract wallets of the one chain whose node is at `rpcUrl`.
 * Sources: ERC-1271 (isValidSignature), ERC-6492 (wallets that are not deployed yet, checked by running the validator that
 * the ERC gives, as the code of a deployment that is only simulated).
 */
export function createContractWallets(options: { rpcUrl: string; timeoutMs?: number }): ContractWallets {
  const rpc = createJsonRpc(options);
  // viem takes half a second to load, which must not fall into a call; whoever sets no node never loads it.
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
          `the signature is not one of the key of ${claim.wallet}, and contract wallets are checked here on chain ${served} only, not on ${claim.chainId}`,
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
  // Without code there is only the key, and a signature of the key was looked for before. Precompiled contracts have no
  // code either, and the one at 0x…04 would answer the magic value, because it repeats whatever it is asked.
  if (code === '0x')
    return no(
      `the signature is not one of ${claim.wallet}, and no contract is deployed there on chain ${claim.chainId}`,
    );
  const data = encoding.encodeFunctionData({
    abi: IS_VALID_SIGNATURE,
    args: [hexOf(claim.hash), signature],
  });
  const answer = await answerOrRevert(rpc, { to: claim.wallet, data });
  return answer === MAGIC ? { accepted: true } : refuseClaim(claim);
}

/** The wallet may not exist yet: the validator deploys it, asks it, and all of it is undone when the call ends. */
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
  no(`the contract at ${wallet} does not stand by this signature`);

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

/** ERC-1271: the selector of the question itself, padded. Compared whole, so that a contract that echoes does not pass. */
const MAGIC = `0x1626ba7e${'0'.repeat(56)}`;

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

const isHex = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value);

function numberOf(answer: unknown): number {
  const id = isHex(answer) && answer.length > 2 ? Number(answer) : 0;
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw unexpectedAnswer('eth_chainId');
}
