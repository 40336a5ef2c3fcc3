import { createHash, hash } from 'node:crypto';
import { basename } from 'node:path';
import { AtelierError } from '../../errors/atelier_error.ts';
import { type Reserve, reserveNothing } from '../../request_scope/request_scope.ts';
import type { DirectBlob, DirectTerms, Objects } from '../objects/types.ts';
import { blobName } from './blob_name.ts';
import { type Disk, tooLarge } from './disk.ts';

/** Bytes per checksum: a chunk is read and verified before its first byte is sent. */
export const CHUNK_BYTES = 1024 * 1024;

const DIGEST_BYTES = 32;
type Bytes = Uint8Array<ArrayBuffer>;

const digestOf = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** SHA-256 of each MiB, concatenated. */
function chunkDigests(bytes: Uint8Array): Uint8Array {
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Buffer.concat(
    Array.from({ length: count }, (_, index) =>
      digestOf(bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)),
    ),
  );
}

/** Source of the checksums of a stored file, and reporter of its damage. */
interface BlobChecks {
  readonly sha256: string;
  /** Undefined for a file stored without checksums. */
  load(): Promise<BlobChecksums | undefined>;
  save(checksums: BlobChecksums): Promise<void>;
  reportDamage(): AtelierError;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stored file, or a slice of it, that verifies each MiB before it yields bytes of it. */
class CheckedBlob extends Blob implements StoredBytes {
  protected readonly inner: Blob;
  readonly #checks: BlobChecks;
  readonly #span: Span;
  override readonly size: number;

  constructor(inner: Blob, checks: BlobChecks, span: Span = { start: 0, end: inner.size }) {
    super([]);
    this.inner = inner;
    this.#checks = checks;
    this.#span = span;
    this.size = span.end - span.start;
  }

  reportDamage(): AtelierError {
    return this.#checks.reportDamage();
  }

  override slice(from = 0, to = this.size): Blob {
    const at = (place: number) =>
      this.#span.start + Math.min(Math.max(place < 0 ? this.size + place : place, 0), this.size);
    const start = at(from);
    return new CheckedBlob(this.inner, this.#checks, { start, end: Math.max(start, at(to)) });
  }

  override stream(): ReadableStream<Bytes> {
    return this.size === this.inner.size ? this.inner.stream() : ReadableStream.from(this.#pieces());
  }

  override async bytes(): Promise<Bytes> {
    return Buffer.concat(await Array.fromAsync(this.stream()));
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytes();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  async *#pieces(): AsyncGenerator<Bytes> {
    const { start, end } = this.#span;
    if (start === end) return;
    const digests = await this.#digests();
    const first = Math.floor(start / CHUNK_BYTES);
    const last = Math.ceil(end / CHUNK_BYTES);
    let index = first;
    for await (const chunk of chunksOf(this.inner.slice(first * CHUNK_BYTES, last * CHUNK_BYTES))) {
      const expected = digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES);
      if (!digestOf(chunk).equals(expected)) throw this.reportDamage();
      const at = index * CHUNK_BYTES;
      yield chunk.subarray(Math.max(0, start - at), Math.min(chunk.length, end - at));
      index += 1;
    }
    // A truncated file has fewer chunks.
    if (index < last) throw this.reportDamage();
  }

  /** A file without checksums is read in full once, and compared with its name. */
  async #digests(): Promise<Uint8Array> {
    const { sha256 } = this.#checks;
    if (this.inner.size <= CHUNK_BYTES) return Buffer.from(sha256, 'hex');
    const kept = await this.#checks.load();
    if (kept && kept.bytes !== this.inner.size) throw this.reportDamage();
    if (kept) return kept.chunks;
    const whole = createHash('sha256');
    const digests: Buffer[] = [];
    for await (const chunk of chunksOf(this.inner)) {
      whole.update(chunk);
      digests.push(digestOf(chunk));
    }
    if (whole.digest('hex') !== sha256) throw this.reportDamage();
    const chunks = Buffer.concat(digests);
    await this.#checks.save({ bytes: this.inner.size, chunks });
    return chunks;
  }
}

/** The same for an object that clients may be redirected to: a response of the store itself is not verified. */
class CheckedDirectBlob extends CheckedBlob implements DirectBlob {
  declare protected readonly inner: DirectBlob;

