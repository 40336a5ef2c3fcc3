import { keccak_256 } from '@noble/hashes/sha3.js';
import { type Authorization, typedDigest, typeHash, words } from './authorization_digest.ts';
import type { Token } from './networks.ts';
import type { CaptureSettings } from './settings.ts';
import type { CaptureExtra, FacilitatorRequest, HeldInEscrow } from './types.ts';

/**
 * Scheme auth-capture on EVM chains, v1.1: the price is held in an escrow before the call, captured after its success and released
 * otherwise. The facilitator is the operator of the escrow ("delegated"); this server signs its actions after the hold.
 * Addresses: package @x402/evm 2.27.0 of the protocol. Encodings: its specification.
 */
export const ESCROW = '0xf96815976523E00e65Be8f34cA5e64b4f41EB19c';
/** Contract that collects a hold from the payer: the recipient of the signed authorization. */
export const COLLECTOR = '0x8612dfdc421f80336cd14E8EF9cb1E765dB5ab88';
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Time after the offer for the capture of a hold, which the payer can reclaim afterwards. Calls and settlements take less. */
export const CAPTURE_LIFETIME_S = 3600;
/** Further time in which the operator could refund a captured payment. */
const REFUND_LIFETIME_S = 7 * 86_400;

/** Terms of an offer of this scheme besides price and token. @param captureDeadline Unix seconds */
export const captureExtra = (
  { operator, authorizer }: CaptureSettings,
  { name, version }: Token,
  captureDeadline: number,
): CaptureExtra => ({
  name,
  version,
  authCaptureEscrow: ESCROW,
  captureAuthorizer: operator,
  operatorType: 'delegated',
  receiverAuthorizer: authorizer.address,
  paymentFlow: 'escrow',
  captureDeadline,
  refundDeadline: captureDeadline + REFUND_LIFETIME_S,
  feeRecipient: ZERO_ADDRESS,
  minFeeBps: 0,
  maxFeeBps: 0,
  assetTransferMethod: 'eip3009',
});

/** The struct of a payment in the escrow contract. */
interface PaymentInfo {
  readonly operator: string;
  readonly payer: string;
  readonly receiver: string;
  readonly token: string;
  readonly maxAmount: string;
  readonly preApprovalExpiry: number;
  readonly authorizationExpiry: number;
  readonly refundExpiry: number;
  readonly minFeeBps: number;
  readonly maxFeeBps: number;
  readonly feeReceiver: string;
  readonly salt: string;
}

/** Inputs of the struct besides the authorization of the payer. */
interface Terms {
  readonly payTo: string;
  readonly asset: string;
  readonly extra: CaptureExtra;
}

const infoOf = ({ payTo, asset, extra }: Terms, from: Authorization, salt: string): PaymentInfo => ({
  operator: extra.captureAuthorizer,
  payer: from.from,
  receiver: payTo,
  token: asset,
  maxAmount: from.value,
  preApprovalExpiry: Number(from.validBefore),
  authorizationExpiry: extra.captureDeadline,
  refundExpiry: extra.refundDeadline,
  minFeeBps: extra.minFeeBps,
  maxFeeBps: extra.maxFeeBps,
  feeReceiver: extra.feeRecipient,
  salt,
});

/**
 * Why an authorization does not match the terms of a hold; undefined where it does. Its nonce commits to every term, and its salt to
 * the signer of later actions.
 */
export function mismatchOf(
  terms: Terms,
  { network }: Token,
  authorization: Authorization,
  { salt, saltNonce }: HeldInEscrow,
): string | undefined {
  const bound = keccak_256(
    Buffer.concat([SALT_TYPE, words(terms.extra.receiverAuthorizer, ZERO_ADDRESS, saltNonce)]),
  );
  if (BigInt(salt) !== BigInt(hex(bound))) {
    return `Its salt does not commit to ${terms.extra.receiverAuthorizer}, the requested receiverAuthorizer.`;
  }
  const info = { ...infoOf(terms, authorization, salt), payer: ZERO_ADDRESS };
  const nonce = hashOf(network, info);
  return BigInt(authorization.nonce) === BigInt(hex(nonce))
    ? undefined
    : 'Its nonce does not match the payment requirements: it covers amount, token, recipient, deadlines, fees and operator.';
}

/** Hash of a payment in the escrow; without the payer, it is the hash that the payer signs. */
function hashOf(network: string, info: PaymentInfo): Uint8Array {
  const fields = Object.values(info).map(String);
  const inner = keccak_256(Buffer.concat([INFO_TYPE, words(...fields)]));
  return keccak_256(Buffer.concat([words(chainOf(network), ESCROW), inner]));
}

/** Id of a payment in the escrow. */
export function escrowIdOf(request: FacilitatorRequest): string {
  return hex(hashOf(request.paymentRequirements.network, heldOf(request).info));
}

/** Action on a hold requested from the facilitator. This server signs each one for a single use. */
export type Lifecycle = 'capture' | 'void';

/** The request for such an action. @param request the request that placed the hold */
export function lifecycleRequest(
  request: FacilitatorRequest,
  type: Lifecycle,
  { operator, authorizer }: CaptureSettings,
): FacilitatorRequest {
  const { requirements, info, saltNonce } = heldOf(request);
  const amount = info.maxAmount;
  const parts = type === 'capture' ? [amount, '0', ZERO_ADDRESS, amount, '0'] : [];
  const digest = typedDigest(
    { name: 'x402 Auth Capture Operator', version: '1', network: requirements.network, contract: operator },
    CONSENTS[type],
    [hex(hashOf(requirements.network, info)), ...parts],
  );
  const captured = {
    amount,
    feeAmount: '0',
    feeReceiver: ZERO_ADDRESS,
    expectedCapturableAmount: amount,
    expectedRefundableAmount: '0',
  };
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      accepted: requirements,
      payload: {
        type,
        paymentInfo: info,
        saltNonce,
        ...(type === 'capture' && captured),
        authorizerSignature: authorizer.sign(digest),
      },
    },
    paymentRequirements: requirements,
  };
}

function heldOf({ paymentRequirements, paymentPayload }: FacilitatorRequest) {
  const requirements = paymentRequirements as FacilitatorRequest['paymentRequirements'] & Terms;
  const { authorization, salt, saltNonce } = paymentPayload.payload as HeldInEscrow & {
    authorization: Authorization;
  };
  return { requirements, info: infoOf(requirements, authorization, salt), saltNonce };
}

const chainOf = (network: string): string => network.slice('eip155:'.length);
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const SALT_TYPE = typeHash(
  'x402AuthCaptureSaltBinding(address receiverAuthorizer,address policy,uint256 saltNonce)',
);
const INFO_TYPE = typeHash(
  'PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)',
);
const CONSENTS = {
  capture: typeHash(
    'Capture(bytes32 paymentInfoHash,uint256 amount,uint256 feeAmount,address feeReceiver,uint256 expectedCapturableAmount,uint256 expectedRefundableAmount)',
  ),
  void: typeHash('Void(bytes32 paymentInfoHash)'),
};
