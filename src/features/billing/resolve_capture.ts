import { MILLICREDITS_PER_CREDIT, WELCOME_CREDITS } from '../../config/limits.ts';
import { type Parts, requireProcessor } from './deps.ts';
import * as store from './intent_store.ts';
import type { ToolIntent } from './types.ts';

/**
 * Finds out what became of a capture whose reply was lost. The result of that call was never given out: money that was
 * taken waits for the next call, and money that was not is free to be taken again.
 */
export async function resolveCapture(parts: Parts, intent: ToolIntent): Promise<ToolIntent> {
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
