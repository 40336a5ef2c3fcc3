import type { KeptAnswer } from '../../../core/idempotency/types.ts';
import type { SignedReceipt } from '../receipts/types.ts';
import type { Authorization } from './authorization_digest.ts';
import type { Token } from './networks.ts';

/**
 * Payments by x402: a signed EIP-3009 authorization that a facilitator checks and puts on its chain. A payment is claimed,
 * the call runs, then the payment is settled; it pays for at most one call, ever. Rows and books: `database/schema/x402.sql`.
 */
export interface X402 {
  /** What a purchase can be paid with, in both versions of the protocol. */
  demand(purchase: Purchase): { readonly v2: Requirement[]; readonly v1: RequirementV1[] };
  /** A price on every network, in the words of version 2. @param credits whole credits */
  offers(credits: number): Requirement[];
  /**
   * Reads and checks everything that needs neither the price nor the network.
   * @param sent base64 of JSON, or the object itself
   * @throws AtelierError payment_malformed, payment_refused
   */
  read(sent: unknown): X402Payment;
  /**
   * Claims the payment for one call and has the facilitator verify it.
   * @throws AtelierError payment_refused, payment_used, payment_in_use, payment_unconfirmed, payment_check_failed
   */
  take(payment: X402Payment, purchase: X402Purchase): Promise<TakenPayment>;
  /**
   * Has the facilitator move the money; once it has, books it, keeps the answer and the receipt, all or nothing.
   * @throws AtelierError payment_not_settled, payment_check_failed (nothing moved), payment_unconfirmed (nobody knows)
   */
  settle(taken: TakenPayment, answer: KeptAnswer | undefined, receipt?: SignedReceipt): Promise<void>;
  /** Gives the claim back after a failed call, so that the payment can pay for another; harmless once it is settling. */
  release(taken: TakenPayment): Promise<void>;
  /** What settling answered, by the id of the transfer it was booked as; undefined for any other transfer. */
  receipt(transferId: string): Promise<X402Receipt | undefined>;
  /** Gives back the claims of calls that died, and lets `sweep` look at every settlement without an outcome at once. Only right after start-up of the one process that owns the database. */
  recover(): Promise<void>;
  /** Gives back the claims of calls whose ids begin so, because their server has died; returns how many. */
  releaseCalls(calls: string): Promise<number>;
  /** Asks again about settlements without an outcome, gives back the claims of calls that died, and forgets payments that can never be settled. */
  sweep(now: Date): Promise<number>;
}

export interface X402Payment {
  /** The same for every copy of one authorization. */
  readonly id: string;
  readonly version: 1 | 2;
  readonly token: Token;
  /** Lower case. */
  readonly payer: string;
  /** The signature is of the payer's own key; false for contract wallets, which only the facilitator can judge. */
  readonly isPayerProved: boolean;
  readonly authorization: Authorization;
  readonly signature: string;
  /** Version 2: the requirement the payer says it fulfils. */
  readonly accepted?: { readonly amount: string };
}

export interface X402Purchase extends Purchase {
  readonly tool: string;
}

/** A payment that one call has to itself. */
export interface TakenPayment {
  readonly id: string;
  /** Names the call among all that ever tried this payment, and its hold in the ledger. */
  readonly claim: string;
  /** The transfer it will be booked as. */
  readonly transferId: string;
  /** In the token's smallest unit. */
  readonly amount: string;
  /** Millicredits that come back to the payer once it is settled; 0 where the payer has no wallet here. */
  readonly creditBack: number;
}

/** SettlementResponse of the protocol, and the version the payer speaks. */
export interface X402Receipt {
  readonly version: 1 | 2;
  readonly settlement: {
    readonly success: true;
    /** Empty when the outcome was found out later, from the authorization being used up. */
    readonly transaction: string;
    readonly network: string;
    readonly payer: string;
  };
}

/** What /verify and /settle are sent: the payment in the payer's version, and what we ask for in the same. */
export interface FacilitatorRequest {
  readonly x402Version: 1 | 2;
  readonly paymentPayload: Record<string, unknown>;
  readonly paymentRequirements: Requirement | RequirementV1;
}

/** The outside party that knows the chain. Neither method throws; what cannot be understood is an outcome too. */
export interface Facilitator {
  /** `unavailable`: it could not be asked, or did not answer in a way that can be understood. */
  verify(
    request: FacilitatorRequest,
  ): Promise<
    | { outcome: 'valid'; payer?: string }
    | { outcome: 'invalid'; reason: string }
    | { outcome: 'unavailable'; reason: string }
  >;
  /**
   * `refused`: it says that nothing was moved. `not_sent`: the request never reached it. `unknown`: the money may have
   * moved or not.
   */
  settle(
    request: FacilitatorRequest,
  ): Promise<
    | { outcome: 'settled'; transaction: string }
    | { outcome: 'refused' | 'not_sent' | 'unknown'; reason: string }
  >;
}

/** What one purchase is, beside its price. */
export interface Purchase {
  /** Whole credits. */
  readonly credits: number;
  /** Address of what is bought. */
  readonly resource: string;
  /** For whoever decides whether to pay. */
  readonly description: string;
}

/** Version 2: one entry of `accepts`. */
export interface Requirement {
  readonly scheme: 'exact';
  readonly network: string;
  /** In the token's smallest unit. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
}

/** Version 1: one entry of `accepts`. */
export interface RequirementV1 extends Omit<Requirement, 'amount'> {
  readonly maxAmountRequired: string;
  readonly resource: string;
  readonly description: string;
  readonly mimeType: string;
}
