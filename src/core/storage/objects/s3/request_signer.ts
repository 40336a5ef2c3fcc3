import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Request } from './s3_request.ts';

export interface S3Place {
  /** With the bucket as its path, without a slash at the end. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly keyId: string;
  readonly secretKey: string;
  /** Where callers reach the bucket, if that is elsewhere; without a slash at the end. */
  readonly publicUrl?: string | undefined;
}

/** Signs by the clock of the store, Signature Version 4. */
export interface RequestSigner {
  sign(request: S3Request): Promise<{ url: URL; headers: Headers }>;
  /** An address by which anybody may GET the object for so many seconds; `query` says how it is answered. */
  addressOf(key: string, query: Readonly<Record<string, string>>, seconds: number): Promise<string>;
  /** True where the clock of the store turns out to be another than it was signed for. */
  noteDate(headers: Headers): boolean;
  skewMs(): number;
}

const NO_BYTES = createHash('sha256').digest('hex');
/** Stores take a quarter of an hour of difference; a Date has whole seconds. */
const SKEW_MS_MIN = 60_000;

export function createRequestSigner(place: S3Place, now: () => number): RequestSigner {
  const { bucketUrl, publicUrl, region, keyId: accessKeyId, secretKey: secretAccessKey } = place;
  // The signing key of a day is derived once.
  const cache = new Map<string, ArrayBuffer>();
  let skewMs = 0;
  const signer = (more: Partial<ConstructorParameters<typeof AwsV4Signer>[0]> & { url: string }) => {
    if (cache.size > 2) cache.clear();
    const datetime = new Date(now() + skewMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
    return new AwsV4Signer({ ...more, accessKeyId, secretAccessKey, region, datetime, cache, service: 's3' });
  };
  return {
    async sign(request) {
      const { method, body } = request;
      const sha256 = body ? createHash('sha256').update(body).digest('hex') : NO_BYTES;
      const headers = { ...request.headers, 'X-Amz-Content-Sha256': sha256 };
      const signed = await signer({ method, url: urlOf(bucketUrl, request), headers }).sign();
      // Bytes are what was kept: nobody on the way is to pack them. Not signed, because fetch says it once more for a range.
      signed.headers.set('Accept-Encoding', 'identity');
      return signed;
    },
    async addressOf(key, query, seconds) {
      const address = urlOf(bucketUrl, { key, query: { ...query, 'X-Amz-Expires': String(seconds) } });
      const { url } = await signer({ url: address, signQuery: true }).sign();
      // Spaces as they were signed: not every store reads a plus as one.
      const signed = url.href.replaceAll('+', '%20');
      return publicUrl === undefined ? signed : publicUrl + signed.slice(bucketUrl.length);
    },
    noteDate(headers) {
      const ahead = Date.parse(headers.get('date') ?? '') - now();
      if (Number.isNaN(ahead)) return false;
      const isNews = Math.abs(ahead - skewMs) > SKEW_MS_MIN;
      if (isNews) skewMs = Math.abs(ahead) > SKEW_MS_MIN ? ahead : 0;
      return isNews;
    },
    skewMs: () => skewMs,
  };
}

function urlOf(bucketUrl: string, { key, query = {} }: Pick<S3Request, 'key' | 'query'>): string {
  const path = key === undefined ? '' : `/${key.split('/').map(encodeName).join('/')}`;
  const search = Object.entries(query).map(([name, value]) => `${encodeName(name)}=${encodeName(value)}`);
  return `${bucketUrl}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

/** As Signature Version 4 writes names: encodeURIComponent leaves five characters more. */
const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
