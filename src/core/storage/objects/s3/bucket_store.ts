import type { Queryable } from '../../../database/types.ts';
import { NAMES_AT_A_TIME, STORE_ANSWER_BYTES_MAX, UPLOAD_ABANDONED_MS } from '../limits.ts';
import { forgetLongCondemned } from '../store.ts';
import type { Objects, Store } from '../types.ts';
import { type Bucket, byOurClock, createBucket, decoded, metadataOf } from './bucket.ts';
import { createPendingDeletions, type PendingDeletions } from './pending_deletions.ts';
import { type Named, OF_STORE, probeBucket } from './probe_bucket.ts';
import { createS3Client, type S3Place } from './s3_client.ts';
import { childrenOf, parseXml, storageUnavailable, textOf, type XmlNode } from './s3_failure.ts';
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
  const condemned = createPendingDeletions(database);
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

/** A bucket that no server uses for storage: deletions take effect at once, and no rows reference it. */
export interface BackupBucket {
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
const NEVER: PendingDeletions = { claim: async () => false, forget: async () => {}, spare: async () => {} };
const PROBE_BYTES = Buffer.from('ok\n');
const PROBE_SHA256 = 'dc51b8c96c2d745df3bd5590d990230a482fd247123599548e0632fdbf97fc22';

interface Told {
  /** Names of its settings. */
  readonly named: Omit<Named, 'where'>;
  /** Risk of public access, and the remedy. */
  readonly secret: string;
}

export function createBackupBucket(
  address: string,
  { outgoing, ...keys }: Keys,
  { named, secret }: Told,
): BackupBucket {
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

/** Statuses of a store that cannot list uploads, or not with these credentials. Its lifecycle rule must then abort incomplete ones. */
const LISTS_NONE = [403, 405, 501];

/**
 * Aborts multipart uploads older than a day, as killed processes leave them. They are invisible but billed. Returns their number.
 * @throws AtelierError storage_unavailable
 */
export async function endAbandonedUploads(bucket: Bucket, prefix: string, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UPLOAD_ABANDONED_MS);
  let ended = 0;
  for await (const page of pagesOf(bucket, prefix))
    for (const upload of childrenOf(page, 'Upload')) {
      if (byOurClock(textOf(upload, 'Initiated') ?? '', bucket.client) >= before) continue;
      const key = decoded(textOf(upload, 'Key'), page);
      const query = { uploadId: textOf(upload, 'UploadId') ?? '' };
      await bucket.client.ask({ method: 'DELETE', key, query, expects: [404] });
      ended += 1;
    }
  return ended;
}

async function* pagesOf({ client }: Bucket, prefix: string): AsyncGenerator<XmlNode> {
  let from: Record<string, string> | undefined = {};
  while (from) {
    const { status, bytes } = await client.ask({
      method: 'GET',
      query: { uploads: '', prefix, 'encoding-type': 'url', 'max-uploads': String(NAMES_AT_A_TIME), ...from },
      bytesMax: STORE_ANSWER_BYTES_MAX,
      expects: LISTS_NONE,
    });
    if (LISTS_NONE.includes(status)) return;
    const page = parseXml(Buffer.from(bytes).toString());
    if (page?.name !== 'ListMultipartUploadsResult')
      throw storageUnavailable(new Error('the store returned a malformed list of uploads'));
    yield page;
    from =
      textOf(page, 'IsTruncated') === 'true'
        ? {
            'key-marker': decoded(textOf(page, 'NextKeyMarker'), page),
            'upload-id-marker': textOf(page, 'NextUploadIdMarker') ?? '',
          }
        : undefined;
  }
}

const ASK_MS = 5_000;

/**
 * Requests an object without credentials. An unreachable URL is left to the operator.
 * @param because the risk of public access, and the remedy
 * @throws Error with this text
 */
export async function requirePrivate(bucket: Bucket, key: string, because: string): Promise<void> {
  const terms = { contentType: 'text/plain', contentDisposition: 'attachment', cacheControl: 'no-store' };
  const address = new URL(await bucket.client.addressOf(key, terms));
  address.search = '';
  const answer = await fetch(address, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(ASK_MS),
  }).catch(() => undefined);
  if (answer?.ok) throw new Error(`${address.origin} is publicly readable: ${because}`);
}

/** Parses `https://endpoint/bucket/prefix`. */
export function readAddress(address: string) {
  const { origin, pathname } = new URL(address);
  const [name, ...rest] = pathname.split('/').filter(Boolean);
  return {
    bucketUrl: `${origin}/${name}`,
    /** Prefix of object names. Empty, or with a trailing slash. */
    prefix: rest.map((part) => `${decodeURIComponent(part)}/`).join(''),
    /** For messages. */
    where: `${origin}/${[name, ...rest].join('/')}`,
  };
}
