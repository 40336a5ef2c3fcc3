import type { X402Offers } from './x402_names.ts';

/** The ways to pay a call that this server takes beside credits. */
export interface PaymentWays {
  /** Absent means this server takes no cards. */
  readonly takesCards?: boolean;
  /** It charges payment tokens, which answer a challenge of the Payment scheme (MPP). */
  readonly takesTokens?: boolean;
  /** Absent means this server takes no payments by x402. */
  readonly x402?: X402Offers;
}
