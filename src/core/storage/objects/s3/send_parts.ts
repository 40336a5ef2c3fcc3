import { randomUUID } from 'node:crypto';
import { PART_BYTES, PARTS_FROM_BYTES } from '../limits.ts';
import type { Bucket } from './bucket.ts';
import { escapeXml, headersOf } from './metadata.ts';
import { parseXml, textOf } from './parse_xml.ts';
import { S3Failure, storageUnavailable } from './s3_failure.ts';
import type { S3Request } from './s3_request.ts';

interface Source {
  readonly sizeBytes: number;
  sha256(): Promise<string>;
  read(start: number, end: number): Promise<Uint8Array>;
}

/**
 * Sends an object: a small one at once, a large one in parts, one of which is in memory at a time. The store shows nothing of it
 * until all are there, and what fails is taken back. @throws AtelierError storage_unavailable, storage_full
 */
export async function sendParts(bucket: Bucket, key: string, source: Source): Promise<void> {
  const { sizeBytes } = source;
  const metadata = { sha256: await source.sha256(), write: randomUUID() };
  if (sizeBytes <= PARTS_FROM_BYTES) return bucket.put(key, await source.read(0, sizeBytes), metadata);
  const { client } = bucket;
  const headers = headersOf(metadata);
  const begun = await client.ask({ method: 'POST', key, query: { uploads: '' }, headers });
  const uploadId = textOf(parseXml(Buffer.from(begun.bytes).toString()), 'UploadId');
  if (!uploadId) throw storageUnavailable(new Error('the store began an upload without naming it'));
  try {
    const etags: string[] = [];
    for (let start = 0; start < sizeBytes; start += PART_BYTES) {
      const body = await source.read(start, Math.min(start + PART_BYTES, sizeBytes));
      const query = { partNumber: String(etags.length + 1), uploadId };
      etags.push((await client.ask({ method: 'PUT', key, query, body })).headers.get('etag') ?? '');
    }
    await complete(bucket, { key, uploadId, etags, write: metadata.write });
  } catch (error) {
    await client.ask({ method: 'DELETE', key, query: { uploadId }, expects: [404] }).catch(() => {});
    throw error;
  }
}

/** A store may answer that it is well and then, in the body, that it is not. */
async function complete(
  bucket: Bucket,
  { key, uploadId, etags, write }: { key: string; uploadId: string; etags: readonly string[]; write: string },
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const request: S3Request = {
    ...{ method: 'POST', key, query: { uploadId }, headers: { 'Content-Type': 'application/xml' } },
    body: Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`),
    expects: [404],
  };
  const { status, bytes } = await bucket.client.ask(request);
  const body = Buffer.from(bytes).toString();
  if (status !== 404 && parseXml(body)?.name === 'CompleteMultipartUploadResult') return;
  // Where the answer to a first try was lost, the upload is over and the object is there.
  if ((await bucket.head(key))?.write === write) return;
  throw new S3Failure(request, { status, body }).toldAs;
}
