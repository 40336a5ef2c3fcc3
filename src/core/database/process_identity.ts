import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process among all that there ever were. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When that process started, so that a number given to another process later is not taken for it; empty where unknown. */
  readonly started: string;
  readonly host: string;
}

export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  started: startOf(process.pid),
  host: hostOf(),
});

/** Whether it lives; undefined where it is one of another machine or container, which cannot be seen from here. */
export function livesHere({ pid, started, host }: ProcessIdentity): boolean | undefined {
  if (host !== hostOf()) return undefined;
  return isAlive(pid) && (started === '' || startOf(pid) === started);
}

/** Whether it was started where numbers of processes mean the same, since this machine was: machines may have one name. */
export const isOfThisBoot = ({ started, host }: ProcessIdentity): boolean =>
  host === hostOf() && started !== '' && bootOf(started) === bootOf(startOf(process.pid));

const bootOf = (started: string): string => started.split('/')[0]!;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Boot and clock tick the process started at, on Linux; empty elsewhere. `ended` for one that only waits to be collected. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // proc(5): the name, field 2, may hold spaces and brackets; the state is field 3, the start field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : `${boot}/${fields[19]}`;
  } catch {
    return '';
  }
}

/** Where process numbers mean the same: one machine, and on Linux one container of it. */
function hostOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
