import type { StoredResponse } from '../../../core/idempotency/types.ts';
import type { SignedReceipt } from '../receipts/types.ts';
import type { Authorization } from './authorization_digest.ts';
import type { Token } from './networks.ts';

/**
 * Payments by x402: a signed EIP-3009 authorization that a facilitator verifies and submits to its chain. A payment is claimed (and
 * with the scheme auth-capture held in escrow), the call runs, then the payment is settled, or the hold released. A payment pays
 * for at most one call. Rows and bookkeeping: `x402.sql`.
 */
export interface X402 {
  /** Signed offers and receipts; absent where the public address of the server is not configured. */
  readonly offerReceipts?: OfferReceipts | undefined;
  /** Payment requirements of a purchase, in both versions of the protocol. */
  demand(purchase: Purchase): { readonly v2: Requirement[]; readonly v1: RequirementV1[] };
  /** Price and schemes on every network, for documents, so without deadlines. @param credits whole credits */
  offers(credits: number): (Requirement & { readonly schemes: readonly Requirement['scheme'][] })[];
  /**
   * Parses a payment and checks everything that depends on neither price nor network.
   * @param sent base64 of JSON, or the object itself
   * @throws AtelierError payment_malformed, payment_refused
   */
  read(sent: unknown): X402Payment;
  /**
   * Claims the payment for one call and has the facilitator verify it.
   * With auth-capture, the hold is on the chain when this resolves.
   * @throws AtelierError payment_refused, payment_used, payment_in_use, payment_unconfirmed, payment_check_failed
   */
  take(payment: X402Payment, purchase: X402Purchase): Promise<TakenPayment>;
  /**
   * Has the facilitator settle the payment, then books it and stores response and receipt, all or nothing.
   * @throws AtelierError payment_not_settled, payment_check_failed (nothing moved), payment_unconfirmed (outcome unknown)
   */
  settle(taken: TakenPayment, answer: StoredResponse | undefined, receipt?: SignedReceipt): Promise<void>;
  /**
   * Releases the claim after a failed call, so that the payment can pay for another; a hold is released instead. Does nothing once
   * the settlement has begun.
   */
  release(taken: TakenPayment): Promise<void>;
  /** Settlement response by the id of its ledger transfer; undefined for any other transfer. */
  receipt(transferId: string): Promise<X402Receipt | undefined>;
  /**
   * Releases the claims of dead calls, and schedules a check of every settlement with an unknown outcome. Only right after the
   * start of the one process that owns the database.
   */
  recover(): Promise<void>;
  /** Ids of calls with this prefix that have claimed a payment. */
  openCalls(prefix: string): Promise<string[]>;
  /** Releases the abandoned claims of calls with this id or prefix; returns their number. */
  releaseCalls(calls: string): Promise<number>;
  /**
   * Checks settlements with an unknown outcome, releases the claims of dead calls, and deletes payments that can never be settled.
   */
  sweep(now: Date): Promise<number>;
}

/** Additional fields of an authorization of the scheme auth-capture. */
export interface HeldInEscrow {
  /** 32 bytes in hex. */
  readonly salt: string;
  readonly saltNonce: string;
}

export interface X402Payment {
  /** Equal for all copies of one authorization. */
  readonly id: string;
  readonly version: 1 | 2;
  readonly token: Token;
  /** Lower case. */
  readonly payer: string;
  /** The signature was verified against the payer's key; false for contract wallets, which only the facilitator can verify. */
  readonly isPayerProved: boolean;
  readonly authorization: Authorization;
  readonly signature: string;
  /** Version 2: the requirement that the payer claims to fulfil. */
  readonly accepted?: { readonly amount: string };
  /** Scheme auth-capture; absent for "exact". `captureDeadline` is that of the offer, in Unix seconds. */
  readonly held?: HeldInEscrow & { readonly captureDeadline: number };
}

export interface X402Purchase extends Purchase {
  readonly tool: string;
}

