import { PIECE_BYTES_MAX, PIECE_BYTES_MIN, PIECE_TAKEN_QUICKLY_MS } from '../limits.ts';
import type { Bucket } from './bucket.ts';
import { storageUnavailable } from './s3_failure.ts';

/** Where it begins and ends in its object, and the ETag that object had when it was opened. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly etag: string;
}

/**
 * Bytes of an object, or of a part of it, that are read as they are used: in pieces, so that nobody who reads slowly keeps a connection
 * to the store. An object that was replaced meanwhile is read no further.
 */
export class StoredBlob extends Blob {
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
