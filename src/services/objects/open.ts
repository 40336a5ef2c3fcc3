import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Queryable } from '../../database/contract.ts';
import type { Store } from './contract.ts';
import { createFileObjects } from './file_objects.ts';
import { createBucketStore } from './s3/bucket_store.ts';

/** Where bytes are kept: in folders of DATA_DIR, or in the bucket of STORAGE_URL. @throws Error naming a missing setting */
export function openStore(
  { DATA_DIR, STORAGE_URL, STORAGE_REGION, STORAGE_KEY_ID, STORAGE_SECRET_KEY }: Config,
  database: Queryable,
): Store {
  if (!STORAGE_URL) return { objectsOf: (kind) => createFileObjects(join(DATA_DIR, kind)) };
  if (!STORAGE_KEY_ID || !STORAGE_SECRET_KEY)
    throw new Error(
      'STORAGE_URL needs STORAGE_KEY_ID and STORAGE_SECRET_KEY: keys that may write, read, list and delete objects there.',
    );
  const keys = { region: STORAGE_REGION, keyId: STORAGE_KEY_ID, secretKey: STORAGE_SECRET_KEY };
  return createBucketStore(STORAGE_URL, { ...keys, database, outgoing: join(DATA_DIR, 'outgoing') });
}