  addressFor(terms: DirectTerms): Promise<string> {
    return this.inner.addressFor(terms);
  }
}

/** Chunks of a MiB each; the last may be shorter. */
async function* chunksOf(blob: Blob): AsyncGenerator<Bytes> {
  let chunk = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  for await (const piece of blob.stream() as unknown as AsyncIterable<Bytes>)
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(piece.length - at, CHUNK_BYTES - filled);
      chunk.set(piece.subarray(at, at + taken), filled);
      at += taken;
      filled += taken;
      if (filled < CHUNK_BYTES) continue;
      yield chunk;
      [chunk, filled] = [new Uint8Array(CHUNK_BYTES), 0];
    }
  if (filled > 0) yield chunk.subarray(0, filled);
}

const SHA256 = /^[0-9a-f]{64}$/;
const SWEEP_BATCH = 500;
/** Each server lists the bucket, and each listing is billed. */
const SWEEP_STORE_MS = 1_800_000;

/** Logger of damage; compatible with pino. */
interface DamageLogger {
  error(details: object, message: string): void;
}

/** Without a database, only the name of a file is known. */
const NO_RECORDS: BlobRecords = {
  saveChecksums: async () => {},
  checksumsOf: async () => undefined,
  saveDamage: async () => {},
  removeDamage: async () => {},
  forget: async () => {},
};

interface BlobsOptions {
  readonly logger?: DamageLogger;
  /** Absent: writes until the disk is full. */
  readonly disk?: Pick<Disk, 'requireRoom'>;
  /** Memory budget of reads. */
  readonly reserve?: Reserve;
  readonly records?: BlobRecords;
  /** Called for every damaged file that is requested. */
  readonly onDamage?: (kind: 'changed' | 'missing') => void;
}

/**
 * Content-addressed blobs, named by their sha256, as `ab/cd/abcd…`. Several processes may share the store. Every `put` writes
 * again: that repairs damaged bytes and renews their age, which keeps the cleanup from deleting a blob that has just been stored.
 */
export function createBlobs(
  objects: Objects,
  { logger, disk, reserve = reserveNothing, records = NO_RECORDS, onDamage }: BlobsOptions = {},
): Blobs {
  const { damaged, reportDamage } = createDamageReporter({ logger, records, onDamage });
  const isDue = dueEvery(objects.kind === 's3' ? SWEEP_STORE_MS : 0);

  return {
    async put(bytes) {
      await disk?.requireRoom(bytes.length);
      const sha256 = sha256Of(bytes);
      await objects.replace(blobName(sha256), bytes);
      if (bytes.length > CHUNK_BYTES)
        await records.saveChecksums(sha256, { bytes: bytes.length, chunks: chunkDigests(bytes) });
      if (damaged.delete(sha256)) await records.removeDamage(sha256);
      return sha256;
    },

    async get(sha256, { bytesMax = Number.POSITIVE_INFINITY, copies = 1 } = {}) {
      const admit = async (size: number) => {
        if (size > bytesMax) throw tooLarge(size, bytesMax);
        await reserve(size * copies);
        return undefined;
      };
      const bytes = SHA256.test(sha256) ? await objects.read(blobName(sha256), admit) : undefined;
      if (bytes && sha256Of(bytes) === sha256) return bytes;
      throw reportDamage(sha256, { isMissing: !bytes });
    },

    async open(sha256) {
      const blob = SHA256.test(sha256) ? await objects.open(blobName(sha256)) : undefined;
      const checks = {
        sha256,
        load: () => records.checksumsOf(sha256),
        save: (checksums: BlobChecksums) => records.saveChecksums(sha256, checksums),
        reportDamage: () => reportDamage(sha256, { isMissing: false }),
      };
      if (blob)
        return 'addressFor' in blob ? new CheckedDirectBlob(blob, checks) : new CheckedBlob(blob, checks);
      throw reportDamage(sha256, { isMissing: true });
    },

    sweep: async (isUsed, olderThan) => (isDue() ? sweepUnused(objects, records, { isUsed, olderThan }) : 0),
  };
}

