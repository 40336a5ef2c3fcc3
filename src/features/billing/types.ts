import type { KeptAnswer } from '../../core/idempotency/types.ts';
import type { IssuedReceipt } from './receipts/types.ts';
import type { SimulatedDesk } from './simulated/desk.ts';

/**
 * What cards buy: credits for a wallet (a checkout), or calls of one tool (an intent). A processor moves the money; here is
 * what was bought, who may use it, and what is taken back when the money is. Amounts in cents or millicredits, as named.
 */
export interface Payments {
  /** Absent: this server takes no cards, and everything that would need one throws payments_not_configured. */
  readonly takes?: TakesCards;
  /** Where a test card is shown; only where cards are simulated. */
  readonly desk?: SimulatedDesk | undefined;

  /** @throws AtelierError payments_not_configured, upstream_failed */
  createIntent(request: NewIntent): Promise<CreatedToolIntent>;
  findIntent(id: string): Promise<ToolIntent | undefined>;
  /**
   * Whether an intent can pay, as its processor says at this moment: `paid` once the card has set the money aside. Undefined: no intent
   * of ours. @throws AtelierError upstream_failed
   */
  lookAtIntent(id: string): Promise<'waiting' | 'paid' | 'expired' | undefined>;
  /**
   * Has the card set aside what a payment token stands for. The same challenge with the same token is the same intent; each of the two
   * comes once. @throws AtelierError payment_refused, payment_used (402), payments_not_configured, upstream_failed
   */
  takeToken(payment: TokenPayment): Promise<ToolIntent>;
  /**
   * Sets one call's price aside: takes the intent for this call alone until it is captured, and afterwards holds a part of
   * what it has paid. @throws AtelierError payment_intent_not_found, …_tool_mismatch, …_wallet_mismatch, …_in_use, …_used,
   * …_void, payment_insufficient, payment_not_authorized (all 402), payment_unknown
   */
  holdCall(request: CallByIntent): Promise<IntentHold>;
  /**
   * Takes the money, pays the call and keeps the answer. Only when this returns may the answer be given out.
   * @throws AtelierError payment_failed: the card was refused; payment_unknown: nobody knows yet, and the intent stays good
   */
  settleCall(hold: IntentHold, answer?: KeptAnswer, receipt?: IssuedReceipt): Promise<void>;
  /** The intent can pay again; harmless once settled. */
  releaseCall(hold: IntentHold): Promise<void>;

  /** @throws AtelierError payments_not_configured, upstream_failed */
  startCheckout(request: NewCheckout): Promise<StartedCheckout>;
  /** Grants what was paid, once, however often and from wherever it is called. Undefined: no checkout of ours. */
  fulfil(checkoutId: string): Promise<Fulfilment | undefined>;
  /** Acts on a signed notice of the processor; `duplicate` when it was acted upon before. @throws AtelierError invalid_event */
  receive(body: Uint8Array, signature: string | undefined): Promise<{ id: string; duplicate: boolean }>;
  /** Looks at a payment again, and takes back or gives back what follows from it. */
  review(processorId: string): Promise<void>;

  /** Gives back the claims of calls whose ids begin so, because their server has died; returns how many. */
  releaseCalls(calls: string): Promise<number>;

  /** Resolves what was left open; returns how many things. `all` also what still runs: only right after start-up of the one process that owns the database. */
  sweep(now: Date, all?: boolean): Promise<number>;
}

export interface TakesCards {
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

/** A payment token that an agent has granted for one call (Machine Payments Protocol). */
export interface TokenPayment extends Omit<NewIntent, 'quantity'> {
  /** Names the payment among all; with `token` its only secret. */
  readonly challenge: string;
  readonly token: string;
  readonly amountCents: number;
  /** From then on the challenge starts no payment, and what was set aside and not taken is let go of. */
  readonly expiresAt: Date;
}

export interface ToolIntent {
  readonly id: string;
  readonly tool: string;
  readonly amountCents: number;
  readonly currency: string;
  /** What the card pays, in millicredits, and what of it is left beyond whole calls. */
  readonly amount: number;
  readonly surplus: number;
  readonly wallet: string | null;
  readonly state: 'open' | 'claimed' | 'capturing' | 'unknown' | 'captured' | 'reversed' | 'canceled';
  readonly livemode: boolean;
  readonly processor: string;
  /** Calls that have claimed it; until it is captured all of them have failed. */
  readonly claims: number;
  readonly expiresAt: Date;
}

export interface CreatedToolIntent {
  readonly intent: ToolIntent;
  readonly clientSecret: string;
  readonly status: string;
  /** Where a person pays. */
  readonly payUrl: string;
}

export interface CallByIntent {
  /** As the caller sent it; a client secret is cut to its id. */
  readonly intentId: string;
  readonly tool: string;
  /** The price of this call, in millicredits. */
  readonly price: number;
  /** The most that such a call costs; absent: as much as this one. */
  readonly listedPrice?: number | undefined;
  /** Whom the caller acts for. */
  readonly wallet: string | undefined;
  /** Once it has paid a call it pays no other one, whatever is left of it. */
  readonly isForOneCall?: boolean;
  readonly expiresAt: Date;
}

export interface IntentHold {
  readonly call: string;
  readonly intent: ToolIntent;
  readonly price: number;
  readonly wallet: string | undefined;
  /** In millicredits: what its capture leaves over beyond whole calls, which a wallet gets where one is known. */
  readonly surplus: number;
  /** This call captures the intent; absent: it was captured before, and the price is held. */
  readonly claim?: string;
  /** In millicredits: what is left for calls of the tool once this one is settled. */
  readonly left: number;
}

export interface NewCheckout {
  readonly pack: string;
  readonly title: string;
  readonly amountCents: number;
  /** In millicredits. */
  readonly amount: number;
  readonly wallet: string;
  /** The same within a minute is the same checkout. */
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
