import { randomUUID } from 'node:crypto';
import {
  CARD_PAYMENT_CENTS_MIN,
  CREDIT_BACK_PERCENT,
  CREDIT_CENTS,
  IDEMPOTENCY_LIFETIME_MS,
  MILLICREDITS_PER_CREDIT,
  WELCOME_CREDITS,
} from '../../config/limits.ts';
import { newCallId } from '../../core/cluster/members/call_id.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { StoredResponse } from '../../core/idempotency/types.ts';
import { type BillingDeps, cashOf, requireProcessor } from './deps.ts';
import * as store from './intent_store.ts';
import * as intentStore from './intent_store.ts';
import {
  PAYMENT_CENTS_MAX,
  PAYMENT_INTENT_CLAIMS_MAX,
  PAYMENT_INTENT_LIFETIME_MS,
  PAYMENT_UNKNOWN_RETRY_SECONDS,
} from './limits.ts';
import type { CardIntent } from './processor.ts';
import type { IssuedReceipt } from './receipts/types.ts';
import type { CallByIntent, CreatedToolIntent, IntentHold, NewIntent, ToolIntent } from './types.ts';

const MILLICREDITS_PER_CENT = MILLICREDITS_PER_CREDIT / CREDIT_CENTS;
const WELCOME = WELCOME_CREDITS * MILLICREDITS_PER_CREDIT;
export const KIND = 'tool_call';
export const CURRENCY = 'usd';

/** Creates the intent at the processor first: one without a row cannot pay, so a crash in between charges nothing. */
export async function createIntent(parts: BillingDeps, asked: NewIntent): Promise<CreatedToolIntent> {
  const processor = requireProcessor(parts);
  const { tool, price, quantity, wallet } = asked;
  const amountCents = Math.max(CARD_PAYMENT_CENTS_MIN, Math.ceil((price * quantity) / MILLICREDITS_PER_CENT));
  if (amountCents > PAYMENT_CENTS_MAX) {
    throw new AtelierError(
      'invalid_input',
      `The limit for one card payment is ${PAYMENT_CENTS_MAX / 100} USD.`,
    );
  }
  const amount = amountCents * MILLICREDITS_PER_CENT;
  const created = await processor.createIntent({
    amountCents,
    currency: CURRENCY,
    description: `Atelier: ${Math.floor(amount / price)} × ${tool}`,
    metadata: { kind: KIND, tool_name: tool, ...(wallet && { wallet }) },
    idempotencyKey: `pi_${randomUUID()}`,
  });
  const expiresAt = new Date(parts.clock().getTime() + PAYMENT_INTENT_LIFETIME_MS);
  const intent = await keepIntent(parts, { id: created.id, tool, price, amountCents, wallet, expiresAt });
  const { id, clientSecret, status } = created;
  // In the fragment, which browsers do not send, so the secret is in no log.
  const payUrl = `${parts.publicUrl}/pay/${id}${processor.name === 'simulated' ? '' : `#${clientSecret}`}`;
  return { intent, clientSecret, status, payUrl };
}

/** Stores an intent of the processor; idempotent. */
export function keepIntent(
  parts: BillingDeps,
  made: Omit<NewIntent, 'quantity'> & { id: string; amountCents: number; expiresAt: Date },
): Promise<ToolIntent> {
  const { price, wallet, ...intent } = made;
  const processor = requireProcessor(parts);
  const amount = made.amountCents * MILLICREDITS_PER_CENT;
  return store.insertIntent(parts.database, {
    ...intent,
    processor: processor.name,
    livemode: processor.livemode,
    cash: cashOf(processor),
    currency: CURRENCY,
    amount,
    surplus: amount % price,
    wallet: wallet ?? null,
    at: parts.clock(),
  });
}

export async function lookAtIntent(
  parts: BillingDeps,
  id: string,
): Promise<'waiting' | 'paid' | 'expired' | undefined> {
  const intent = SHAPE.test(id) ? await store.selectIntent(parts.database, id) : undefined;
  if (!intent) return undefined;
  if (intent.state === 'canceled' || intent.state === 'reversed') return 'expired';
  if (intent.state !== 'open') return 'paid';
  const card = await requireProcessor(parts).findIntent(id);
  if (!card || card.isCanceled || intent.expiresAt <= parts.clock()) return 'expired';
  return card.isAuthorized ? 'paid' : 'waiting';
}

/** Clients sometimes send the client secret, which begins with the id. */
const idOf = (sent: string): string => sent.trim().replace(/_secret_.*$/s, '');
const SHAPE = /^pi_[A-Za-z0-9_]{1,250}$/;

