/** Headers of the x402 HTTP transport, by version. Version 1 has its payment requirements in the body. */
export const X402_HEADERS = {
  demand: 'PAYMENT-REQUIRED',
  payment: { 2: 'PAYMENT-SIGNATURE', 1: 'X-PAYMENT' },
  signIn: 'SIGN-IN-WITH-X',
  settlement: { 2: 'PAYMENT-RESPONSE', 1: 'X-PAYMENT-RESPONSE' },
} as const;

/** Keys of `_meta` in the x402 MCP transport: the payment in the request, the settlement in the result. */
export const X402_META = { payment: 'x402/payment', settlement: 'x402/payment-response' } as const;

/** A payment option by x402, as documents show it. */
export interface X402Offer {
  /** CAIP-2. */
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** In the token's smallest unit. */
  readonly amount: string;
  /** Absent: only "exact". */
  readonly schemes?: readonly string[];
}

/** Converts a price in credits to x402 offers on every accepted network. */
export type X402Offers = (credits: number) => readonly X402Offer[];
