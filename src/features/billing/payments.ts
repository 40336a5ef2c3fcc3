import { createHash } from 'node:crypto';
import { HOLD_LIFETIME_MS } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import * as checkoutStore from './checkout_store.ts';
import { fulfil, review, startCheckout } from './checkouts.ts';
import { type BillingDeps, requireProcessor } from './deps.ts';
import * as store from './granted_store.ts';
import * as intentStore from './intent_store.ts';
import { selectIntent } from './intent_store.ts';
import {
  CURRENCY,
  createIntent,
  holdCall,
  KIND,
  keepIntent,
  lookAtIntent,
  releaseCall,
  releaseIntent,
  resolveCapture,
  settleCall,
} from './intents.ts';
import { CHECKOUT_RECHECK_MS, PAYMENTS_SWEPT_A_ROUND, UNPAID_REMEMBERED_MS } from './limits.ts';
import type { Processor } from './processor.ts';
import type { Payments, TokenPayment, ToolIntent } from './types.ts';

/** A processor that accepts payment tokens; the simulated one does not. */
type Charging = Processor & Required<Pick<Processor, 'confirmWithToken' | 'findByChallenge'>>;

async function takeToken(parts: BillingDeps, asked: TokenPayment): Promise<ToolIntent> {
  const { database, clock } = parts;
  const processor = requireTokens(parts);
  const { challenge, token, expiresAt, tool, price, amountCents, wallet } = asked;
  const tokenSha256 = createHash('sha256').update(token).digest('hex');
  const grant = await store.keepGrant(database, { challenge, tokenSha256, expiresAt, now: clock() });
  if (!grant) throw refusal('Its challenge has expired.');
  if (grant.challenge !== challenge || grant.tokenSha256 !== tokenSha256) {
    throw new AtelierError(
      'payment_used',
      'This challenge or payment token was already used for another payment.',
    );
  }
  const known = grant.intent === null ? undefined : await selectIntent(database, grant.intent);
  if (known) return known;
  const made = await processor.confirmWithToken({
    amountCents,
    currency: CURRENCY,
    description: `Atelier: ${tool}`,
    metadata: { kind: KIND, tool_name: tool, challenge, machine_payment: 'true', ...(wallet && { wallet }) },
    idempotencyKey: `mpp_${challenge}`,
    token,
  });
  if (made.outcome === 'refused') throw refusal(`The card processor reports: ${made.reason}`);
  if (!made.isAuthorized) {
    await processor.abandon(made.id);
    throw refusal(`The card needs an authentication step that the token does not provide (${made.status}).`);
  }
  const intent = await keepIntent(parts, { id: made.id, tool, price, amountCents, wallet, expiresAt });
  await store.nameIntent(database, challenge, intent.id);
  return intent;
}

/** Releases authorisations of calls that died before they were recorded here. @returns their number */
async function letGoOfLost(parts: BillingDeps, now: Date): Promise<number> {
  const { database, processor } = parts;
  if (!processor?.findByChallenge) return 0;
  const before = new Date(now.getTime() - HOLD_LIFETIME_MS);
  const lost = await store.selectLost(database, before, PAYMENTS_SWEPT_A_ROUND);
  for (const challenge of lost) {
    const id = await processor.findByChallenge(challenge);
    if (id !== undefined) await processor.abandon(id);
    await store.forgetGrant(database, challenge);
  }
  return lost.length;
}

function requireTokens(parts: BillingDeps): Charging {
  const processor = requireProcessor(parts);
  if (processor.confirmWithToken && processor.findByChallenge) return processor as Charging;
  throw new AtelierError('payments_not_configured', 'This server does not accept payment tokens.');
}

const refusal = (why: string): AtelierError =>
  new AtelierError('payment_refused', `The payment does not cover this call. ${why} You were not charged.`);

/** Resolves payments left open by calls, crashes and lost events. @returns the number resolved */
async function sweep(parts: BillingDeps, now: Date, all: boolean): Promise<number> {
  const { database } = parts;
  const before = all ? now : new Date(now.getTime() - HOLD_LIFETIME_MS);
  let count = await intentStore.releaseDead(database, before, now);
  count += await forget(parts, new Date(now.getTime() - UNPAID_REMEMBERED_MS));
  for (const wallet of await checkoutStore.selectOwing(database, PAYMENTS_SWEPT_A_ROUND)) {
    if ((await checkoutStore.collectOwed(database, wallet, now)) > 0) count += 1;
  }
  return parts.processor && !all ? count + (await askProcessor(parts, parts.processor, now)) : count;
}

