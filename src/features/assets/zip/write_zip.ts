import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { identify } from '@atelier/imaging/codecs/identify.ts';
import { makeZip } from 'client-zip';
import mime from 'mime';
import { cleanFileName, stemOfFileName } from '../../../core/storage/blobs/file_name.ts';
import type { FileInZip, FileToPack } from './types.ts';

export async function writeZip(path: string, files: AsyncIterable<FileToPack>): Promise<FileInZip[]> {
  const written: FileInZip[] = [];
  const unique = createUniqueNames();
  async function* entries() {
    for await (const { name: known, bytes } of files) {
      const fallback = `file_${String(written.length + 1).padStart(2, '0')}`;
      const name = unique(withExtension(known ?? fallback, bytes));
      written.push({ name, sizeBytes: bytes.length });
      yield { name, size: bytes.length, input: bytes as Uint8Array<ArrayBuffer> };
    }
  }
  const zip = makeZip(entries()) as ReadableStream<Uint8Array>;
  await pipeline(Readable.fromWeb(zip as never), createWriteStream(path, { flags: 'wx' }));
  return written;
}

/** Adds the extension of its type to the name of an image without one. */
function withExtension(name: string, bytes: Uint8Array): string {
  const clean = cleanFileName(name) ?? 'file';
  if (stemOfFileName(clean) !== clean) return clean;
  const kind = identify(bytes);
  const extension = 'format' in kind ? mime.getExtension(`image/${kind.format}`) : null;
  return extension === null ? clean : `${clean}.${extension}`;
}

/** Makes names unique, ignoring case: a second `photo.png` becomes `photo (2).png`. */
function createUniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const stem = stemOfFileName(name);
    const extension = name.slice(stem.length);
    let unique = name;
    for (let count = 2; taken.has(unique.toLowerCase()); count += 1)
      unique = `${stem} (${count})${extension}`;
    taken.add(unique.toLowerCase());
    return unique;
  };
}
