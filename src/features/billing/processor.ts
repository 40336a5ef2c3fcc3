import type { PaymentSimulator } from './simulated/payment_simulator.ts';

/**
 * Card processor. The service stores purchases; a processor reports what a card has paid. Every method is idempotent: the same
 * idempotency key is the same purchase. Amounts in cents.
 */
export interface Processor {
  readonly name: 'stripe' | 'simulated';
  /** False: no money moves. */
  readonly livemode: boolean;
  /** Key for the card form of the processor in a browser; absent without a form. */
  readonly publishableKey?: string | undefined;

  /** Simulator of cards, for a simulated processor. */
  readonly desk?: PaymentSimulator | undefined;

  /** Creates an intent for a card to confirm. The money is only authorised until `capture`. */
  createIntent(request: IntentRequest): Promise<CreatedIntent>;
  findIntent(id: string): Promise<CardIntent | undefined>;
  /** Creates an intent and confirms it with a granted payment token. Absent: tokens are not supported. */
  confirmWithToken?(request: IntentRequest & { readonly token: string }): Promise<TokenOutcome>;
  /** The intent of a challenge, if any. */
  findByChallenge?(challenge: string): Promise<string | undefined>;
  /** Captures the authorised money. Succeeds if it is captured already. */
  capture(id: string, idempotencyKey: string): Promise<CaptureOutcome>;
  /** Cancels an intent, or refunds a captured one. Idempotent. */
  abandon(id: string): Promise<void>;

  /** Creates a page for an immediate payment. */
  createCheckout(request: CheckoutRequest): Promise<CreatedCheckout>;
  findCheckout(id: string): Promise<CardCheckout | undefined>;

  /** Deletes unpaid payments of the simulated processor. Absent for a real processor. */
  forget?(before: Date): Promise<number>;

  /**
   * The object of a signed event; its state is fetched afterwards, so the order of events does not matter. @throws AtelierError
   * invalid_event: forged, stale, of another mode; payments_not_configured: not supported
   */
  readEvent(body: Uint8Array, signature: string | undefined): CardEvent;
}

export interface IntentRequest {
  readonly amountCents: number;
  readonly currency: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly idempotencyKey: string;
}

export interface CreatedIntent {
  readonly id: string;
  readonly clientSecret: string;
  readonly status: string;
}

/** `refused`: the token was declined, with the message of the processor. */
export type TokenOutcome =
  | { readonly outcome: 'made'; readonly id: string; readonly isAuthorized: boolean; readonly status: string }
  | { readonly outcome: 'refused'; readonly reason: string };

export interface CardIntent {
  readonly id: string;
  /** Whether the card has authorised or paid the amount. */
  readonly isAuthorized: boolean;
  readonly isCaptured: boolean;
  readonly isCanceled: boolean;
  /** Status of the processor. */
  readonly status: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly livemode: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** Refunded, or withdrawn by an open or lost dispute. */
  readonly reversedCents: number;
}

/** unknown: the response was lost, so the money may have been captured. */
export type CaptureOutcome =
  | { readonly outcome: 'captured' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly cause: unknown };

export interface CheckoutRequest {
  readonly amountCents: number;
  readonly currency: string;
  readonly title: string;
  readonly wallet: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** `{CHECKOUT_SESSION_ID}` in it is replaced. */
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly expiresAt: Date;
  readonly idempotencyKey: string;
}

export interface CreatedCheckout {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

export interface CardCheckout {
  readonly id: string;
  readonly isPaid: boolean;
  /** Whether it can no longer be paid. */
  readonly isExpired: boolean;
  readonly amountCents: number;
  readonly currency: string;
  readonly livemode: boolean;
  /** Its intent, once created. */
  readonly intent?: string | undefined;
}

export interface CardEvent {
  readonly id: string;
  readonly type: string;
  readonly checkout?: string | undefined;
  readonly intent?: string | undefined;
}