/** A payment claimed by one call. */
export interface TakenPayment {
  readonly id: string;
  /** Unique id of this claim, and of its hold in the ledger. */
  readonly claim: string;
  /** Id of its future ledger transfer. */
  readonly transferId: string;
  /** Amount in the smallest unit of the token. */
  readonly amount: string;
  /** Credit-back to the payer in millicredits, after settlement; 0 for a payer without a wallet. */
  readonly creditBack: number;
}

/** SettlementResponse of the protocol, in the payer's version. */
export interface X402Receipt {
  readonly version: 1 | 2;
  readonly settlement: {
    readonly success: true;
    /** Empty when the outcome was derived later, from the used authorization. */
    readonly transaction: string;
    readonly network: string;
    readonly payer: string;
  };
}

/** Body of /verify and /settle: the payment and our requirements, in the payer's version. */
export interface FacilitatorRequest {
  readonly x402Version: 1 | 2;
  readonly paymentPayload: Record<string, unknown>;
  readonly paymentRequirements: Requirement | RequirementV1;
}

/** External service that settles on the chain. The methods do not throw: a malformed response is an outcome too. */
export interface Facilitator {
  /** `unavailable`: unreachable, or the response was malformed. */
  verify(
    request: FacilitatorRequest,
  ): Promise<
    | { outcome: 'valid'; payer?: string }
    | { outcome: 'invalid'; reason: string }
    | { outcome: 'unavailable'; reason: string }
  >;
  /** `refused`: reported that no money moved. `not_sent`: the request did not reach it. `unknown`: the money may have moved. */
  settle(
    request: FacilitatorRequest,
  ): Promise<
    | { outcome: 'settled'; transaction: string }
    | { outcome: 'refused' | 'not_sent' | 'unknown'; reason: string }
  >;
}

/** A purchase, apart from its price. */
export interface Purchase {
  /** Whole credits. */
  readonly credits: number;
  /** URL of the purchased resource. */
  readonly resource: string;
  /** Shown to the payer. */
  readonly description: string;
}

/** Version 2: one entry of `accepts`. */
export interface Requirement {
  readonly scheme: 'exact' | 'auth-capture';
  readonly network: string;
  /** In the token's smallest unit. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string } | CaptureExtra;
}

/** Terms of the scheme auth-capture. Deadlines in Unix seconds, fees in hundredths of a percent. */
export interface CaptureExtra {
  readonly name: string;
  readonly version: string;
  readonly authCaptureEscrow: string;
  readonly captureAuthorizer: string;
  readonly operatorType: 'delegated';
  readonly receiverAuthorizer: string;
  readonly paymentFlow: 'escrow';
  readonly captureDeadline: number;
  readonly refundDeadline: number;
  readonly feeRecipient: string;
  readonly minFeeBps: 0;
  readonly maxFeeBps: 0;
  readonly assetTransferMethod: 'eip3009';
}

/** The extension offer-and-receipt: signed terms, and a signed receipt of the payment, each by its name in `extensions`. */
export interface OfferReceipts {
  /** One signed offer for each entry of `accepts`, in their order. @param resource URL of the purchased resource */
  offers(resource: string, accepts: readonly Requirement[]): Extension<{ offers: SignedOffer[] }>;
  /** Equal arguments give equal receipts, so that repeated responses are equal. */
  receipt(paid: PaidResource): Extension<{ receipt: SignedArtifact }>;
}

type Extension<T> = Readonly<Record<string, { readonly info: T; readonly schema: object }>>;

export interface SignedArtifact {
  readonly format: 'jws';
  /** Compact JWS; its `kid` is a DID URL of this service. */
  readonly signature: string;
}

interface SignedOffer extends SignedArtifact {
  readonly acceptIndex: number;
}

export interface PaidResource {
  /** URL of the purchased resource. */
  readonly resource: string;
  /** CAIP-2. */
  readonly network: string;
  /** Lower case. */
  readonly payer: string;
  /** When the call was paid. */
  readonly at: Date;
}

/** Version 1: one entry of `accepts`. */
export interface RequirementV1 extends Omit<Requirement, 'amount'> {
  readonly maxAmountRequired: string;
  readonly resource: string;
  readonly description: string;
  readonly mimeType: string;
}
