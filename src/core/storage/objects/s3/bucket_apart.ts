import type { Objects } from '../types.ts';
import { createBucket, metadataOf } from './bucket.ts';
import type { Condemned } from './condemned.ts';
import { endAbandonedUploads } from './end_abandoned_uploads.ts';
import { type Named, probeBucket } from './probe_bucket.ts';
import { readAddress } from './read_address.ts';
import { requirePrivate } from './require_private.ts';
import { createS3Client, type S3Place } from './s3_client.ts';
import { createS3Objects } from './s3_objects.ts';

/** A bucket that no server uses for storage: deletions take effect at once, and no rows reference it. */
export interface BucketApart {
  /** Its URL, for messages. */
  readonly where: string;
  /** The objects under this prefix, which ends with a slash; empty: all. */
  within(folder: string): Objects;
  /** Tries each required operation once. @throws Error naming a missing permission or setting, or public access */
  probe(): Promise<void>;
  /** Aborts unfinished uploads of killed processes; returns their number. @throws AtelierError storage_unavailable */
  endAbandoned(now: Date): Promise<number>;
}

interface Keys extends Omit<S3Place, 'bucketUrl' | 'publicUrl'> {
  /** Folder for files that are created locally before their upload. */
  readonly outgoing: string;
}

/** The cleanup does not run on this bucket. */
const NEVER: Condemned = { claim: async () => false, forget: async () => {}, spare: async () => {} };
const PROBE_BYTES = Buffer.from('ok\n');
const PROBE_SHA256 = 'dc51b8c96c2d745df3bd5590d990230a482fd247123599548e0632fdbf97fc22';

interface Told {
  /** Names of its settings. */
  readonly named: Omit<Named, 'where'>;
  /** Risk of public access, and the remedy. */
  readonly secret: string;
}

export function createBucketApart(
  address: string,
  { outgoing, ...keys }: Keys,
  { named, secret }: Told,
): BucketApart {
  const { bucketUrl, prefix, where } = readAddress(address);
  const bucket = createBucket(createS3Client({ ...keys, bucketUrl }));
  const parts = { bucket, condemned: NEVER, isDirect: false, outgoing };
  return {
    where,
    within: (folder) => createS3Objects({ ...parts, prefix: `${prefix}${folder}` }),
    async probe() {
      await probeBucket(bucket, prefix, { where, ...named });
      const key = `${prefix}probe/private`;
      await bucket.put(key, PROBE_BYTES, metadataOf(PROBE_SHA256));
      await requirePrivate(bucket, key, secret);
      await bucket.remove(key);
    },
    endAbandoned: (now) => endAbandonedUploads(bucket, prefix, now),
  };
}
