import { NAMES_AT_A_TIME, STORE_ANSWER_BYTES_MAX, UPLOAD_ABANDONED_MS } from '../limits.ts';
import { type Bucket, byOurClock, decoded } from './bucket.ts';
import { childrenOf, parseXml, storageUnavailable, textOf, type XmlNode } from './s3_failure.ts';

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
