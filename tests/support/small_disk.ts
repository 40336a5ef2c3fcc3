import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /**
   * Fills the disk up to this many free MiB, default 0. Absent if this user may not mount: then the folder is
   * on the shared disk.
   */
  readonly fill?: (roomMiB?: number) => void;
  readonly empty: () => void;
  close(): void;
}

const MEBIBYTE = 1024 * 1024;
const SIZE_MIB = 300;

/** A folder on its own file system, in memory. */
export function openSmallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-small-disk-'));
  const isMounted = succeeds('mount', '-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', folder);
  const filler = (part: number) => join(folder, `filler-${part}`);
  const parts = Array.from({ length: SIZE_MIB }, (_, part) => part);
  return {
    folder,
    ...(isMounted && {
      fill(roomMiB = 0) {
        // The part that does not fit is truncated, and uses up the remaining space.
        const written = parts.filter((part) => hasRoomFor(filler(part)));
        for (const part of written.slice(written.length - roomMiB)) rmSync(filler(part));
      },
    }),
    empty() {
      for (const part of parts) rmSync(filler(part), { force: true });
    },
    close() {
      if (isMounted) succeeds('umount', '--lazy', folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function hasRoomFor(path: string): boolean {
  try {
    writeFileSync(path, Buffer.alloc(MEBIBYTE, 1));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    return false;
  }
}

function succeeds(command: string, ...words: string[]): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
