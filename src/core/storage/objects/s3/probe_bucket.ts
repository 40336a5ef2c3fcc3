import { randomUUID } from 'node:crypto';
import { type Bucket, metadataOf } from './bucket.ts';
import { S3Failure } from './s3_failure.ts';

const BYTES = Buffer.from('Atelier looks whether it can keep things here.\n');
const SHA256 = 'a3ded0fcc11995307d5dc208e976706247bf1ccf662275e575201083ab82481c';

/** Names of a bucket and its credentials in the configuration, for messages. */
export interface Named {
  readonly where: string;
  readonly address: string;
  readonly keys: string;
  readonly region: string;
}

/** Setting names of the storage bucket. */
export const OF_STORE = {
  address: 'STORAGE_URL',
  keys: 'STORAGE_KEY_ID and STORAGE_SECRET_KEY',
  region: 'STORAGE_REGION',
};

/**
 * Tries each operation that a server needs, and finds out whether the store supports conditional writes.
 * @throws Error naming a missing permission, or another problem
 */
export async function probeBucket(bucket: Bucket, prefix: string, named: Named): Promise<void> {
  const { address, where } = named;
  const key = `${prefix}probe/${randomUUID()}`;
  const metadata = metadataOf(SHA256);
  const tryTo = <T>(what: string, permission: string, work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw explain(error, { ...named, what, permission });
    });
  await tryTo('write', 's3:PutObject', () => bucket.put(key, BYTES, metadata));
  const kept = await tryTo('read', 's3:GetObject', () => bucket.get(key, { bytesMax: 2 * BYTES.length }));
  if (!kept || !BYTES.equals(kept.bytes) || kept.sha256 !== SHA256)
    throw new Error(`${address} ${where} does not return the content that was written to it.`);
  const listed = await tryTo('list', 's3:ListBucket', () => Array.fromAsync(bucket.list(key)));
  if (listed.length !== 1)
    throw new Error(`${address} ${where} does not list the object that was written to it.`);
  bucket.keepsFirst = await keepsFirst(bucket, key);
  await tryTo('delete', 's3:DeleteObject', () => bucket.remove(key));
}

async function keepsFirst({ client }: Bucket, key: string): Promise<boolean> {
  const headers = { 'If-None-Match': '*' };
  const { status } = await client.ask({ method: 'PUT', key, body: BYTES, headers, expects: [400, 412, 501] });
  return status === 412;
}

function explain(
  error: unknown,
  { where, address, keys, region, what, permission }: Named & { what: string; permission: string },
): Error {
  const failure = error instanceof Error && error.cause instanceof S3Failure ? error.cause : undefined;
  if (!failure) return error as Error;
  const { code, status, message } = failure;
  const advice =
    code === 'NoSuchBucket'
      ? 'Create the bucket, or correct its name.'
      : /^(InvalidAccessKeyId|SignatureDoesNotMatch)$/.test(code)
        ? `Correct ${keys}.`
        : /^(AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraintException)$/.test(code)
          ? `Set ${region} to the region of the bucket, and ${address} to its endpoint.`
          : status === 401 || status === 403
            ? `Allow these credentials to ${what} in the bucket (${permission}).`
            : `Correct ${address}, or start again when the store responds.`;
  return new Error(`${address} ${where} cannot be used to ${what}. ${advice} (${message})`, {
    cause: error,
  });
}