async function forget({ database, processor }: BillingDeps, before: Date): Promise<number> {
  return (
    (await intentStore.forgetCanceled(database, before)) +
    (await checkoutStore.forgetExpired(database, before)) +
    (await checkoutStore.forgetEvents(database, before)) +
    ((await processor?.forget?.(before)) ?? 0)
  );
}

async function askProcessor(parts: BillingDeps, processor: Processor, now: Date): Promise<number> {
  const { database } = parts;
  let count = await letGoOfLost(parts, now).catch(notNow(parts));
  const intents = await intentStore.selectUnsettled(database, processor, now, PAYMENTS_SWEPT_A_ROUND);
  const checkouts = await checkoutStore.selectDueCheckouts(database, processor, now, PAYMENTS_SWEPT_A_ROUND);
  const left = [
    ...intents.map((intent) => ({
      payment: intent.id,
      resolve: () => settle(parts, intent),
      postpone: () => intentStore.postponeIntent(database, intent.id, now),
    })),
    ...checkouts.map(({ id }) => ({
      payment: id,
      resolve: () => endCheckout(parts, id),
      postpone: () =>
        checkoutStore.postponeCheckout(database, id, new Date(now.getTime() + CHECKOUT_RECHECK_MS)),
    })),
  ];
  for (const { payment, resolve, postpone } of left) {
    try {
      count += Number(await resolve());
    } catch (error) {
      parts.logger.warn({ payment, err: error }, 'failed to resolve a payment; it is retried');
      await postpone();
      // Stops at the first failure: an unreachable processor would cost a timeout per item.
      break;
    }
  }
  return count;
}

const notNow =
  ({ logger }: BillingDeps) =>
  (error: unknown): number => {
    logger.warn({ err: error }, 'failed to look for lost granted payments; the search is retried');
    return 0;
  };

async function settle(parts: BillingDeps, intent: ToolIntent): Promise<boolean> {
  if (intent.state === 'unknown') return (await resolveCapture(parts, intent)).state !== 'unknown';
  return releaseIntent(parts, intent);
}

async function endCheckout(parts: BillingDeps, id: string): Promise<boolean> {
  const result = await fulfil(parts, id);
  return result !== undefined && result.state !== 'unpaid';
}

/** Creates the card payments. @param options `clock`: time source; without `processor`, card payments are off */
export function createPayments(options: Omit<BillingDeps, 'clock'> & { clock?: () => Date }): Payments {
  const parts: BillingDeps = { clock: () => new Date(), ...options };
  const { database, processor } = parts;
  return {
    ...(processor && {
      takes: {
        processor: processor.name,
        livemode: processor.livemode,
        ...(processor.publishableKey && { publishableKey: processor.publishableKey }),
      },
    }),
    ...(processor?.desk && { desk: processor.desk }),
    createIntent: (request) => createIntent(parts, request),
    findIntent: (id) => intentStore.selectIntent(database, id),
    lookAtIntent: (id) => lookAtIntent(parts, id),
    takeToken: (payment) => takeToken(parts, payment),
    holdCall: (call) => holdCall(parts, call),
    settleCall: (hold, answer, receipt) => settleCall(parts, hold, answer, receipt),
    releaseCall: (hold) => releaseCall(parts, hold),
    startCheckout: (request) => startCheckout(parts, request),
    fulfil: (id) => fulfil(parts, id),
    receive: (body, signature) => receive(parts, body, signature),
    review: (id) => review(parts, id),
    openCalls: (prefix) => intentStore.openCalls(database, prefix),
    releaseCalls: (calls) => intentStore.releaseCalls(parts.database, { calls, at: parts.clock() }),
    sweep: (now, all = false) => sweep(parts, now, all),
  };
}

/** Processes first and records afterwards: a failed event is sent again, and processing is idempotent. */
async function receive(
  parts: BillingDeps,
  body: Uint8Array,
  signature: string | undefined,
): ReturnType<Payments['receive']> {
  const { database, clock } = parts;
  const { id, type, checkout, intent } = requireProcessor(parts).readEvent(body, signature);
  if (await checkoutStore.hasEvent(database, id)) return { id, duplicate: true };
  if (checkout !== undefined) await fulfil(parts, checkout);
  if (intent !== undefined) await review(parts, intent);
  const isNew = await checkoutStore.insertEvent(database, { id, type, at: clock() });
  return { id, duplicate: !isNew };
}
