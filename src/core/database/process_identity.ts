import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process uniquely over time. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process, which detects a reused pid; empty if unknown. */
  readonly started: string;
  readonly host: string;
}

/** Identity of the current process. */
export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  started: startOf(process.pid),
  host: hostOf(),
});

/** Whether the process is alive; undefined for a process of another machine or container, which is not visible here. */
export function livesHere({ pid, started, host }: ProcessIdentity): boolean | undefined {
  if (host !== hostOf()) return undefined;
  return isAlive(pid) && (started === '' || startOf(pid) === started);
}

/** Whether the process started in the same pid namespace since this machine booted: several machines may share a name. */
export const isOfThisBoot = ({ started, host }: ProcessIdentity): boolean =>
  host === hostOf() && started !== '' && bootOf(started) === bootOf(startOf(process.pid));

const bootOf = (started: string): string => started.split('/')[0]!;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Boot id and clock tick of the start of the process, on Linux; empty elsewhere. `ended` for a zombie. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // proc(5): the name, field 2, may contain spaces and brackets; the state is field 3, the start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : `${boot}/${fields[19]}`;
  } catch {
    return '';
  }
}

/** Pid namespace: one machine, and on Linux one container of it. */
function hostOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
