import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bytes,
  cut,
  error,
  hangUp,
  type Say,
  silence,
  startHostileStore,
} from '../../../../../tests/support/hostile_store.ts';
import { spooled } from '../../../../../tests/support/spooled.ts';
import { createBucket } from './bucket.ts';
import type { PendingDeletions } from './pending_deletions.ts';
import { OF_STORE, probeBucket } from './probe_bucket.ts';
import { createS3Client } from './s3_client.ts';
import { createS3Objects } from './s3_objects.ts';

/** Failures of an object store. */

let store: Awaited<ReturnType<typeof startHostileStore>>;
beforeAll(async () => {
  store = await startHostileStore();
});
afterAll(() => store.close());

const HELLO = Buffer.from('hello');
const SHA256 = createHash('sha256').update(HELLO).digest('hex');
const UNAVAILABLE = { code: 'storage_unavailable', status: 503, details: { retryAfterSeconds: 10 } };
const nobodyDeletes: PendingDeletions = {
  claim: async () => false,
  forget: async () => {},
  spare: async () => {},
};
const OK = bytes('');

function given({ silenceMs = 2_000, now = Date.now, condemned = nobodyDeletes } = {}) {
  const client = createS3Client(
    { bucketUrl: store.bucketUrl, region: 'us-east-1', keyId: 'id', secretKey: 'secret' },
    { silenceMs, retryPauseMs: 1, now },
  );
  const bucket = createBucket(client);
  return {
    client,
    bucket,
    objects: createS3Objects({ bucket, prefix: 'p/', condemned, isDirect: false, outgoing: '/nowhere' }),
  };
}

test.each<[string, Say]>([
  ['responds with SlowDown', error(503, 'SlowDown')],
  ['responds with TooManyRequests', error(429, 'TooManyRequests')],
  ['responds with an internal error', error(500, 'InternalError')],
  ['closes the connection', hangUp],
  ['truncates the response', cut('hel')],
])('a request to a store that %s is retried until it succeeds', async (_what, fault) => {
  store.says(fault, fault, bytes('hello'));
  expect(await given().objects.read('a')).toEqual(HELLO);
  expect(store.asked).toHaveLength(3);
});

test.each<[string, Say]>([
  ['responds with an internal error every time', error(500, 'InternalError')],
  ['truncates every response', cut('hel')],
  ['refuses the credentials', error(403, 'AccessDenied')],
  ['no longer has the bucket', error(404, 'NoSuchBucket')],
  ['redirects to another address', error(301, 'PermanentRedirect', { Location: 'http://127.0.0.1:1/' })],
  ['returns an unknown response', error(418, '&bogus;')],
])('a store that %s is unavailable for reading and writing', async (_what, fault) => {
  store.says(fault);
  const { objects } = given();
  await expect(objects.read('a')).rejects.toMatchObject(UNAVAILABLE);
  await expect(objects.sizeOf('a')).rejects.toMatchObject(UNAVAILABLE);
  await expect(objects.open('a')).rejects.toMatchObject(UNAVAILABLE);
  await expect(objects.write('a', HELLO)).rejects.toMatchObject(UNAVAILABLE);
  await expect(objects.replace('a', HELLO)).rejects.toMatchObject(UNAVAILABLE);
  await expect(objects.addFile('a', await spooled(HELLO))).rejects.toMatchObject(UNAVAILABLE);
  await expect(Array.fromAsync(objects.list())).rejects.toMatchObject(UNAVAILABLE);
  await expect(objects.removeFolder('a')).rejects.toMatchObject(UNAVAILABLE);
});

test('error details of the store do not reach the caller', async () => {
  store.says(error(403, 'AccessDenied'));
  const refused = await given()
    .objects.read('a')
    .catch((caught: unknown) => caught as Error);
  expect((refused as Error).message).not.toMatch(/AccessDenied|p\/a|127/);
  expect(((refused as Error).cause as Error).message).toContain('403 AccessDenied');
});

test('a request to a silent store times out', async () => {
  store.says(silence);
  const begunAt = performance.now();
  await expect(given({ silenceMs: 50 }).objects.read('a')).rejects.toMatchObject(UNAVAILABLE);
  expect(performance.now() - begunAt).toBeLessThan(2_000);
});

