import { createHash, randomUUID } from 'node:crypto';
import { BUCKET_SEEN_MS, NAMES_AT_A_TIME, STORE_ANSWER_BYTES_MAX } from '../limits.ts';
import type { FoundObject } from '../types.ts';
import {
  childrenOf,
  parseXml,
  type S3Answer,
  type S3Client,
  type S3Request,
  storageUnavailable,
  textOf,
  type XmlNode,
} from './s3_failure.ts';

/** Metadata of an object: the hash of its bytes, and a write id, by which a write recognises itself after a lost response. */
interface Metadata {
  readonly sha256: string;
  readonly write: string;
}

/** Metadata of a new write, with a fresh write id. */
export const metadataOf = (sha256: string): Metadata => ({ sha256, write: randomUUID() });

export const headersOf = ({ sha256, write }: Metadata) => ({
  'Content-Type': 'application/octet-stream',
  'x-amz-meta-sha256': sha256,
  'x-amz-meta-write': write,
});

export const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Metadata of an object in a bucket. */
export interface Head {
  readonly sizeBytes: number;
  readonly etag: string;
  /** By the local clock. */
  readonly modifiedAt: Date;
  readonly sha256: string | undefined;
  readonly write: string | undefined;
}

type Listed = Omit<FoundObject, 'name'> & { readonly key: string };
type Once = Pick<S3Request, 'onceWithinMs'>;

/** Operations of one bucket. All of them throw AtelierError storage_unavailable; writes also storage_full. */
export interface Bucket {
  readonly client: S3Client;
  /** Whether the store supports conditional writes (`If-None-Match`), as the probe found. */
  keepsFirst: boolean;
  put(key: string, bytes: Uint8Array, metadata: Metadata): Promise<void>;
  /** False if the object exists. */
  putNew(key: string, bytes: Uint8Array, metadata: Metadata): Promise<boolean>;
  /** Undefined if the object does not exist and the bucket does. */
  head(key: string, once?: Once): Promise<Head | undefined>;
  get(key: string, options: { bytesMax: number; range?: Range }): Promise<(Head & Bytes) | undefined>;
  remove(key: string, once?: Once): Promise<void>;
  /** Deletes listed objects; returns their number. */
  removeAll(found: AsyncIterable<{ readonly key: string }>): Promise<number>;
  list(prefix: string): AsyncGenerator<Listed>;
  /** Common prefixes up to and including the next slash. */
  listFolders(prefix: string): AsyncGenerator<string>;
}

/** Bytes from `start` to before `end` of the object, if it still has this ETag. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly etag: string;
}

interface Bytes {
  readonly bytes: Uint8Array;
}

/** Operations of the bucket of a client. */
export function createBucket(client: S3Client): Bucket {
  const isThere = requireBucket(client);
  const head: Bucket['head'] = async (key, once = {}) => {
    const answer = await client.ask({ method: 'HEAD', key, expects: [404], ...once });
    // A missing bucket gives the same status.
    if (answer.status === 404) await isThere(once);
    return answer.status === 404 ? undefined : headOf(answer, client);
  };
  const put = (key: string, body: Uint8Array, metadata: Metadata, more: object = {}) =>
    client.ask({ method: 'PUT', key, body, headers: { ...headersOf(metadata), ...more }, expects: [412] });

  const bucket: Bucket = {
    client,
    keepsFirst: false,
    put: async (key, bytes, metadata) => void (await put(key, bytes, metadata)),
    async putNew(key, bytes, metadata) {
      if (!bucket.keepsFirst && (await head(key))) return false;
      const { status, attempts } = await put(
        ...([key, bytes, metadata] as const),
        bucket.keepsFirst ? { 'If-None-Match': '*' } : {},
      );
      // After a lost response, the existing object may come from the first attempt.
      const isOwn = status === 412 && attempts > 1 && (await head(key))?.write === metadata.write;
      return status !== 412 || isOwn;
    },
    head,
    async get(key, { bytesMax, range }) {
      const answer = await client.ask({
        method: 'GET',
        key,
        bytesMax,
        expects: [404],
        ...(range && {
          headers: { Range: `bytes=${range.start}-${range.end - 1}`, 'If-Match': range.etag },
        }),
      });
      if (answer.status !== 404) return { ...headOf(answer, client), bytes: answer.bytes };
      await isThere();
      return undefined;
    },
    remove: async (key, once = {}) =>
      void (await client.ask({ method: 'DELETE', key, expects: [404], ...once })),
    removeAll: (found) => removeAll(client, found),
    async *list(prefix) {
      for await (const page of pagesOf(client, { prefix }))
        for (const entry of childrenOf(page, 'Contents')) yield listedOf(entry, page, client);
    },
    async *listFolders(prefix) {
      for await (const page of pagesOf(client, { prefix, delimiter: '/' }))
        for (const entry of childrenOf(page, 'CommonPrefixes')) yield decoded(textOf(entry, 'Prefix'), page);
    },
  };
  return bucket;
}

