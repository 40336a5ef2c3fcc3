import type { X402Offers } from './x402_names.ts';

/** Payment methods of this server besides credits. */
export interface PaymentWays {
  /** Absent: no card payments. */
  readonly takesCards?: boolean;
  /** Accepts payment tokens for challenges of the Payment scheme (MPP). */
  readonly takesTokens?: boolean;
  /** Absent: no payments by x402. */
  readonly x402?: X402Offers;
  /** Extensions of x402 in the 402 of each paid tool, by their names. */
  readonly x402Extensions?: readonly string[];
}
