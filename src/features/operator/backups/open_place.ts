import { join, resolve } from 'node:path';
import { type Config, isBucketAddress } from '../../../config/config.ts';
import { type BucketApart, createBucketApart } from '../../../core/storage/objects/s3/bucket_apart.ts';
import { readAddress } from '../../../core/storage/objects/s3/read_address.ts';
import { createBucketPlace } from './bucket_place.ts';
import type { BackupPlace } from './deps.ts';
import { createFolderPlace } from './folder_place.ts';

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
const TOLD = {
  named: {
    address: 'The bucket',
    keys: 'BACKUP_KEY_ID and BACKUP_SECRET_KEY',
    region: 'BACKUP_REGION',
  },
  secret:
    'a backup holds keys and all that callers keep. Take the right to read from everybody, or name another bucket.',
};

/** Where backups lie: a folder, or the address of a bucket with the keys of the settings. @throws Error saying what to write instead */
export function openPlace(target: string, config: Config): BackupPlace {
  if (ADDRESS.test(target)) return createBucketPlace(openBucket(target, config));
  if (resolve(target) === resolve(config.DATA_DIR))
    throw new Error('A backup of DATA_DIR cannot lie in it: name a folder on another disk.');
  return createFolderPlace(target);
}

function openBucket(address: string, config: Config): BucketApart {
  const { BACKUP_REGION, BACKUP_KEY_ID, BACKUP_SECRET_KEY, STORAGE_URL } = config;
  if (!isBucketAddress(address))
    throw new Error(
      `${address.slice(0, 200)} is no address of a bucket. Write its endpoint, the bucket and a prefix, such as https://s3.eu-central-1.amazonaws.com/bucket/backups; keys go into BACKUP_KEY_ID and BACKUP_SECRET_KEY.`,
    );
  if (STORAGE_URL && readAddress(STORAGE_URL).where === readAddress(address).where)
    throw new Error(
      'A backup cannot lie where STORAGE_URL keeps its bytes: name another bucket, or a prefix.',
    );
  const keyId = BACKUP_KEY_ID ?? config.STORAGE_KEY_ID;
  const secretKey = BACKUP_SECRET_KEY ?? config.STORAGE_SECRET_KEY;
  if (!keyId || !secretKey)
    throw new Error(
      'A bucket needs BACKUP_KEY_ID and BACKUP_SECRET_KEY: keys that may write, read, list and delete objects there.',
    );
  const region = BACKUP_REGION ?? config.STORAGE_REGION;
  const outgoing = join(config.DATA_DIR, 'outgoing');
  return createBucketApart(address, { region, keyId, secretKey, outgoing }, TOLD);
}
