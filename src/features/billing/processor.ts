import type { SimulatedDesk } from './simulated/desk.ts';

/**
 * Who moves the money of cards. The service keeps what was bought; a processor only says what a card has paid. Every method
 * may be repeated: the same idempotency key is the same purchase. Amounts in cents.
 */
export interface Processor {
  readonly name: 'stripe' | 'simulated';
  /** False: no money moves. */
  readonly livemode: boolean;
  /** What a browser needs to show the processor's own card form; absent where there is none. */
  readonly publishableKey?: string | undefined;

  /** The world of cards beside a simulated processor. */
  readonly desk?: SimulatedDesk | undefined;

  /** An intent to pay that a card can confirm. The money is only set aside until `capture`. */
  createIntent(request: IntentRequest): Promise<CreatedIntent>;
  findIntent(id: string): Promise<CardIntent | undefined>;
  /** An intent that a granted payment token confirms at once. Absent: takes no such tokens. */
  confirmWithToken?(request: IntentRequest & { readonly token: string }): Promise<TokenOutcome>;
  /** The intent that was made for a challenge, where there is one. */
  findByChallenge?(challenge: string): Promise<string | undefined>;
  /** Takes the money that is set aside. Capturing what is captured is a success. */
  capture(id: string, idempotencyKey: string): Promise<CaptureOutcome>;
  /** Lets go of an intent; one that was captured is refunded. Harmless where nothing is left to let go of. */
  abandon(id: string): Promise<void>;

  /** A page where a person pays at once. */
  createCheckout(request: CheckoutRequest): Promise<CreatedCheckout>;
  findCheckout(id: string): Promise<CardCheckout | undefined>;

  /** Forgets what nobody ever paid; only where that is kept here. */
  forget?(before: Date): Promise<number>;

  /**
   * Which object a signed notice is about; what became of it is asked for afterwards, so the order of notices is of no
   * importance. @throws AtelierError invalid_event: forged, stale, of another mode; payments_not_configured: takes none
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

/** refused: the token pays nothing, in the processor's words. Not authorized: the money is not set aside, for the status it names. */
export type TokenOutcome =
  | { readonly outcome: 'made'; readonly id: string; readonly isAuthorized: boolean; readonly status: string }
  | { readonly outcome: 'refused'; readonly reason: string };

export interface CardIntent {
  readonly id: string;
  /** The card has set the money aside, or has paid it. Anything else cannot pay. */
  readonly isAuthorized: boolean;
  readonly isCaptured: boolean;
  readonly isCanceled: boolean;
  /** The processor's own word. */
  readonly status: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly livemode: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** Refunded, or withdrawn by a dispute that is open or lost. */
  readonly reversedCents: number;
}

/** unknown: the reply was lost, so the money may be taken or not. */
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
  /** It can no longer be paid. */
  readonly isExpired: boolean;
  readonly amountCents: number;
  readonly currency: string;
  readonly livemode: boolean;
  /** The intent behind it, once there is one. */
  readonly intent?: string | undefined;
}

export interface CardEvent {
  readonly id: string;
  readonly type: string;
  readonly checkout?: string | undefined;
  readonly intent?: string | undefined;
}