test.each([
  [507, 'InsufficientStorage'],
  [403, 'QuotaExceeded'],
  [507, 'XMinioStorageFull'],
])('%i %s means that the store is full', async (status, code) => {
  store.says(error(status, code));
  await expect(given().objects.write('a', HELLO)).rejects.toMatchObject({
    code: 'storage_full',
    status: 503,
  });
  expect(store.asked).toHaveLength(1);
});

test('bytes with the wrong checksum are requested again and never returned', async () => {
  const { objects } = given();
  const kept = { 'x-amz-meta-sha256': SHA256 };
  store.says(bytes('hellO', kept), bytes('hello', kept));
  expect(await objects.read('a')).toEqual(HELLO);
  store.says(bytes('hellO', kept));
  await expect(objects.read('a')).rejects.toMatchObject(UNAVAILABLE);
});

test('an object in a missing bucket is reported as unavailable, not as missing', async () => {
  const missing = error(404, 'NoSuchKey');
  store.says(missing);
  await expect(given().objects.sizeOf('a')).rejects.toMatchObject(UNAVAILABLE);
  store.says((asked, response) => (asked.url === '/bucket' ? OK : missing)(asked, response));
  expect(await given().objects.sizeOf('a')).toBeUndefined();
});

test('clock skew is corrected with the clock of the store', async () => {
  const wrong = Date.parse('2020-01-01T00:00:00Z');
  const { objects } = given({ now: () => wrong });
  store.says(error(403, 'RequestTimeTooSkewed'), bytes('hello'));
  expect(await objects.read('a')).toEqual(HELLO);
  const [first, second] = store.asked.map(({ headers }) => String(headers['x-amz-date']));
  expect([first?.slice(0, 4), second?.slice(0, 4)]).toEqual(['2020', String(new Date().getFullYear())]);
});

test('a write whose response was lost recognises its own object', async () => {
  const { bucket, objects } = given();
  bucket.keepsFirst = true;
  let own = '';
  const keep: Say = ({ headers }, response) => {
    own = String(headers['x-amz-meta-write']);
    response.destroy();
  };
  const taken = error(412, 'PreconditionFailed');
  store.says(keep, taken, (_, response) => void response.writeHead(200, { 'x-amz-meta-write': own }).end());
  expect(await objects.addFile('a', await spooled(HELLO))).toBe(true);
  store.says(
    hangUp,
    taken,
    (_, response) => void response.writeHead(200, { 'x-amz-meta-write': 'other' }).end(),
  );
  expect(await objects.addFile('a', await spooled(HELLO))).toBe(false);
});