export async function holdCall(parts: BillingDeps, call: CallByIntent): Promise<IntentHold> {
  requireProcessor(parts);
  const id = idOf(call.intentId);
  const found = SHAPE.test(id) ? await store.selectIntent(parts.database, id) : undefined;
  if (!found) throw new AtelierError('payment_intent_not_found');
  requireFit(parts, found, call);
  const intent = found.state === 'unknown' ? await resolveIntent(parts, found) : found;
  if (intent.state === 'unknown') throw paymentUnknown();
  if (intent.state === 'canceled' || intent.state === 'reversed') throw voidIntentError(intent);
  const surplus = surplusOf(intent, call);
  const base = { call: newCallId(), intent, price: call.price, wallet: call.wallet, surplus };
  if (intent.state === 'captured') return holdPaid(parts, base, call);
  if (intent.state !== 'open') throw inUse();
  if (intent.claims >= PAYMENT_INTENT_CLAIMS_MAX) throw await giveUpIntent(parts, intent);
  await requireAuthorized(parts, intent);
  const claim = base.call;
  const at = parts.clock();
  if (!(await store.moveIntent(parts.database, { id, from: 'open', to: 'claimed', claim, at })))
    throw inUse();
  const moved = (intent.wallet ?? call.wallet) ? surplus : 0;
  return { ...base, claim, left: intent.amount - moved - call.price };
}

/** The surplus of an intent that pays whole calls and this one, which may cost less. */
const surplusOf = ({ amount, surplus }: ToolIntent, { price, listedPrice = price }: CallByIntent): number =>
  price < listedPrice ? (amount - price) % listedPrice : surplus;

async function giveUpIntent(parts: BillingDeps, intent: ToolIntent): Promise<AtelierError> {
  await releaseIntent(parts, intent);
  return new AtelierError(
    'payment_intent_void',
    `The payment intent was canceled after ${intent.claims} failed calls. You were not charged.`,
    { members: { payment_state: 'canceled' } },
  );
}

/** While the processor is unreachable, it stays unknown whether the card was charged. */
const resolveIntent = (parts: BillingDeps, intent: ToolIntent): Promise<ToolIntent> =>
  resolveCapture(parts, intent).catch((error) => {
    throw paymentUnknown(error);
  });

/** Checks that need only the stored row. */
function requireFit(
  { processor }: BillingDeps,
  intent: ToolIntent,
  { tool, price, wallet }: CallByIntent,
): void {
  if (intent.processor !== processor?.name || intent.livemode !== processor.livemode)
    throw voidIntentError(intent);
  if (intent.tool !== tool) {
    throw new AtelierError(
      'payment_intent_tool_mismatch',
      `The payment intent was made for ${intent.tool}, so it cannot pay for ${tool}.`,
    );
  }
  if (intent.wallet !== null && wallet !== undefined && intent.wallet !== wallet) {
    throw new AtelierError('payment_intent_wallet_mismatch');
  }
  if (price > intent.amount) {
    throw new AtelierError(
      'payment_insufficient',
      `The payment intent is for ${intent.amountCents / 100} USD; this call costs ${price / MILLICREDITS_PER_CENT / 100} USD.`,
    );
  }
}

async function holdPaid(
  { database, clock }: BillingDeps,
  base: Omit<IntentHold, 'left'>,
  { price, expiresAt, isForOneCall = false }: CallByIntent,
): Promise<IntentHold> {
  const { call, intent } = base;
  const outcome = await store.holdPrepaid(database, {
    call,
    intentId: intent.id,
    amount: price,
    at: clock(),
    expiresAt,
  });
  if (outcome === 'used') throw new AtelierError('payment_intent_used');
  if (outcome !== 'held') throw voidIntentError(intent);
  const other = isForOneCall ? await store.otherCall(database, intent.id, call) : undefined;
  if (other) {
    await store.releasePrepaid(database, call, clock());
    throw other === 'runs' ? inUse() : new AtelierError('payment_used');
  }
  return { ...base, left: await store.prepaidLeft(database, intent.id) };
}

/** Fetches the state from the processor: claims of the client and old events are not trusted. */
async function requireAuthorized(parts: BillingDeps, intent: ToolIntent): Promise<void> {
  const card = await requireProcessor(parts).findIntent(intent.id);
  if (!card || card.isCanceled || card.reversedCents > 0 || !isTheSame(card, intent))
    throw voidIntentError(intent);
  if (card.isAuthorized) return;
  throw new AtelierError(
    'payment_not_authorized',
    `The payment intent has not been paid yet (${card.status}).`,
    { members: { payment_intent: { id: intent.id, status: card.status } } },
  );
}

const isTheSame = (card: CardIntent, intent: ToolIntent): boolean =>
  card.metadata.kind === KIND &&
  card.metadata.tool_name === intent.tool &&
  card.currency === intent.currency &&
  card.amountCents === intent.amountCents &&
  card.livemode === intent.livemode;