function createDamageReporter({
  logger,
  records,
  onDamage,
}: Pick<BlobsOptions, 'logger' | 'onDamage'> & { readonly records: BlobRecords }) {
  /** Damage found by this process. Damage to a small file recorded by another process stays until the cleanup deletes the file. */
  const damaged = new Set<string>();
  const reportDamage = (sha256: string, { isMissing: missing }: { isMissing: boolean }): AtelierError => {
    logger?.error({ sha256, missing }, 'stored file is damaged');
    onDamage?.(missing ? 'missing' : 'changed');
    damaged.add(sha256);
    // The error is returned in any case, and logged if the database fails.
    if (SHA256.test(sha256))
      records
        .saveDamage(sha256, missing)
        .catch((error: unknown) => logger?.error({ sha256, err: error }, 'failed to record the damage'));
    return new AtelierError(
      'stored_file_damaged',
      missing ? 'The stored file is missing.' : 'The stored file is damaged: its checksum does not match.',
      { cause: new Error(`blob ${sha256} ${missing ? 'is missing' : 'no longer has its sha256'}`) },
    );
  };
  return { damaged, reportDamage };
}

async function sweepUnused(
  objects: Objects,
  records: BlobRecords,
  { isUsed, olderThan }: { isUsed: Parameters<Blobs['sweep']>[0]; olderThan: Date },
): Promise<number> {
  let removed = 0;
  let old: string[] = [];
  const removeUnused = async () => {
    const used = await isUsed(old.map((name) => basename(name)).filter((name) => SHA256.test(name)));
    const gone: string[] = [];
    for (const name of old) {
      // Files not named by a sha256 were left by a process that died while writing.
      if (!used.has(basename(name)) && (await objects.removeIfOlder(name, olderThan)))
        gone.push(basename(name));
    }
    if (gone.length > 0) await records.forget(gone);
    removed += gone.length;
    old = [];
  };
  for await (const { name, modifiedAt } of objects.list()) {
    if (modifiedAt < olderThan) old.push(name);
    if (old.length === SWEEP_BATCH) await removeUnused();
  }
  if (old.length > 0) await removeUnused();
  return removed;
}

/** True the first time, and again after each interval. */
function dueEvery(ms: number): () => boolean {
  let lastAt = Number.NEGATIVE_INFINITY;
  return () => {
    const isDue = performance.now() - lastAt >= ms;
    if (isDue) lastAt = performance.now();
    return isDue;
  };
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Checksums of a file of more than one MiB. */
export interface BlobChecksums {
  readonly bytes: number;
  /** SHA-256 of each MiB, concatenated. */
  readonly chunks: Uint8Array;
}

/** Metadata of stored files in the database, apart from their references. */
export interface BlobRecords {
  /** After storing or reading a file in full: clears its damage. */
  saveChecksums(sha256: string, checksums: BlobChecksums): Promise<void>;
  checksumsOf(sha256: string): Promise<BlobChecksums | undefined>;
  saveDamage(sha256: string, isMissing: boolean): Promise<void>;
  removeDamage(sha256: string): Promise<void>;
  /** Of deleted files. */
  forget(sha256s: readonly string[]): Promise<void>;
}

export interface DamagedBlob {
  readonly sha256: string;
  /** False if the bytes exist but differ. */
  readonly isMissing: boolean;
  readonly foundAt: Date;
}

/** A stored file, streamed from the disk. */
export interface StoredBytes extends Blob {
  /** Records bytes that do not match the sha256 of the file. Returns the error to throw. */
  reportDamage?(): AtelierError;
}

/** Content-addressed bytes on disk: written under a temporary name, synced, renamed. */
export interface Blobs {
  /** Stores bytes durably and returns their sha256 in hex. Idempotent. */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * Reads and verifies a blob.
   * @param options `copies`: number of copies of the bytes in memory
   * @throws AtelierError stored_file_damaged if the bytes are missing or do not match; payload_too_large above `bytesMax`, before anything
   * is read; busy
   */
  get(sha256: string, options?: { bytesMax?: number; copies?: number }): Promise<Uint8Array>;
  /**
   * Opens a blob for streaming from the disk. A slice verifies each MiB before it yields bytes of it; the reader of the whole blob verifies
   * it at the end.
   * @throws AtelierError stored_file_damaged if it is missing; streams of slices throw it too
   */
  open(sha256: string): Promise<StoredBytes>;
  /** Deletes every unreferenced blob older than `olderThan`. */
  sweep(isUsed: (sha256s: string[]) => Promise<Set<string>>, olderThan: Date): Promise<number>;
}
