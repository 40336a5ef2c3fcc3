import type { Queryable } from '../../../core/database/types.ts';
import { insertRevocation } from './store.ts';
import type { RevocationReason } from './types.ts';

/**
 * Revokes a key permanently and records it in the log. The key and its receipts stay published, marked as revoked.
 * @returns false where the key is unknown or revoked already
 */
export const revokeKey = (
  { database, clock = () => new Date() }: { database: Queryable; clock?: () => Date },
  kid: string,
  reason: RevocationReason,
): Promise<boolean> => insertRevocation(database, { kid, reason, at: clock() });
