import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { freePiece } from '../../../core/storage/blobs/spool.ts';

const BLOCK = 512;

export interface TarFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Its bytes, to be read once before the next file is requested. The consumer owns the chunks and may free them. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Streams the files of a tar archive (POSIX.1-1988, `ustar`). Accepts only plain files with short names, as in our archives. Not
 * with the library for museum archives, which follows links and extended headers, and reads trailing zeros without limit; these are
 * errors here.
 * @param source ownership of its chunks passes to this function
 * @param sizeMax maximum bytes of a file of that name; undefined for an unexpected one
 * @throws AtelierError archive_invalid
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
  sizeMax: (name: string) => number | undefined,
): AsyncGenerator<TarFile> {
  const reader = createReader(source);
  try {
    yield* readFiles(reader, sizeMax);
  } finally {
    await reader.close();
  }
}

async function* readFiles(
  reader: Reader,
  sizeMax: (name: string) => number | undefined,
): AsyncGenerator<TarFile> {
  for (;;) {
    const head = await readBytes(reader.pieces(BLOCK), BLOCK);
    // Two zero blocks end the archive; bytes after them are ignored.
    if (head.every((byte) => byte === 0)) return;
    const { name, size } = readHead(head);
    const most = sizeMax(name);
    if (most === undefined)
      throw archiveInvalid(
        `It contains ${JSON.stringify(name)}, which its manifest does not list or lists only once.`,
      );
    if (size > most) throw archiveInvalid(`${name} has ${size} bytes, but ${most} were declared.`);
    yield { name, size, pieces: reader.pieces(size) };
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    await readBytes(reader.pieces(padding), padding);
  }
}

/** Reads a file, or a part of it, into a new buffer. @throws AtelierError archive_invalid */
export async function readBytes(pieces: AsyncIterable<Uint8Array>, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  try {
    for await (const piece of pieces) {
      bytes.set(piece, filled);
      filled += piece.byteLength;
      freePiece(piece);
    }
    return bytes;
  } finally {
    // Truncated archives can arrive faster than garbage is collected.
    if (filled < size) freePiece(bytes);
  }
}

/** Parses a header. @throws AtelierError archive_invalid */
function readHead(head: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => head.toString('latin1', from, to).replace(/\0.*$/s, '');
  const sum = head.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  const isOurs = text(257, 262) === 'ustar' && text(345, 500) === '' && /^0?$/.test(text(156, 157));
  const [size, checksum] = [octal(text(124, 136)), octal(text(148, 156))];
  if (!isOurs || checksum !== sum || size === undefined)
    throw archiveInvalid(
      'It is not a tar archive from GET /api/wallet/export: regular files only, uncompressed.',
    );
  return { name: text(0, 100), size };
}

const octal = (text: string): number | undefined =>
  /^ *[0-7]+ *$/.test(text) ? Number.parseInt(text, 8) : undefined;

interface Reader {
  /** The next `size` bytes. @throws AtelierError archive_invalid where fewer are left */
  pieces(size: number): AsyncGenerator<Uint8Array>;
  /** Discards the rest. */
  close(): Promise<void>;
}

function createReader(source: AsyncIterable<Uint8Array>): Reader {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Uint8Array = Buffer.alloc(0);
  return {
    async *pieces(size) {
      for (let left = size; left > 0; ) {
        if (rest.byteLength === 0) {
          const { value, done } = await iterator.next();
          if (done) throw archiveInvalid('It is incomplete.');
          rest = value;
        }
        const piece = rest.subarray(0, left);
        left -= piece.byteLength;
        rest = rest.subarray(piece.byteLength);
        yield piece;
      }
    },
    close: async () => void (await iterator.return?.()),
  };
}

export const archiveInvalid = (what: string): AtelierError =>
  new AtelierError('archive_invalid', `Archive rejected; nothing was imported. ${what}`);