test('a list of 3,000 names is read in pages', async () => {
  const page = (from: number): Say => {
    const names = Array.from(
      { length: 1000 },
      (_, index) =>
        `<Contents><Key>p/f/${from + index}</Key><Size>5</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
    );
    const more = from < 2000;
    return bytes(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>t/${from}+=</NextContinuationToken>` : ''}${names.join('')}</ListBucketResult>`,
    );
  };
  store.says(page(0), page(1000), page(2000));
  const found = await Array.fromAsync(given().objects.list('f'));
  expect([found.length, new Set(found.map(({ name }) => name)).size, found[0]!.name]).toEqual([
    3000,
    3000,
    'f/0',
  ]);
  expect(store.asked[1]!.url).toContain('continuation-token=t%2F0%2B%3D');
});

test('objects the store fails to delete are reported', async () => {
  const listed = bytes('<ListBucketResult><Contents><Key>p/f/1</Key></Contents></ListBucketResult>');
  store.says(
    listed,
    bytes('<DeleteResult><Error><Code>AccessDenied</Code><Key>p/f/1</Key></Error></DeleteResult>'),
  );
  await expect(given().objects.removeFolder('f')).rejects.toMatchObject(UNAVAILABLE);
});

test('a failed multipart upload is aborted', async () => {
  const begun = bytes(
    '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>',
  );
  const large = Buffer.alloc(17 * 1024 * 1024);
  store.says(begun, OK, error(403, 'QuotaExceeded'), error(204, ''));
  await expect(given().objects.write('a', large)).rejects.toMatchObject({ code: 'storage_full' });
  expect(store.asked.at(-1)).toMatchObject({ method: 'DELETE', url: '/bucket/p/a?uploadId=u' });
  // A store may fail after it has sent status 200.
  const failing = bytes('<Error><Code>InternalError</Code></Error>');
  store.says(begun, OK, OK, OK, failing);
  await expect(given().objects.write('a', large)).rejects.toMatchObject(UNAVAILABLE);
});

test('a stream whose object was replaced ends in an error instead of returning other bytes', async () => {
  const { objects } = given();
  store.says(
    (_, response) => void response.writeHead(200, { 'Content-Length': '100000', ETag: '"1"' }).end(),
  );
  const blob = (await objects.open('a'))!;
  store.says(
    (_, response) => void response.writeHead(206, { ETag: '"1"' }).end(Buffer.alloc(65536)),
    error(412, 'PreconditionFailed'),
  );
  await expect(Array.fromAsync(blob.stream())).rejects.toMatchObject(UNAVAILABLE);
  expect(store.asked.map(({ headers }) => [headers.range, headers['if-match']])).toEqual([
    ['bytes=0-65535', '"1"'],
    ['bytes=65536-99999', '"1"'],
  ]);
});

test('bytes stored again while a cleanup deletes them still exist afterwards', async () => {
  const taken = Promise.withResolvers<void>();
  const order: string[] = [];
  const condemned: PendingDeletions = {
    claim: async () => true,
    forget: async () => taken.resolve(),
    spare: async () => {
      await taken.promise;
      order.push('spared');
    },
  };
  const { objects } = given({ condemned });
  store.says(({ method }, response) => {
    order.push(method);
    response.writeHead(200, { 'Last-Modified': new Date(0).toUTCString() }).end();
  });
  const [removed] = await Promise.all([
    objects.removeIfOlder('a', new Date(1_000_000)),
    objects.replace('a', HELLO),
  ]);
  expect([removed, order]).toEqual([true, ['HEAD', 'DELETE', 'spared', 'PUT']]);
});

test.each([
  [
    error(403, 'AccessDenied'),
    /cannot be used to write. Allow these credentials to write in the bucket \(s3:PutObject\)/,
  ],
  [error(404, 'NoSuchBucket'), /Create the bucket, or correct its name/],
  [error(403, 'SignatureDoesNotMatch'), /Correct STORAGE_KEY_ID and STORAGE_SECRET_KEY/],
  [error(400, 'AuthorizationHeaderMalformed'), /Set STORAGE_REGION/],
  [hangUp, /start again when the store responds/],
])('an unusable bucket is reported in one sentence: %#', async (fault, sentence) => {
  store.says(fault);
  await expect(
    probeBucket(given().bucket, 'p/', { where: 'https://s3.test/bucket', ...OF_STORE }),
  ).rejects.toThrow(sentence);
});

test('credentials that may write but not delete are detected', async () => {
  const kept: Record<string, Buffer> = {};
  store.says((asked, response) => {
    const { method, url, headers, body } = asked;
    if (method === 'PUT') {
      if (headers['if-none-match']) return error(412, 'PreconditionFailed')(asked, response);
      kept[url] = body;
      return OK(asked, response);
    }
    if (method === 'DELETE') return error(403, 'AccessDenied')(asked, response);
    const [name] = Object.keys(kept);
    if (!url.includes('list-type'))
      return bytes(kept[url]!, {
        'x-amz-meta-sha256': createHash('sha256').update(kept[url]!).digest('hex'),
      })(asked, response);
    return bytes(`<ListBucketResult><Contents><Key>${name!.slice(8)}</Key></Contents></ListBucketResult>`)(
      asked,
      response,
    );
  });
  await expect(
    probeBucket(given().bucket, 'p/', { where: 'https://s3.test/bucket', ...OF_STORE }),
  ).rejects.toThrow('Allow these credentials to delete in the bucket (s3:DeleteObject)');
});
