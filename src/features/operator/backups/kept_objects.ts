import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { blobName } from '../../../core/storage/blobs/blob_name.ts';
import type { BackupPlace } from './deps.ts';
import { PART_BYTES_MAX } from './limits.ts';

/** Content-addressed objects that the backups of one storage share, named by their sha256. */
export interface BackupObjects {
  /** Stores bytes unless they exist; returns their name and the number of bytes added. */
  put(bytes: Uint8Array): Promise<{ sha256: string; addedBytes: number; bytes: number }>;
  /** The same for lines of text, compressed. */
  putLines(lines: readonly string[]): ReturnType<BackupObjects['put']>;
  /** The name of bytes in this store. */
  nameOf(bytes: Uint8Array): string;
  sizeOf(sha256: string): Promise<number | undefined>;
  /** @throws Error where they are missing or damaged */
  read(sha256: string): Promise<Uint8Array>;
  /** @throws as `read` */
  readLines(sha256: string): Promise<string[]>;
  /** Deletes every unreferenced object; returns their number. */
  removeAllBut(isNamed: (sha256: string) => boolean): Promise<number>;
}

export function createKeptObjects({ objects, where }: Pick<BackupPlace, 'objects' | 'where'>): BackupObjects {
  const put = async (bytes: Uint8Array) => {
    const sha256 = sha256Of(bytes);
    const isThere = (await objects.sizeOf(blobName(sha256))) === bytes.length;
    if (!isThere) await objects.replace(blobName(sha256), bytes);
    return { sha256, bytes: bytes.length, addedBytes: isThere ? 0 : bytes.length };
  };
  const read = async (sha256: string) => {
    const bytes = await objects.read(blobName(sha256));
    if (bytes && sha256Of(bytes) === sha256) return bytes;
    throw new Error(
      `${where}/objects/${blobName(sha256)} is ${bytes ? 'damaged' : 'missing'}. Restore it from another copy of the backup, or choose another backup with --at.`,
    );
  };
  return {
    put,
    putLines: async (lines) => put(await promisify(zstdCompress)(lines.map(lineOf).join(''))),
    nameOf: sha256Of,
    sizeOf: (sha256) => objects.sizeOf(blobName(sha256)),
    read,
    async readLines(sha256) {
      const packed = await read(sha256);
      const text = await promisify(zstdDecompress)(packed, { maxOutputLength: PART_BYTES_MAX });
      return text.toString().split('\n').slice(0, -1).map(parseLine);
    },
    async removeAllBut(isNamed) {
      let removed = 0;
      for await (const { name } of objects.list()) {
        if (isNamed(name.slice(name.lastIndexOf('/') + 1))) continue;
        await objects.remove(name);
        removed += 1;
      }
      return removed;
    },
  };
}

/** Escapes line ends in a line. */
const lineOf = (line: string): string => `${JSON.stringify(line)}\n`;
const parseLine = (line: string): string => String(JSON.parse(line));
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
