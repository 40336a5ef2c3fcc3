const BLOCK = 512;

export interface TarEntry {
  /** At most 100 plain characters. */
  readonly name: string;
  readonly size: number;
  /** Exactly `size` bytes. */
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A tar archive of plain files (POSIX.1-1988, `ustar`), made as fast as it is taken, a piece of one file in memory. */
export async function* writeTar(entries: AsyncIterable<TarEntry>, mtime: Date): AsyncGenerator<Uint8Array> {
  for await (const { name, size, bytes } of entries) {
    yield headOf(name, size, mtime);
    yield* bytes;
    yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

function headOf(name: string, size: number, mtime: Date): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const fields = [
    [0, name],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(Math.floor(mtime.getTime() / 1000), 11)],
    // The sum of all bytes is made with blanks where it will stand.
    [148, '        '],
    [156, '0'],
    [257, 'ustar\u000000'],
  ] as const;
  for (const [at, text] of fields) head.write(text, at, 'latin1');
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}
