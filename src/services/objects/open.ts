import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Queryable } from '../../database/contract.ts';
import type { Store } from './contract.ts';
import { createFileObjects } from './file_objects.ts';

/** Where bytes are kept: in folders of DATA_DIR, or in the bucket of STORAGE_URL. @throws Error naming a missing setting */
export async function openStore(config: Config, database: Queryable): Promise<Store> {
  const { DATA_DIR, STORAGE_URL, STORAGE_REGION, STORAGE_KEY_ID, STORAGE_SECRET_KEY } = config;
  const { STORAGE_LINKS, STORAGE_PUBLIC_URL } = config;
  const isDirect = STORAGE_LINKS === 'store';
  if (isDirect && !STORAGE_URL)
    throw new Error(
      'STORAGE_LINKS=store needs STORAGE_URL: files in DATA_DIR have no store that callers could be sent to.',
    );
  if (STORAGE_PUBLIC_URL !== undefined && !isDirect)
    throw new Error('STORAGE_PUBLIC_URL needs STORAGE_LINKS=store: nobody is sent there otherwise.');
  if (!STORAGE_URL) return { objectsOf: (kind) => createFileObjects(join(DATA_DIR, kind)) };
  if (!STORAGE_KEY_ID || !STORAGE_SECRET_KEY)
    throw new Error(
      'STORAGE_URL needs STORAGE_KEY_ID and STORAGE_SECRET_KEY: keys that may write, read, list and delete objects there.',
    );
  const keys = { region: STORAGE_REGION, keyId: STORAGE_KEY_ID, secretKey: STORAGE_SECRET_KEY };
  const publicUrl = STORAGE_PUBLIC_URL?.replace(/\/+$/, '');
  const outgoing = join(DATA_DIR, 'outgoing');
  // A server that keeps files in its folder does without what speaks to stores.
  const { createBucketStore } = await import('./s3/bucket_store.ts');
  return createBucketStore(STORAGE_URL, { ...keys, publicUrl, database, isDirect, outgoing });
}
