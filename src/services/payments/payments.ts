import { AtelierError } from '../../errors.ts';
import * as checkoutStore from './checkout_store.ts';
import { fulfil, startCheckout } from './checkouts.ts';
import type { Payments } from './index.ts';
import * as intentStore from './intent_store.ts';
import { createIntent, holdCall, releaseCall, settleCall } from './intents.ts';
import { type Parts, requireProcessor } from './parts.ts';
import { review } from './reversals.ts';
import { sweep } from './sweep.ts';

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
    holdCall: (call) => noted(parts, { tool: call.tool }, holdCall(parts, call)),
    settleCall: (hold, answer) => noted(parts, { payment: hold.intent.id }, settleCall(parts, hold, answer)),
    releaseCall: (hold) => releaseCall(parts, hold),
    startCheckout: (request) => startCheckout(parts, request),
    fulfil: (id) => fulfil(parts, id),
    receive: (body, signature) => noted(parts, { bytes: body.length }, receive(parts, body, signature)),
    review: (id) => review(parts, id),
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

/** What was refused leaves one line. An intent that does not fit is not named in it: whoever has the id can pay with it. */
async function noted<T>({ log }: Parts, details: object, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AtelierError) log.info({ ...details, code: error.code }, 'a payment was refused');
    throw error;
  }
}
