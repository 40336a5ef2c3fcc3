import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { TRANSFER_TYPES } from './transfer_with_authorization.ts';

/** Base Sepolia, as in the settings of the tests. */
export const NETWORK = 'eip155:84532';
export const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

export const X402_SETTINGS = (facilitatorUrl: string): Record<string, string> => ({
  X402_PAY_TO: PAY_TO,
  X402_FACILITATOR_URL: facilitatorUrl,
  X402_NETWORKS: NETWORK,
});

export type Authorization = Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>;

/** A client that pays by x402. Signs with viem, independently of the code under test. */
export function newPayer() {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address.toLowerCase();

  /** Signs the given values, valid or not. */
  async function signed(
    more: Partial<Authorization> & { asset?: string; name?: string; chainId?: number } = {},
  ) {
    const { asset = USDC, name = 'USDC', chainId = 84_532, ...fields } = more;
    const nowS = Math.floor(Date.now() / 1000);
    const authorization: Authorization = {
      from: account.address,
      to: PAY_TO,
      value: '100000',
      validAfter: String(nowS - 60),
      validBefore: String(nowS + 300),
      nonce: `0x${randomBytes(32).toString('hex')}`,
      ...fields,
    };
    const signature = await account.signTypedData({
      domain: { name, version: '2', chainId, verifyingContract: asset as Hex },
      types: TRANSFER_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: {
        from: authorization.from as Hex,
        to: authorization.to as Hex,
        value: BigInt(authorization.value),
        validAfter: BigInt(authorization.validAfter),
        validBefore: BigInt(authorization.validBefore),
        nonce: authorization.nonce as Hex,
      },
    });
    return { signature, authorization };
  }

  const accepted = (more: object = {}) => ({
    scheme: 'exact',
    network: NETWORK,
    amount: '100000',
    asset: USDC,
    payTo: PAY_TO,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2' },
    ...more,
  });

  return {
    wallet,
    account,
    signed,
    /** A payment of version 2; `required` are the requirements that it claims to fulfil. */
    async pay(more: Parameters<typeof signed>[0] = {}, required: object = {}) {
      return { x402Version: 2, accepted: accepted(required), payload: await signed(more) };
    },
    async payV1(more: Parameters<typeof signed>[0] = {}, network = 'base-sepolia') {
      return { x402Version: 1, scheme: 'exact', network, payload: await signed(more) };
    },
  };
}

export const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
// biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
export const decoded = (text: string | null): any =>
  text === null ? undefined : JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
export const v2 = (payment: object): Record<string, string> => ({ 'PAYMENT-SIGNATURE': encoded(payment) });
export const v1 = (payment: object): Record<string, string> => ({ 'X-PAYMENT': encoded(payment) });
