import { AtelierError } from '../../../core/errors/atelier_error.ts';

const BLOCK = 512;

export interface TarFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Streams the files of a tar archive (POSIX.1-1988, `ustar`), one at a time in memory. Accepts only plain files with short names,
 * as in our archives. The library for museum archives follows links and extended headers, and reads zeros without end; here all of
 * that is an error before more is read.
 * @param sizeMax maximum bytes of a file of that name; undefined for an unexpected one
 * @param reserve waits for memory for a file of this size, before any of it is read
 * @throws AtelierError archive_invalid
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
  sizeMax: (name: string) => number | undefined,
  reserve: (name: string, bytes: number) => Promise<void> = async () => {},
): AsyncGenerator<TarFile> {
  const reader = createReader(source);
  try {
    yield* readFiles(reader, sizeMax, reserve);
  } finally {
    await reader.close();
  }
}

async function* readFiles(
  reader: ReturnType<typeof createReader>,
  sizeMax: (name: string) => number | undefined,
  reserve: (name: string, bytes: number) => Promise<void>,
): AsyncGenerator<TarFile> {
  for (;;) {
    const head = await reader.take(BLOCK);
    if (!head) throw archiveInvalid('It breaks off before its end.');
    // Two zero blocks end the archive; bytes after them are ignored.
    if (head.every((byte) => byte === 0)) return;
    const { name, size } = readHead(head);
    const most = sizeMax(name);
    if (most === undefined)
      throw archiveInvalid(
        `It holds ${JSON.stringify(name)}, which its manifest does not list, or not twice.`,
      );
    if (size > most) throw archiveInvalid(`${name} has ${size} bytes, and ${most} were said.`);
    await reserve(name, size);
    const bytes = await reader.take(size);
    const padding = await reader.take((BLOCK - (size % BLOCK)) % BLOCK);
    if (!bytes || !padding) throw archiveInvalid(`It breaks off in the middle of ${name}.`);
    yield { name, bytes };
  }
}

/** @throws AtelierError archive_invalid */
function readHead(head: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => head.toString('latin1', from, to).replace(/\0.*$/s, '');
  const sum = head.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  const isOurs = text(257, 262) === 'ustar' && text(345, 500) === '' && /^0?$/.test(text(156, 157));
  const [size, checksum] = [octal(text(124, 136)), octal(text(148, 156))];
  if (!isOurs || checksum !== sum || size === undefined)
    throw archiveInvalid(
      'It is no tar archive as GET /api/wallet/export makes them: plain files alone, uncompressed.',
    );
  return { name: text(0, 100), size };
}

const octal = (text: string): number | undefined =>
  /^ *[0-7]+ *$/.test(text) ? Number.parseInt(text, 8) : undefined;

/** Reads a given number of bytes from a stream. */
function createReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Uint8Array = Buffer.alloc(0);
  return {
    /** In its own buffer. Undefined at a premature end of the stream; the memory is released then. */
    async take(size: number): Promise<Buffer | undefined> {
      const bytes = Buffer.allocUnsafeSlow(size);
      let filled = 0;
      try {
        for (;;) {
          const piece = rest.subarray(0, size - filled);
          bytes.set(piece, filled);
          filled += piece.byteLength;
          rest = rest.subarray(piece.byteLength);
          if (filled === size) return bytes;
          const { value, done } = await iterator.next();
          if (done) return undefined;
          rest = value;
        }
      } finally {
        if (filled < size) releaseBuffer(bytes);
      }
    },
    /** Discards the rest. */
    close: async () => void (await iterator.return?.()),
  };
}

/** Releases the memory of a buffer at once: archives arrive faster than garbage is collected. */
export function releaseBuffer({ buffer }: Buffer): void {
  if (!(buffer as ArrayBuffer).detached) (buffer as ArrayBuffer).transfer(0);
}

export const archiveInvalid = (what: string): AtelierError =>
  new AtelierError('archive_invalid', `The archive is not taken, and nothing of it was kept. ${what}`);
