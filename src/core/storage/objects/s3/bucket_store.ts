import type { Queryable } from '../../../database/types.ts';
import { forgetLongCondemned } from '../store.ts';
import type { Store } from '../types.ts';
import { createBucket, metadataOf } from './bucket.ts';
import { createCondemned } from './condemned.ts';
import { endAbandonedUploads } from './end_abandoned_uploads.ts';
import { OF_STORE, probeBucket } from './probe_bucket.ts';
import { readAddress } from './read_address.ts';
import { requirePrivate } from './require_private.ts';
import { createS3Client, type S3Place } from './s3_client.ts';
import { createS3Objects } from './s3_objects.ts';

interface BucketStoreDeps extends Omit<S3Place, 'bucketUrl'> {
  readonly database: Queryable;
  readonly isDirect: boolean;
  readonly outgoing: string;
}

const OPEN_ADDRESSES =
  'URLs from STORAGE_LINKS=store would work without their signature and never expire. Remove public read access from the bucket, or use STORAGE_LINKS=server.';
const HEALTH_BYTES = Buffer.from('ok\n');
const HEALTH_SHA256 = 'dc51b8c96c2d745df3bd5590d990230a482fd247123599548e0632fdbf97fc22';

/** The bucket of a URL `https://endpoint/bucket/prefix`. */
export function createBucketStore(
  address: string,
  { database, isDirect, outgoing, ...keys }: BucketStoreDeps,
): Store {
  const { bucketUrl, prefix, where } = readAddress(address);
  const bucket = createBucket(createS3Client({ ...keys, bucketUrl }));
  const condemned = createCondemned(database);
  const within = (folder: string) =>
    createS3Objects({ bucket, condemned, isDirect, outgoing, prefix: `${prefix}${folder}` });
  const healthKey = `${prefix}health`;
  const writeHealth = () => bucket.put(healthKey, HEALTH_BYTES, metadataOf(HEALTH_SHA256));
  return {
    objectsOf: (kind) => within(`${kind}/`),
    remote: {
      where,
      root: within(''),
      async probe() {
        await probeBucket(bucket, prefix, { where, ...OF_STORE });
        if (isDirect) {
          await writeHealth();
          await requirePrivate(bucket, healthKey, OPEN_ADDRESSES);
        }
        await forgetLongCondemned(database);
        return { keepsFirst: bucket.keepsFirst };
      },
      endAbandoned: (now) => endAbandonedUploads(bucket, prefix, now),
      check: writeHealth,
    },
  };
}
