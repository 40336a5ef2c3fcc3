import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import type { Authorization } from './authorization_digest.ts';
import { X402_PAYMENT_BYTES_MAX, X402_SIGNATURE_CHARACTERS_MAX } from './limits.ts';

/** A payment as it was sent, read and in one shape; not checked yet. */
export interface SentPayment {
  readonly version: 1 | 2;
  readonly scheme: string;
  /** CAIP-2 in version 2, a name in version 1. */
  readonly network: string;
  /** Version 2: the requirement the payer says it fulfils. */
  readonly accepted?: { readonly amount: string; readonly asset: string; readonly payTo: string };
  readonly signature: string;
  readonly authorization: Authorization;
}

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits');
// 2^256 has 78 digits.
const uint256 = z.string().regex(/^(0|[1-9]\d{0,77})$/, 'must be a whole number as a decimal string');
const payload = z.object({
  signature: z
    .string()
    .max(X402_SIGNATURE_CHARACTERS_MAX)
    .regex(/^0x([0-9a-fA-F]{2}){65,}$/, 'must be at least 65 bytes in hex'),
  authorization: z.object({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex'),
  }),
});
const name = z.string().max(100);
const payment = z.discriminatedUnion('x402Version', [
  z.object({ x402Version: z.literal(1), scheme: name, network: name, payload }),
  z.object({
    x402Version: z.literal(2),
    accepted: z.object({ scheme: name, network: name, amount: uint256, asset: address, payTo: address }),
    payload,
  }),
]);

/**
 * @param sent base64 of JSON, as a header carries it, or the object itself, as MCP does
 * @throws AtelierError payment_malformed
 */
export function readPayment(sent: unknown): SentPayment {
  const json = typeof sent === 'string' ? decodePayment(sent) : sent;
  const { data, error } = payment.safeParse(json);
  if (error) {
    const issue = error.issues[0]!;
    throw malformedPayment(`${issue.path.join('.') || 'It'}: ${issue.message}.`);
  }
  const { signature, authorization } = data.payload;
  if (data.x402Version === 1) {
    return { version: 1, scheme: data.scheme, network: data.network, signature, authorization };
  }
  const { scheme, network, ...accepted } = data.accepted;
  return { version: 2, scheme, network, accepted, signature, authorization };
}

function decodePayment(text: string): unknown {
  if (text.length > (X402_PAYMENT_BYTES_MAX * 4) / 3) {
    throw malformedPayment(`It has more than ${X402_PAYMENT_BYTES_MAX} bytes.`);
  }
  // Both alphabets, with or without padding: clients differ.
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw malformedPayment('It is not base64.');
  try {
    return parseBoundedJson(Buffer.from(text, 'base64'));
  } catch {
    throw malformedPayment('Its base64 does not hold JSON.');
  }
}

const malformedPayment = (why: string): AtelierError =>
  new AtelierError(
    'payment_malformed',
    `The x402 payment cannot be read. ${why} Send base64 of a PaymentPayload of scheme "exact" by EIP-3009: {x402Version, accepted (version 2) or scheme and network (version 1), payload: {signature, authorization}}.`,
  );

/**
 * What an authorization is, whichever envelope or signature brings it: a contract takes a nonce of a payer once. Naming it
 * by its bytes would let the same money in twice, for JSON can be written in many ways.
 */
export function paymentId(network: string, asset: string, { from, nonce }: Authorization): string {
  const text = [network, asset, from, nonce].join('|').toLowerCase();
  return createHash('sha256').update(text).digest('hex');
}
