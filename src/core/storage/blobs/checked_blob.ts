import { createHash, hash } from 'node:crypto';
import type { AtelierError } from '../../errors/atelier_error.ts';
import type { DirectBlob, DirectTerms } from '../objects/types.ts';
import { CHUNK_BYTES } from './limits.ts';
import type { BlobChecksums, StoredBytes } from './types.ts';

const DIGEST_BYTES = 32;
type Bytes = Uint8Array<ArrayBuffer>;

export const digestOf = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** SHA-256 of each MiB, one after another. */
export function chunkDigests(bytes: Uint8Array): Uint8Array {
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Buffer.concat(
    Array.from({ length: count }, (_, index) =>
      digestOf(bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)),
    ),
  );
}

/** Where a stored file's checksums are, and where its damage is reported. */
export interface BlobChecks {
  readonly sha256: string;
  /** Undefined for a file that was stored without. */
  load(): Promise<BlobChecksums | undefined>;
  save(checksums: BlobChecksums): Promise<void>;
  reportDamage(): AtelierError;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stored file, or a part of it, whose parts are checked a MiB at a time before any byte of that MiB is given out. */
export class CheckedBlob extends Blob implements StoredBytes {
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
    // A file that has become shorter has fewer chunks.
    if (index < last) throw this.reportDamage();
  }

  /** Of a file stored without checksums all bytes are read once, and compared with its name. */
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

/** The same of an object whose readers may be sent to the store: what the store answers is not checked here. */
export class CheckedDirectBlob extends CheckedBlob implements DirectBlob {
  declare protected readonly inner: DirectBlob;

  addressFor(terms: DirectTerms): Promise<string> {
    return this.inner.addressFor(terms);
  }
}

/** Pieces of a MiB each, the last perhaps shorter. */
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