async function removeAll(client: S3Client, found: AsyncIterable<{ readonly key: string }>): Promise<number> {
  let removed = 0;
  let keys: string[] = [];
  const removeSome = async () => {
    await removeTogether(client, keys);
    removed += keys.length;
    keys = [];
  };
  for await (const { key } of found) {
    keys.push(key);
    if (keys.length === NAMES_AT_A_TIME) await removeSome();
  }
  if (keys.length > 0) await removeSome();
  return removed;
}

/** Checks rarely: objects missing with their bucket were not deleted by us. */
function requireBucket(client: S3Client): (once?: Once) => Promise<void> {
  let seenAt = Number.NEGATIVE_INFINITY;
  return async (once = {}) => {
    if (performance.now() - seenAt < BUCKET_SEEN_MS) return;
    await client.ask({ method: 'HEAD', ...once });
    seenAt = performance.now();
  };
}

function headOf({ headers, bytes }: S3Answer, client: S3Client): Head {
  return {
    sizeBytes: Number(headers.get('content-length') ?? bytes.length),
    etag: headers.get('etag') ?? '',
    modifiedAt: byOurClock(headers.get('last-modified') ?? '', client),
    sha256: headers.get('x-amz-meta-sha256') ?? undefined,
    write: headers.get('x-amz-meta-write') ?? undefined,
  };
}

/** An unreadable time counts as now, so that no object is taken for old. */
export function byOurClock(time: string, client: S3Client): Date {
  const ms = Date.parse(time);
  return new Date(Number.isNaN(ms) ? Date.now() : ms - client.skewMs());
}

async function* pagesOf(client: S3Client, query: Record<string, string>): AsyncGenerator<XmlNode> {
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const { bytes } = await client.ask({
      method: 'GET',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        'max-keys': String(NAMES_AT_A_TIME),
        ...query,
        ...(token !== undefined && { 'continuation-token': token }),
      },
      bytesMax: STORE_ANSWER_BYTES_MAX,
    });
    const page = parseXml(Buffer.from(bytes).toString());
    if (page?.name !== 'ListBucketResult')
      throw storageUnavailable(new Error('the store returned a malformed list'));
    yield page;
    token = textOf(page, 'IsTruncated') === 'true' ? textOf(page, 'NextContinuationToken') : undefined;
  }
}

function listedOf(entry: XmlNode, page: XmlNode, client: S3Client): Listed {
  return {
    key: decoded(textOf(entry, 'Key'), page),
    sizeBytes: Number(textOf(entry, 'Size') ?? 0),
    modifiedAt: byOurClock(textOf(entry, 'LastModified') ?? '', client),
  };
}

/** Stores that support `encoding-type` confirm it. */
export function decoded(name = '', page: XmlNode): string {
  return textOf(page, 'EncodingType') === 'url' ? decodeURIComponent(name.replaceAll('+', ' ')) : name;
}

async function removeTogether(client: S3Client, keys: readonly string[]): Promise<void> {
  const names = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('');
  const body = Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Delete><Quiet>true</Quiet>${names}</Delete>`,
  );
  const md5 = createHash('md5').update(body).digest('base64');
  const request: S3Request = {
    method: 'POST',
    query: { delete: '' },
    body,
    bytesMax: STORE_ANSWER_BYTES_MAX,
    headers: { 'Content-MD5': md5, 'Content-Type': 'application/xml' },
  };
  const { status, bytes } = await client.ask(request);
  const failed = childrenOf(parseXml(Buffer.from(bytes).toString()), 'Error').filter(
    (error) => textOf(error, 'Code') !== 'NoSuchKey',
  );
  if (failed.length === 0) return;
  const [code, key] = [textOf(failed[0], 'Code'), textOf(failed[0], 'Key')];
  throw storageUnavailable(
    new Error(
      `the store kept ${failed.length} of ${keys.length} objects: ${code} (${key}), status ${status}`,
    ),
  );
}
