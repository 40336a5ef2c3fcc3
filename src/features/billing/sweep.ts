import { HOLD_LIFETIME_MS } from '../../config/limits.ts';
import * as checkoutStore from './checkout_store.ts';
import { fulfil } from './checkouts.ts';
import type { Parts } from './deps.ts';
import { letGoOfLost } from './granted.ts';
import * as intentStore from './intent_store.ts';
import { letGo } from './let_go.ts';
import { CHECKOUT_RECHECK_MS, PAYMENTS_SWEPT_A_ROUND, UNPAID_REMEMBERED_MS } from './limits.ts';
import type { Processor } from './processor.ts';
import { resolveCapture } from './resolve_capture.ts';
import type { ToolIntent } from './types.ts';

/**
 * Resolves what calls, crashes and lost notices left open. @returns how many things were resolved
 */
export async function sweep(parts: Parts, now: Date, all: boolean): Promise<number> {
  const { database } = parts;
  const before = all ? now : new Date(now.getTime() - HOLD_LIFETIME_MS);
  let count = await intentStore.releaseDead(database, before, now);
  count += await forget(parts, new Date(now.getTime() - UNPAID_REMEMBERED_MS));
  for (const wallet of await checkoutStore.selectOwing(database, PAYMENTS_SWEPT_A_ROUND)) {
    if ((await checkoutStore.collectOwed(database, wallet, now)) > 0) count += 1;
  }
  return parts.processor && !all ? count + (await askProcessor(parts, parts.processor, now)) : count;
}

async function forget({ database, processor }: Parts, before: Date): Promise<number> {
  return (
    (await intentStore.forgetCanceled(database, before)) +
    (await checkoutStore.forgetExpired(database, before)) +
    (await checkoutStore.forgetEvents(database, before)) +
    ((await processor?.forget?.(before)) ?? 0)
  );
}

async function askProcessor(parts: Parts, processor: Processor, now: Date): Promise<number> {
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
      parts.logger.warn({ payment, err: error }, 'a payment could not be resolved; it is tried again');
      await postpone();
      // A processor that cannot be reached is not asked fifty times a round, each time until the timeout.
      break;
    }
  }
  return count;
}

const notNow =
  ({ logger }: Parts) =>
  (error: unknown): number => {
    logger.warn(
      { err: error },
      'payments that were granted and lost could not be looked for; they are tried again',
    );
    return 0;
  };

async function settle(parts: Parts, intent: ToolIntent): Promise<boolean> {
  if (intent.state === 'unknown') return (await resolveCapture(parts, intent)).state !== 'unknown';
  return letGo(parts, intent);
}

async function endCheckout(parts: Parts, id: string): Promise<boolean> {
  const result = await fulfil(parts, id);
  return result !== undefined && result.state !== 'unpaid';
}
