import { statfs } from 'node:fs/promises';
import { DISK_FREE_BYTES_MIN, DISK_FREE_SHARE_MIN } from '../../../config/limits.ts';
import { AtelierError } from '../../errors/atelier_error.ts';

/** How long a disk check is cached. */
const DISK_CACHE_MS = 1_000;

interface DiskOptions {
  readonly folder: string;
  /** Default: 1 GiB or a twentieth of the disk, whichever is less. */
  readonly freeBytesMin?: number | undefined;
  readonly look?: (folder: string) => Promise<Space>;
  readonly now?: () => number;
}

interface Space {
  readonly bsize: number;
  /** Block size, and blocks available to this user. */
  readonly blocks: number;
  readonly bavail: number;
}

/** Checks once a second at most. A file system that reports no size counts as unlimited. */
export function createDisk({
  folder,
  freeBytesMin,
  look = statfs,
  now = () => performance.now(),
}: DiskOptions): Disk {
  let seen: { at: number; spareBytes: Promise<number> } | undefined;
  const spareLately = async (): Promise<number> => {
    if (!seen || now() - seen.at >= DISK_CACHE_MS) seen = { at: now(), spareBytes: spareNow() };
    return seen.spareBytes;
  };
  const spareNow = () => spareBytes(folder, freeBytesMin, look);
  return {
    async requireRoom(bytes = 0) {
      if ((await spareLately()) < bytes) throw full();
    },
    hasRoom: async () => (await spareLately()) >= 0,
    spareBytes: spareLately,
  };
}

/** Bytes that may still be written to the disk of a folder; negative below the required free space. */
export async function spareBytes(
  folder: string,
  freeBytesMin: number | undefined,
  look: NonNullable<DiskOptions['look']> = statfs,
): Promise<number> {
  const { bsize, blocks, bavail } = await look(folder).catch(() => ({ bsize: 0, blocks: 0, bavail: 0 }));
  if (blocks === 0) return Number.POSITIVE_INFINITY;
  const min = freeBytesMin ?? Math.min(DISK_FREE_BYTES_MIN, blocks * bsize * DISK_FREE_SHARE_MIN);
  return bavail * bsize - min;
}

const full = (): AtelierError =>
  new AtelierError(
    'storage_full',
    'The server is low on disk space and cannot save new files. Existing files are still available. Try again later.',
    { retryAfterSeconds: 300 },
  );

/** Disk watermark: keeps space for required writes (ledger, log). */
export interface Disk {
  /** @throws AtelierError storage_full if these bytes would exceed the watermark */
  requireRoom(bytes?: number): Promise<void>;
  hasRoom(): Promise<boolean>;
  /** Bytes that may still be stored; negative below the watermark. */
  spareBytes(): Promise<number>;
}
