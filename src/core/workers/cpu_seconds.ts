import { readFileSync } from 'node:fs';

/** Ticks a second in /proc, on every Linux of today. */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds, user and system, of all threads of a process so far: fields 14 and 15 of proc_pid_stat(5). Undefined on other systems and for a
 * process that has ended.
 */
export function cpuSecondsOf(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets and may hold blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
