import type { StoredResponse } from '../../core/idempotency/types.ts';
import type { IssuedReceipt } from './receipts/types.ts';
import type { PaymentSimulator } from './simulated/payment_simulator.ts';

/**
 * Card payments: credits for a wallet (checkout), or calls of one tool (intent). A processor moves the money; this service records
 * purchases, who may use them, and reversals. Amounts in cents or millicredits, as named.
 */
export interface Payments {
  /** Absent: card payments are off, and methods that need them throw payments_not_configured. */
  readonly takes?: CardAcceptance;
  /** Card simulator; only where cards are simulated. */
  readonly desk?: PaymentSimulator | undefined;

  /** Creates an intent for calls of a tool. @throws AtelierError payments_not_configured, upstream_failed */
  createIntent(request: NewIntent): Promise<CreatedToolIntent>;
  findIntent(id: string): Promise<ToolIntent | undefined>;
  /**
   * Whether an intent can pay, as its processor reports now: `paid` once the card has authorised it. Undefined: not an intent of
   * this server. @throws AtelierError upstream_failed
   */
  lookAtIntent(id: string): Promise<'waiting' | 'paid' | 'expired' | undefined>;
  /**
   * Authorises a payment token. The same challenge and token return the same intent; each is accepted once.
   * @throws AtelierError payment_refused, payment_used (402), payments_not_configured, upstream_failed
   */
  takeToken(payment: TokenPayment): Promise<ToolIntent>;
  /**
   * Holds the price of one call: claims the intent for this call until it is captured, and afterwards holds part of its prepaid
   * amount. @throws AtelierError payment_intent_not_found, …_tool_mismatch, …_wallet_mismatch, …_in_use, …_used, …_void,
   * payment_insufficient, payment_not_authorized (all 402), payment_unknown
   */
  holdCall(request: CallByIntent): Promise<IntentHold>;
  /**
   * Collects the money, pays the call and stores the response. The response may be sent only after this returns.
   * @throws AtelierError payment_failed: the card was refused; payment_unknown: the outcome is unknown, and the intent stays valid
   */
  settleCall(hold: IntentHold, answer?: StoredResponse, receipt?: IssuedReceipt): Promise<void>;
  /** Releases the intent for other calls; does nothing once settled. */
  releaseCall(hold: IntentHold): Promise<void>;

  /** Starts a purchase of credits. @throws AtelierError payments_not_configured, upstream_failed */
  startCheckout(request: NewCheckout): Promise<StartedCheckout>;
  /** Grants the credits of a paid checkout, once, from any number of calls. Undefined: not a checkout of this server. */
  fulfil(checkoutId: string): Promise<Fulfilment | undefined>;
  /** Processes a signed event of the processor; `duplicate` when it was processed before. @throws AtelierError invalid_event */
  receive(body: Uint8Array, signature: string | undefined): Promise<{ id: string; duplicate: boolean }>;
  /** Reconciles a payment with its processor, and reverses or restores credits. */
  review(processorId: string): Promise<void>;

  /** Ids of calls with this prefix that have claimed a payment. */
  openCalls(prefix: string): Promise<string[]>;
  /** Releases the abandoned claims of calls with this id or prefix; returns their number. */
  releaseCalls(calls: string): Promise<number>;

  /**
   * Resolves open payments; returns their number. `all` includes running ones: only right after the start of the one process that
   * owns the database.
   */
  sweep(now: Date, all?: boolean): Promise<number>;
}

export interface CardAcceptance {
  readonly processor: 'stripe' | 'simulated';
  readonly livemode: boolean;
  readonly publishableKey?: string | undefined;
}

export interface NewIntent {
  readonly tool: string;
  /** The price of one call, in millicredits. */
  readonly price: number;
  readonly quantity: number;
  readonly wallet?: string | undefined;
}

/** A payment token granted by an agent for one call (Machine Payments Protocol). */
export interface TokenPayment extends Omit<NewIntent, 'quantity'> {
  /** Unique id of the payment; the only secret besides `token`. */
  readonly challenge: string;
  readonly token: string;
  readonly amountCents: number;
  /** When the challenge expires; uncaptured authorisations are released then. */
  readonly expiresAt: Date;
}

export interface ToolIntent {
  readonly id: string;
  readonly tool: string;
  readonly amountCents: number;
  readonly currency: string;
  /** Amount in millicredits, and the surplus beyond whole calls. */
  readonly amount: number;
  readonly surplus: number;
  readonly wallet: string | null;
  readonly state: 'open' | 'claimed' | 'capturing' | 'unknown' | 'captured' | 'reversed' | 'canceled';
  readonly livemode: boolean;
  readonly processor: string;
  /** Number of calls that have claimed it; before the capture, all of them have failed. */
  readonly claims: number;
  readonly expiresAt: Date;
}

export interface CreatedToolIntent {
  readonly intent: ToolIntent;
  readonly clientSecret: string;
  readonly status: string;
  /** Payment page for a person. */
  readonly payUrl: string;
}

export interface CallByIntent {
  /** As sent; a client secret is shortened to its id. */
  readonly intentId: string;
  readonly tool: string;
  /** The price of this call, in millicredits. */
  readonly price: number;
  /** Maximum price of such a call; default: the price of this one. */
  readonly listedPrice?: number | undefined;
  /** Wallet of the client. */
  readonly wallet: string | undefined;
  /** It pays for one call only, even if money is left. */
  readonly isForOneCall?: boolean;
  readonly expiresAt: Date;
}

export interface IntentHold {
  readonly call: string;
  readonly intent: ToolIntent;
  readonly price: number;
  readonly wallet: string | undefined;
  /** Remainder of the capture beyond whole calls, in millicredits; credited to the wallet, if known. */
  readonly surplus: number;
  /** Claim of the call that captures the intent; absent: the intent is captured, and the price is held. */
  readonly claim?: string;
  /** Left for calls of the tool after settlement, in millicredits. */
  readonly left: number;
}

export interface NewCheckout {
  readonly pack: string;
  readonly title: string;
  readonly amountCents: number;
  /** In millicredits. */
  readonly amount: number;
  readonly wallet: string;
  /** Client key: the same request within a minute returns the same checkout. */
  readonly requestedBy: string;
}

export interface StartedCheckout {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

export interface Fulfilment {
  readonly state: 'granted' | 'already' | 'unpaid' | 'expired' | 'refused';
  readonly wallet: string;
  readonly pack: string;
  /** In millicredits. */
  readonly amount: number;
  readonly livemode: boolean;
}
