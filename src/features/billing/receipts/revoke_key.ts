import type { Queryable } from '../../../core/database/types.ts';
import { insertRevocation } from './store.ts';
import type { RevocationReason } from './types.ts';

/**
 * Takes a key back for good; the log says so. What it has signed stays published, and the key with it, marked.
 * @returns false where no such key ever signed here, or it is revoked already
 */
export const revokeKey = (
  { database, clock = () => new Date() }: { database: Queryable; clock?: () => Date },
  kid: string,
  reason: RevocationReason,
): Promise<boolean> => insertRevocation(database, { kid, reason, at: clock() });
