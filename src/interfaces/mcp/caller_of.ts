import { MPP_META } from '../../catalog/mpp_names.ts';
import { X402_META } from '../../catalog/x402_names.ts';
import { authorizationIn, x402PaymentIn } from '../../pipeline/authenticate.ts';
import type { Client } from '../../pipeline/types.ts';
import type { Exchange } from './exchange.ts';
import { APPROVAL_KEY, IDEMPOTENCY_KEY, PAYER_KEY, PAYMENT_INTENT_KEY } from './meta_keys.ts';

/** Headers first, for they are set by whoever runs the client; `_meta` is for clients that cannot set headers. */
export const callerOf = (
  { headers, peer }: Exchange,
  signal: AbortSignal,
  meta: Record<string, unknown> = {},
): Client => {
  const { bearer, mppCredential } = authorizationIn(headers);
  return {
    requestId: peer.requestId,
    address: peer.address,
    isModel: true,
    ...(peer.signed && { signed: peer.signed }),
    bearer: bearer ?? textOf(meta[PAYER_KEY]),
    mppCredential: mppCredential ?? meta[MPP_META.credential],
    paymentIntent: headers.get('x-payment-intent')?.trim() || textOf(meta[PAYMENT_INTENT_KEY]),
    approval: headers.get('x-approval')?.trim() || textOf(meta[APPROVAL_KEY]),
    x402Payment: x402PaymentIn(headers) ?? meta[X402_META.payment],
    idempotencyKey: headers.get('idempotency-key') ?? textOf(meta[IDEMPOTENCY_KEY]),
    signal,
  };
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
