import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseFullDisk } from '../../blobs/disk.ts';
import {
  CONDEMNED_SECONDS,
  DELETING_MS_MAX,
  OBJECT_BYTES_MAX,
  PART_BYTES,
  PARTS_FROM_BYTES,
  PIECE_BYTES_MAX,
  PIECE_BYTES_MIN,
  PIECE_TAKEN_QUICKLY_MS,
  UPLOAD_ABANDONED_MS,
} from '../limits.ts';
import type { DirectBlob, DirectTerms, FoundObject, Objects } from '../types.ts';
import { type Bucket, escapeXml, headersOf, metadataOf } from './bucket.ts';
import type { PendingDeletions } from './pending_deletions.ts';
import { parseXml, S3Failure, type S3Request, storageUnavailable, textOf } from './s3_failure.ts';

/** Range in its object, and the ETag at the time of opening. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly etag: string;
}

/**
 * An object, or a slice of it, streamed in chunks by range requests, so that a slow reader does not occupy a connection to the
 * store. Reading stops if the object is replaced meanwhile.
 */
class StoredBlob extends Blob {
  protected readonly bucket: Bucket;
  protected readonly key: string;
  readonly #span: Span;
  override readonly size: number;

  constructor(bucket: Bucket, key: string, span: Span) {
    super([]);
    this.bucket = bucket;
    this.key = key;
    this.#span = span;
    this.size = span.end - span.start;
  }

  override slice(from = 0, to = this.size): Blob {
    const at = (place: number) =>
      this.#span.start + Math.min(Math.max(place < 0 ? this.size + place : place, 0), this.size);
    const start = at(from);
    return new StoredBlob(this.bucket, this.key, { ...this.#span, start, end: Math.max(start, at(to)) });
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return ReadableStream.from(this.#pieces());
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const whole = new Uint8Array(this.size);
    let at = 0;
    for await (const piece of this.#pieces()) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  async *#pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { start, end, etag } = this.#span;
    let pieceBytes = PIECE_BYTES_MIN;
    for (let at = start; at < end; ) {
      const range = { start: at, end: Math.min(at + pieceBytes, end), etag };
      const bytes = await this.#read(range);
      const givenAt = performance.now();
      yield bytes;
      const isQuick = performance.now() - givenAt < PIECE_TAKEN_QUICKLY_MS;
      pieceBytes = isQuick ? Math.min(2 * pieceBytes, PIECE_BYTES_MAX) : PIECE_BYTES_MIN;
      at = range.end;
    }
  }

  async #read(range: Span): Promise<Uint8Array<ArrayBuffer>> {
    const wanted = range.end - range.start;
    const found = await this.bucket.get(this.key, { bytesMax: wanted, range });
    if (found?.bytes.length === wanted) return found.bytes as Uint8Array<ArrayBuffer>;
    throw storageUnavailable(new Error(`${this.key} was removed while it was read`));
  }
}

/** During a longer write, another server may have condemned the name. */
const WRITE_MS_SAFE = (CONDEMNED_SECONDS * 1000) / 2;

/**
 * Writes under a name that may be condemned: no server deletes it before it exists, nor afterwards without a check of its age.
 * @throws AtelierError storage_unavailable if a slow write was deleted right away, and errors of `write`
 */
async function writeSpared(
  { bucket, condemned }: { bucket: Bucket; condemned: PendingDeletions },
  key: string,
  write: () => Promise<void>,
): Promise<void> {
  await condemned.spare(key);
  const begunAt = performance.now();
  await write();
  if (performance.now() - begunAt < WRITE_MS_SAFE) return;
  await condemned.spare(key);
  if (!(await bucket.head(key)))
    throw storageUnavailable(new Error(`${key} was deleted while it was written`));
}

/** An object that clients may be redirected to. */
class LinkedBlob extends StoredBlob implements DirectBlob {
  addressFor(terms: DirectTerms): Promise<string> {
    return this.bucket.client.addressOf(this.key, terms);
  }
}

interface S3ObjectsDeps {
  readonly bucket: Bucket;
  /** Prefix of object names: `prefix/blobs/`. Empty, or with a trailing slash. */
  readonly prefix: string;
  readonly condemned: PendingDeletions;
  /** Clients may be redirected to the store. */
  readonly isDirect: boolean;
  /** Folder for files that are created locally before their upload. */
  readonly outgoing: string;
}

/** Attempts to read bytes that do not match their hash. */
const READS_MAX = 3;

/** Objects in a bucket, shared by many servers. */
export function createS3Objects({ bucket, prefix, condemned, isDirect, outgoing }: S3ObjectsDeps): Objects {
  const keyOf = (name: string) => `${prefix}${name}`;
  const write = async (name: string, bytes: Uint8Array) => {
    const key = keyOf(name);
    if (bytes.length > PARTS_FROM_BYTES) await sendParts(bucket, key, sourceOf(bytes));
    else await bucket.put(key, bytes, metadataOf(sha256Of(bytes)));
  };
  const list = async function* (folder = ''): AsyncGenerator<FoundObject> {
    for await (const { key, ...found } of bucket.list(keyOf(folder && `${folder}/`)))
      yield { name: key.slice(prefix.length), ...found };
  };
  return {
    kind: 's3',
    write,
    add: (name, bytes) => bucket.putNew(keyOf(name), bytes, metadataOf(sha256Of(bytes))),
    async addFile(name, { path, sha256 }, { isFresh = false } = {}) {
      if (isFresh) return (await sendFile(bucket, keyOf(name), { path, sha256 })) >= 0;
      return bucket.putNew(keyOf(name), await readFile(path), metadataOf(sha256));
    },
    async replace(name, bytes) {
      await writeSpared({ bucket, condemned }, keyOf(name), () => write(name, bytes));
    },
    async make(name, fill) {
      await emptyOutgoing(outgoing);
      const path = join(outgoing, randomUUID());
      try {
        const made = await refuseFullDisk(() => fill(path));
        return { sizeBytes: await sendFile(bucket, keyOf(name), { path }), made };
      } finally {
        await rm(path, { force: true });
      }
    },
    sizeOf: async (name) => (await bucket.head(keyOf(name)))?.sizeBytes,
    async read(name, admit) {
      const found = admit && (await bucket.head(keyOf(name)));
      if (admit && !found) return undefined;
      await admit?.(found!.sizeBytes);
      return readChecked(bucket, keyOf(name));
    },
    async open(name) {
      const found = await bucket.head(keyOf(name));
      if (!found) return undefined;
      const span = { start: 0, end: found.sizeBytes, etag: found.etag };
      return isDirect ? new LinkedBlob(bucket, keyOf(name), span) : new StoredBlob(bucket, keyOf(name), span);
    },
    remove: (name) => bucket.remove(keyOf(name)),
    removeIfOlder: (name, than) => removeCondemned({ bucket, condemned }, keyOf(name), than),
    list,
    async folders() {
      return (await Array.fromAsync(bucket.listFolders(prefix))).map((key) => key.slice(prefix.length, -1));
    },
    async removeFolder(name) {
      return bucket.removeAll(bucket.list(keyOf(`${name}/`)));
    },
  };
}

/** Removes leftovers of killed processes before the next file is created. */
async function emptyOutgoing(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = Date.now() - UPLOAD_ABANDONED_MS;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}

/** @param file `sha256` in hex; absent: computed @returns its size in bytes */
async function sendFile(
  bucket: Bucket,
  key: string,
  { path, sha256 }: { readonly path: string; readonly sha256?: string },
): Promise<number> {
  const { size } = await stat(path);
  const file = await open(path);
  try {
    await sendParts(bucket, key, {
      sizeBytes: size,
      async sha256() {
        if (sha256 !== undefined) return sha256;
        const hash = createHash('sha256');
        for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk);
        return hash.digest('hex');
      },
      async read(start, end) {
        const bytes = Buffer.allocUnsafe(end - start);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
        if (bytesRead !== bytes.length) throw new Error(`${path} was truncated during the upload`);
        return bytes;
      },
    });
  } finally {
    await file.close();
  }
  return size;
}

const sourceOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  sha256: async () => sha256Of(bytes),
  read: async (start: number, end: number) => bytes.subarray(start, end),
});