export async function settleCall(
  parts: BillingDeps,
  hold: IntentHold,
  answer: StoredResponse | undefined,
  receipt: IssuedReceipt | undefined,
): Promise<void> {
  const { database, clock } = parts;
  const { claim, intent, call, price, wallet, surplus } = hold;
  if (claim !== undefined) await capture(parts, intent.id, claim);
  const at = clock();
  const beneficiary = intent.wallet ?? wallet;
  const settled = {
    call,
    intentId: intent.id,
    claim,
    amount: price,
    payee: wallet,
    at,
    welcome: WELCOME,
    creditBackPercent: CREDIT_BACK_PERCENT,
    answer,
    answerExpiresAt: new Date(at.getTime() + IDEMPOTENCY_LIFETIME_MS),
    // A payer without a wallet gets the receipt in the response; without a wallet it could not be fetched later.
    receipt: receipt && beneficiary ? { ...receipt, wallet: beneficiary } : undefined,
  };
  if (claim === undefined || beneficiary === undefined || surplus === intent.surplus)
    return store.settleIntentCall(database, settled);
  await database.transaction(async (tx) => {
    await store.setSurplus(tx, { id: intent.id, surplus });
    await store.settleIntentCall(tx, settled);
  });
}

/** Records the start of a capture before the request to the processor, so that it can be resolved after a crash. */
async function capture(parts: BillingDeps, id: string, claim: string): Promise<void> {
  const { database, clock } = parts;
  const move = (from: ToolIntent['state'], to: ToolIntent['state']) =>
    store.moveIntent(database, { id, from, to, claim, at: clock() });
  if (!(await move('claimed', 'capturing'))) throw paymentUnknown();
  const result = await requireProcessor(parts).capture(id, `cap_${id}_${claim}`);
  if (result.outcome === 'captured') return;
  if (result.outcome === 'refused') {
    await move('capturing', 'open');
    throw new AtelierError(
      'payment_failed',
      `The card was declined: ${result.reason}. You were not charged.`,
    );
  }
  await move('capturing', 'unknown');
  throw paymentUnknown(result.cause);
}

export async function releaseCall({ database, clock }: BillingDeps, hold: IntentHold): Promise<void> {
  const { claim, intent, call } = hold;
  if (claim === undefined) return store.releasePrepaid(database, call, clock());
  const move = { id: intent.id, claim, at: clock() };
  if (await store.moveIntent(database, { ...move, from: 'claimed', to: 'open' })) return;
  // The money may be captured, but the response will not be sent: the captured amount pays for the next call.
  await store.moveIntent(database, { ...move, from: 'capturing', to: 'unknown' });
}

const retry = { retryAfterSeconds: PAYMENT_UNKNOWN_RETRY_SECONDS };

const paymentUnknown = (cause?: unknown): AtelierError =>
  new AtelierError('payment_unknown', undefined, { ...retry, cause, members: { payment_state: 'unknown' } });

const inUse = (): AtelierError =>
  new AtelierError('payment_intent_in_use', undefined, {
    retryAfterSeconds: 2,
    members: { retryable: true },
  });

const voidIntentError = ({ state }: ToolIntent): AtelierError =>
  new AtelierError('payment_intent_void', undefined, { members: { payment_state: state } });

/**
 * Cancels an unused intent: its authorisation or payment is returned. Canceled here first, so that no call claims it. @returns
 * false where it was no longer open
 */
export async function releaseIntent(parts: BillingDeps, { id }: ToolIntent): Promise<boolean> {
  const { database, clock } = parts;
  const move = { id, from: 'open', to: 'canceled', claim: null, at: clock() } as const;
  if (!(await intentStore.moveIntent(database, move))) return false;
  try {
    await requireProcessor(parts).abandon(id);
  } catch (error) {
    await intentStore.moveIntent(database, { ...move, from: 'canceled', to: 'unknown' });
    throw error;
  }
  return true;
}

/**
 * Resolves a capture whose response was lost. The result of its call was never sent: captured money pays for the next call, and
 * uncaptured money can be captured again.
 */
export async function resolveCapture(parts: BillingDeps, intent: ToolIntent): Promise<ToolIntent> {
  const { database, clock } = parts;
  const { id } = intent;
  const card = await requireProcessor(parts).findIntent(id);
  if (card?.isCaptured) {
    await store.fundIntent(database, { id, at: clock(), welcome: WELCOME_CREDITS * MILLICREDITS_PER_CREDIT });
    await store.reverseIntent(database, { id, reversed: card.reversedCents > 0, at: clock() });
  } else if (card) {
    await store.moveIntent(database, {
      id,
      from: 'unknown',
      to: card.isCanceled ? 'canceled' : 'open',
      claim: null,
      at: clock(),
    });
  }
  return (await store.selectIntent(database, id)) ?? intent;
}
