import { closeSync, openSync, writeSync } from 'node:fs';
import type { Sink } from '@atelier/imaging/print/sheet_file.ts';
import { AtelierError } from '../errors/atelier_error.ts';

/** Creates a file readable by this user only. @throws AtelierError storage_full */
export function fileSink(path: string): Sink & { close(): void } {
  const file = openSync(path, 'wx', 0o600);
  const put = (bytes: Uint8Array, at: number | null): void => {
    for (let written = 0; written < bytes.length; )
      written += explainFullDisk(() => writeSync(file, bytes, written, bytes.length - written, at));
  };
  return {
    write: (bytes) => put(bytes, null),
    rewrite: (at, bytes) => put(bytes, at),
    close: () => closeSync(file),
  };
}

function explainFullDisk(work: () => number): number {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new AtelierError(
      'storage_full',
      'The disk of this server is full, so nothing was saved. Try again later.',
      {
        retryAfterSeconds: 300,
      },
    );
  }
}
