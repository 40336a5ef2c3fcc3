import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Database } from '../../database/types.ts';
import type { RemoteStore } from '../objects/types.ts';
import { storageIdLocationOf } from './storage_id.ts';
import * as store from './store.ts';

/**
 * Binds a database to a bucket that contains its files. From then on no server starts with the folder.
 * @throws Error if the bucket belongs to another database
 */
export async function bindStorage(
  database: Database,
  { dataDir, remote }: { dataDir: string; remote: RemoteStore },
): Promise<{ finish(): Promise<void> }> {
  const place = storageIdLocationOf(dataDir, remote);
  const known = await store.selectId(database);
  const kept = await place.read();
  if (kept !== undefined && kept !== known)
    throw new Error(
      `The bucket STORAGE_URL ${remote.where} is paired with another database. Choose an empty bucket, or another prefix in this one.`,
    );
  return {
    async finish() {
      const id = known ?? randomUUID();
      // The bucket last: an interrupted move can be repeated, and no server starts in between.
      await rm(join(resolve(dataDir), 'storage_id'), { force: true });
      await store.saveId(database, id);
      await place.write(id);
    },
  };
}
