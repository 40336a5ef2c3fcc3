import { join } from 'node:path';
import type { Config } from '../../../config/config.ts';
import type { Queryable } from '../../database/types.ts';
import { createFileObjects } from './file_objects.ts';
import type { Store } from './types.ts';

/** The bucket, its credentials and its public URL; undefined if bytes are stored as files. @throws Error naming a missing setting */
export function bucketSettings({
  STORAGE_URL: url,
  STORAGE_REGION: region,
  STORAGE_KEY_ID: keyId,
  STORAGE_SECRET_KEY: secretKey,
  STORAGE_LINKS,
  STORAGE_PUBLIC_URL,
}: Config) {
  const isDirect = STORAGE_LINKS === 'store';
  if (isDirect && !url)
    throw new Error(
      'STORAGE_LINKS=store requires STORAGE_URL: files in DATA_DIR have no bucket to redirect clients to.',
    );
  if (STORAGE_PUBLIC_URL !== undefined && !isDirect)
    throw new Error('STORAGE_PUBLIC_URL requires STORAGE_LINKS=store; otherwise no link uses it.');
  if (!url) return undefined;
  if (!keyId || !secretKey)
    throw new Error(
      'STORAGE_URL requires STORAGE_KEY_ID and STORAGE_SECRET_KEY: credentials that may write, read, list and delete objects in the bucket.',
    );
  return { url, region, keyId, secretKey, isDirect, publicUrl: STORAGE_PUBLIC_URL?.replace(/\/+$/, '') };
}

/** Opens the storage: folders of DATA_DIR, or the bucket of STORAGE_URL. @throws Error naming a missing setting */
export async function openStore(config: Config, database: Queryable): Promise<Store> {
  const { DATA_DIR } = config;
  const bucket = bucketSettings(config);
  if (!bucket) return { objectsOf: (kind) => createFileObjects(join(DATA_DIR, kind)) };
  const { url, ...settings } = bucket;
  // Loaded only if a bucket is configured.
  const { createBucketStore } = await import('./s3/bucket_store.ts');
  return createBucketStore(url, { ...settings, database, outgoing: join(DATA_DIR, 'outgoing') });
}
