import { type Token, tokenOf } from './networks.ts';

/** Accounts that act on holds of the scheme auth-capture. */
export interface CaptureSettings {
  /** The address from which the facilitator calls the escrow. */
  readonly operator: string;
  /** Account of this service, which signs actions on holds. */
  readonly authorizer: { readonly address: string; sign(digest: Uint8Array): string };
}

export interface X402Settings {
  /** Payee, as configured. */
  readonly payTo: string;
  /** Without a trailing slash. */
  readonly facilitatorUrl: string;
  /** One per network, in the configured order. */
  readonly tokens: readonly Token[];
  /** Absent: only the scheme "exact" is accepted. */
  readonly captures?: CaptureSettings;
}

/**
 * Undefined (off) unless both a payee and a facilitator are configured.
 * @throws Error for an incomplete configuration and unknown networks: a paid service that silently collects nothing would be
 * noticed too late
 */
export function x402Settings(settings: {
  payTo: string | undefined;
  facilitatorUrl: string | undefined;
  networks: readonly string[];
  captures?: CaptureSettings | undefined;
}): X402Settings | undefined {
  const { payTo, facilitatorUrl, networks, captures } = settings;
  if (payTo === undefined && facilitatorUrl === undefined) {
    if (captures) throw new Error('X402_CAPTURE_AUTHORIZER requires X402_PAY_TO and X402_FACILITATOR_URL.');
    return undefined;
  }
  if (payTo === undefined || facilitatorUrl === undefined) {
    throw new Error('Set both X402_PAY_TO and X402_FACILITATOR_URL, or neither.');
  }
  const { username, password } = new URL(facilitatorUrl);
  if (username || password) {
    throw new Error('X402_FACILITATOR_URL must not contain a user name or password.');
  }
  const tokens = networks.map(tokenOf);
  const distinct = new Set(tokens.map(({ network }) => network));
  if (distinct.size === 0) throw new Error('X402_NETWORKS is empty. Name at least one network.');
  if (distinct.size < tokens.length) {
    throw new Error('X402_NETWORKS: protocol version 1 supports only one token per network.');
  }
  return { payTo, facilitatorUrl: facilitatorUrl.replace(/\/+$/, ''), tokens, ...(captures && { captures }) };
}
