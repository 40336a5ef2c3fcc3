import { CREDIT_USD } from '../../../config/limits.ts';
import { X402_PAYMENT_LIFETIME_S } from './limits.ts';
import type { Token } from './networks.ts';
import type { X402Settings } from './settings.ts';
import type { FacilitatorRequest, Purchase, Requirement, RequirementV1, X402Payment } from './types.ts';

/** How to pay for this purchase with this token, in the words of version 2. */
export function requirementOf({ payTo }: X402Settings, token: Token, credits: number): Requirement {
  const { network, asset, name, version } = token;
  return {
    scheme: 'exact',
    network,
    amount: atomicAmount(credits, token.decimals),
    asset,
    payTo,
    maxTimeoutSeconds: X402_PAYMENT_LIFETIME_S,
    extra: { name, version },
  };
}

/** The same in the words of version 1; undefined on a network that has no name there. */
export function requirementV1Of(
  settings: X402Settings,
  token: Token,
  { credits, resource, description }: Purchase,
): RequirementV1 | undefined {
  if (token.v1Network === undefined) return undefined;
  const { amount, ...rest } = requirementOf(settings, token, credits);
  return {
    ...rest,
    network: token.v1Network,
    maxAmountRequired: amount,
    resource,
    description,
    mimeType: MIME_TYPE,
  };
}

export const MIME_TYPE = 'application/json';

/** Whole credits in the smallest unit of a dollar token: 1 credit is "100000" with 6 decimals. Exact: no fraction of a cent. */
function atomicAmount(credits: number, decimals: number): string {
  const cents = BigInt(Math.round(CREDIT_USD * 100)) * BigInt(credits);
  return ((cents * 10n ** BigInt(decimals)) / 100n).toString();
}

/**
 * The payment as a facilitator wants it, in the payer's version. Only what was read and checked goes on, and what we ask
 * for instead of what the payer repeats of it.
 */
export function facilitatorRequest(
  settings: X402Settings,
  { version, token, signature, authorization }: X402Payment,
  purchase: Purchase,
): FacilitatorRequest {
  const payload = { signature, authorization };
  const required = requirementOf(settings, token, purchase.credits);
  if (version === 1) {
    const { scheme, network, ...requirement } = requirementV1Of(settings, token, purchase)!;
    return {
      x402Version: 1,
      paymentPayload: { x402Version: 1, scheme, network, payload },
      paymentRequirements: { scheme, network, ...requirement },
    };
  }
  const resource = { url: purchase.resource, description: purchase.description, mimeType: MIME_TYPE };
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, resource, accepted: required, payload },
    paymentRequirements: required,
  };
}
