import type { Objects } from '../types.ts';
import { createBucket, metadataOf } from './bucket.ts';
import type { Condemned } from './condemned.ts';
import { endAbandonedUploads } from './end_abandoned_uploads.ts';
import { type Named, probeBucket } from './probe_bucket.ts';
import { readAddress } from './read_address.ts';
import { requirePrivate } from './require_private.ts';
import { createS3Client, type S3Place } from './s3_client.ts';
import { createS3Objects } from './s3_objects.ts';

/** A bucket that is the store of no server: what is removed is gone at once, and no row knows of it. */
export interface BucketApart {
  /** Its address, for messages. */
  readonly where: string;
  /** What lies in it under this name, which ends with a slash; empty: all of it. */
  within(folder: string): Objects;
  /** Does once everything that is asked of it. @throws Error saying what it cannot do, what to set, or that anybody may read it */
  probe(): Promise<void>;
  /** Ends uploads that a killed process has left half sent; returns how many. @throws AtelierError storage_unavailable */
  endAbandoned(now: Date): Promise<number>;
}

interface Keys extends Omit<S3Place, 'bucketUrl' | 'publicUrl'> {
  /** Folder for files that are made here before they are sent. */
  readonly outgoing: string;
}

/** Nobody sweeps there. */
const NEVER: Condemned = { claim: async () => false, forget: async () => {}, spare: async () => {} };
const PROBE_BYTES = Buffer.from('ok\n');
const PROBE_SHA256 = 'dc51b8c96c2d745df3bd5590d990230a482fd247123599548e0632fdbf97fc22';

interface Told {
  /** How whoever set it up calls it. */
  readonly named: Omit<Named, 'where'>;
  /** Why nobody else may read what lies there, and what to do. */
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
