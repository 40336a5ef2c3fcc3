import type { Queryable } from '../../../core/database/types.ts';
import type { OwnershipDeps } from './deps.ts';
import { insertEvent, revokeKeyOfAnybody } from './store.ts';

/** Revokes a key of any wallet; its owner sees it in the events of the wallet. False where no valid key has this id. */
export async function endKey(
  { database, clock }: Pick<OwnershipDeps, 'clock'> & { readonly database: Queryable },
  id: string,
): Promise<boolean> {
  const at = clock();
  const wallet = await revokeKeyOfAnybody(database, { id, at });
  if (wallet === undefined) return false;
  await insertEvent(database, { wallet, event: 'key_revoked', about: `${id} by the operator`, at });
  return true;
}
