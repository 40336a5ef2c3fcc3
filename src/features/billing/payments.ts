import * as checkoutStore from './checkout_store.ts';
import { fulfil, startCheckout } from './checkouts.ts';
import { type Parts, requireProcessor } from './deps.ts';
import { takeToken } from './granted.ts';
import * as intentStore from './intent_store.ts';
import { createIntent, holdCall, lookAtIntent, releaseCall, settleCall } from './intents.ts';
import { review } from './reversals.ts';
import { sweep } from './sweep.ts';
import type { Payments } from './types.ts';

/** @param options a `clock` decides what is late; without a `processor` there are no cards */
export function createPayments(options: Omit<Parts, 'clock'> & { clock?: () => Date }): Payments {
  const parts: Parts = { clock: () => new Date(), ...options };
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
    releaseCalls: (calls) => intentStore.releaseCalls(parts.database, { calls, at: parts.clock() }),
    sweep: (now, all = false) => sweep(parts, now, all),
  };
}

/**
 * Acts first and remembers afterwards: a notice that could not be acted upon fails, so that it is sent again, and acting
 * twice changes nothing.
 */
async function receive(
  parts: Parts,
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
