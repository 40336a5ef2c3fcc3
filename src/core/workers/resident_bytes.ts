import { readFileSync } from 'node:fs';

/** Resident memory of a process on Linux; 0 on other systems and for a process that has ended. */
export function residentBytes(pid: number | undefined): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
