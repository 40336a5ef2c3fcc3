import { type Parts, requireProcessor } from './deps.ts';
import * as intentStore from './intent_store.ts';
import type { ToolIntent } from './types.ts';

/**
 * Nobody will use this intent: whatever the card set aside or paid goes back. Canceled here first, so that no call claims
 * it. @returns false where it was not open any more
 */
export async function letGo(parts: Parts, { id }: ToolIntent): Promise<boolean> {
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
