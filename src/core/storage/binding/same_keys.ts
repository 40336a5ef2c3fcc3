import { createHash } from 'node:crypto';
import type { Queryable } from '../../database/types.ts';
import { nameKey } from './store.ts';

interface SharedKey {
  /** The setting it can be given by. */
  readonly setting: 'SIGNING_SECRET' | 'RECEIPT_KEY';
  /** The file in DATA_DIR that holds it otherwise. */
  readonly file: string;
  readonly bytes: string | Uint8Array;
  /** Whether the operator gave it: then it takes over from the one before. */
  readonly isSet: boolean;
}

/**
 * Servers on one database that have a data folder each would make a key each, and refuse each other's links and receipts. The database knows the
 * fingerprint of the first; one that was made elsewhere is refused, one that was set takes over, as a new key of an operator does.
 * @throws Error saying where to take the key from
 */
export async function requireSameKeys(
  database: Queryable,
  keys: readonly SharedKey[],
  { mayAdopt }: { mayAdopt: boolean },
): Promise<void> {
  for (const { setting, file, bytes, isSet } of keys) {
    const fingerprint = createHash('sha256')
      .update(`atelier ${setting}\n`)
      .update(bytes)
      .digest('hex')
      .slice(0, 32);
    const known = await nameKey(database, { name: setting, fingerprint, takesOver: isSet || mayAdopt });
    if (known === fingerprint) continue;
    throw new Error(
      `This server has made a key of its own where the other servers of its database have another one. Set ${setting} to what they use: what ${file} in the DATA_DIR of the first of them holds. If that is gone for good, start once with ADOPT_STORAGE=true to go on with the key of this one.`,
    );
  }
}
