import type { BucketApart } from '../../../core/storage/objects/s3/bucket_apart.ts';
import type { BackupPlace } from './deps.ts';
import { holdBucket } from './hold_bucket.ts';

/** A bucket that no server keeps its bytes in. */
export function createBucketPlace(bucket: BucketApart): BackupPlace {
  return {
    where: bucket.where,
    objects: bucket.within('objects/'),
    manifests: bucket.within('backups/'),
    async hold() {
      await bucket.probe();
      const held = await holdBucket(bucket.within(''), bucket.where);
      await bucket.endAbandoned(new Date());
      return held;
    },
  };
}
