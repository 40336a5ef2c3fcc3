import { CREDIT_USD } from '../../../config/limits.ts';
import { CAPTURE_LIFETIME_S, captureExtra } from './auth_capture.ts';
import type { Token } from './networks.ts';
import type { CaptureSettings, X402Settings } from './settings.ts';
import type { FacilitatorRequest, Purchase, Requirement, RequirementV1, X402Payment } from './types.ts';

// Payments by x402.
/** Requested lifetime of an authorization: longer than the longest run and its settlement. */
export const X402_PAYMENT_LIFETIME_S = 300;
/** An authorization that ends sooner cannot be settled in time. */
export const X402_SECONDS_LEFT_MIN = 6;
/** Maximum lifetime: payment rows are stored until their authorization has ended. */
export const X402_SECONDS_AHEAD_MAX = 7 * 86_400;
/** Maximum size of a payment as JSON; contract wallets send long signatures. */
export const X402_PAYMENT_BYTES_MAX = 16 * 1024;
export const X402_SIGNATURE_CHARACTERS_MAX = 8 * 1024;
export const X402_VERIFY_TIMEOUT_MS = 10_000;
/** Settlement waits for a block. */
export const X402_SETTLE_TIMEOUT_MS = 30_000;
export const FACILITATOR_ANSWER_BYTES_MAX = 64 * 1024;
/** After this, an unknown outcome is left to the operator. */
export const X402_RESOLVE_FOR_MS = 24 * 3_600_000;
const X402_RESOLVE_PAUSE_MS_MAX = 5 * 60_000;
export const X402_RESOLVED_PER_SWEEP = 20;
/** Retention of an unsettled payment after it can no longer be settled. */
export const X402_FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** Scheme "exact": payment requirements of this purchase with this token, in version 2. */
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

/** The same by auth-capture. @param captureDeadline Unix seconds */
export const captureRequirementOf = (
  settings: X402Settings & { readonly captures: CaptureSettings },
  token: Token,
  { credits, captureDeadline }: { readonly credits: number; readonly captureDeadline: number },
): Requirement => ({
  ...requirementOf(settings, token, credits),
  scheme: 'auth-capture',
  extra: captureExtra(settings.captures, token, captureDeadline),
});

/** Requirements of all accepted schemes. "exact" is first: clients use the first scheme they know, and it needs one transaction less. */
export const requirementsOf = (settings: X402Settings, credits: number, now: Date): Requirement[] => {
  const { tokens, captures } = settings;
  const captureDeadline = Math.floor(now.getTime() / 1000) + CAPTURE_LIFETIME_S;
  return [
    ...tokens.map((token) => requirementOf(settings, token, credits)),
    ...(captures
      ? tokens.map((token) =>
          captureRequirementOf({ ...settings, captures }, token, { credits, captureDeadline }),
        )
      : []),
  ];
};

/** The same in version 1; undefined on a network without a name there. */
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

/** Whole credits in the smallest unit of a dollar token: 1 credit is "100000" with 6 decimals. Exact. */
function atomicAmount(credits: number, decimals: number): string {
  const cents = BigInt(Math.round(CREDIT_USD * 100)) * BigInt(credits);
  return ((cents * 10n ** BigInt(decimals)) / 100n).toString();
}

/**
 * The payment for a facilitator, in the payer's version. Contains only validated fields, and our requirements instead of the
 * payer's copy.
 */
export function facilitatorRequest(
  settings: X402Settings,
  payment: X402Payment,
  purchase: Purchase,
): FacilitatorRequest {
  const { version, token, signature, authorization, held } = payment;
  const payload = {
    signature,
    authorization,
    ...(held && { salt: held.salt, saltNonce: held.saltNonce }),
  };
  const required = requiredOf(settings, payment, purchase.credits);
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

/** The requirement that applies to a payment, by its scheme. */
export function requiredOf(
  settings: X402Settings,
  { token, held }: X402Payment,
  credits: number,
): Requirement {
  const { captures } = settings;
  if (!held || !captures) return requirementOf(settings, token, credits);
  const { captureDeadline } = held;
  return captureRequirementOf({ ...settings, captures }, token, { credits, captureDeadline });
}

/** Time of the next check. The pause grows with every attempt. */
export const askAgainAt = (now: Date, attempts: number): Date =>
  new Date(now.getTime() + Math.min(250 * 2 ** attempts, X402_RESOLVE_PAUSE_MS_MAX));
