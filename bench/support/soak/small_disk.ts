import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Leaves no room. Absent where this user may not mount: then the folder lies on the disk everybody has. */
  readonly fill?: () => void;
  readonly empty: () => void;
  close(): void;
}

const MEBIBYTE = 1024 * 1024;
const SIZE_MIB = 300;

/** A folder on a file system of its own, in memory. */
export function openSmallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-soak-'));
  const isMounted = succeeds('mount', '-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', folder);
  const filler = (part: number) => join(folder, `filler-${part}`);
  const parts = Array.from({ length: SIZE_MIB }, (_, part) => part);
  return {
    folder,
    ...(isMounted && {
      fill() {
        for (const part of parts) {
          try {
            writeFileSync(filler(part), Buffer.alloc(MEBIBYTE, 1));
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            return;
          }
        }
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

function succeeds(command: string, ...words: string[]): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