async function readChecked(bucket: Bucket, key: string): Promise<Uint8Array | undefined> {
  for (let reads = 1; ; reads += 1) {
    const found = await bucket.get(key, { bytesMax: OBJECT_BYTES_MAX });
    if (!found) return undefined;
    if (found.sha256 === undefined || found.sha256 === sha256Of(found.bytes)) return found.bytes;
    if (reads === READS_MAX)
      throw storageUnavailable(new Error(`${key} was read ${reads} times with a wrong sha256`));
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Condemns an object, and deletes it if it was condemned long ago and is unchanged. Every write that began before has ended by then, and a
 * new one waits. False if nothing was deleted. @throws AtelierError storage_unavailable
 */
async function removeCondemned(
  { bucket, condemned }: { bucket: Bucket; condemned: PendingDeletions },
  key: string,
  olderThan: Date,
): Promise<boolean> {
  if (!(await condemned.claim(key))) return false;
  const end = performance.now() + DELETING_MS_MAX;
  const once = () => ({ onceWithinMs: Math.max(1, Math.floor(end - performance.now())) });
  const found = await bucket.head(key, once());
  const isOld = found !== undefined && found.modifiedAt < olderThan;
  // Not cleared on failure: the deletion may have happened, and the name is claimed again.
  if (isOld) await bucket.remove(key, once());
  await condemned.forget(key);
  return isOld;
}

interface Source {
  readonly sizeBytes: number;
  sha256(): Promise<string>;
  read(start: number, end: number): Promise<Uint8Array>;
}

/**
 * Uploads an object: small ones in one request, large ones in parts, with one part in memory at a time. The store publishes it at
 * completion; a failed upload is aborted. @throws AtelierError storage_unavailable, storage_full
 */
async function sendParts(bucket: Bucket, key: string, source: Source): Promise<void> {
  const { sizeBytes } = source;
  const metadata = { sha256: await source.sha256(), write: randomUUID() };
  if (sizeBytes <= PARTS_FROM_BYTES) return bucket.put(key, await source.read(0, sizeBytes), metadata);
  const { client } = bucket;
  const headers = headersOf(metadata);
  const begun = await client.ask({ method: 'POST', key, query: { uploads: '' }, headers });
  const uploadId = textOf(parseXml(Buffer.from(begun.bytes).toString()), 'UploadId');
  if (!uploadId) throw storageUnavailable(new Error('the store started an upload without an upload id'));
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

/** A store may send status 200 and then an error in the body. */
async function complete(
  bucket: Bucket,
  { key, uploadId, etags, write }: { key: string; uploadId: string; etags: readonly string[]; write: string },
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const request: S3Request = {
    method: 'POST',
    key,
    query: { uploadId },
    headers: { 'Content-Type': 'application/xml' },
    body: Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`),
    expects: [404],
  };
  const { status, bytes } = await bucket.client.ask(request);
  const body = Buffer.from(bytes).toString();
  if (status !== 404 && parseXml(body)?.name === 'CompleteMultipartUploadResult') return;
  // After a lost response, the upload is complete and the object exists.
  if ((await bucket.head(key))?.write === write) return;
  throw new S3Failure(request, { status, body }).asClientError;
}
