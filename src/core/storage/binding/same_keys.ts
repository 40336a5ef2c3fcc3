import { createHash } from 'node:crypto';
import type { Queryable } from '../../database/types.ts';
import { nameKey } from './store.ts';

interface SharedKey {
  /** The setting for the key. */
  readonly setting: 'SIGNING_SECRET' | 'RECEIPT_KEY';
  /** The file in DATA_DIR that stores it otherwise. */
  readonly file: string;
  readonly bytes: string | Uint8Array;
  /** Whether it comes from a setting, which then replaces the previous key. */
  readonly isSet: boolean;
}

/**
 * Servers of one database with separate data folders would generate a key each, and refuse each other's links and receipts. The database
 * stores the fingerprint of the first key; a different generated key is refused, a configured one replaces it.
 * @throws Error naming the source of the right key
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
      `The generated key of this server differs from the key of the other servers on its database. Set ${setting} to their key: the content of ${file} in the DATA_DIR of the first server. If that file is lost, start once with ADOPT_STORAGE=true to continue with the key of this server.`,
    );
  }
}
