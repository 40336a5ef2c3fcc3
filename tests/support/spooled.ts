import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpool, type SpooledFile } from '../../src/core/storage/blobs/spool.ts';

export const spool = createSpool({
  folder: mkdtempSync(join(tmpdir(), 'atelier-spooled-')),
  bytesMax: 2 ** 40,
});

/** The body of an upload as a file. */
export function spooled(bytes: string | Uint8Array): Promise<SpooledFile> {
  const writer = spool.open('203.0.113.1');
  writer.add(Uint8Array.from(Buffer.from(bytes)));
  return writer.finish();
}
