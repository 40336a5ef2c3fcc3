import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALLOCATOR } from '../../bin/environment.mjs';

export interface BenchServer {
  readonly url: string;
  /**
   * Peak resident memory of the process and its children so far, in MiB (the sum of their individual peaks).
   */
  peakMemoryMiB(): number;
  /** Resident memory of the process itself, in MiB: current and peak. */
  mainMemoryMiB(): { readonly now: number; readonly peak: number };
  /** Current memory of the process and its children, in MiB; shared memory counts once. */
  memoryMiB(): number;
  /** CPU time of the main process with its threads so far. */
  mainCpuMs(): number;
  /** The same with shared memory counted in each process, in MiB. */
  residentMiB(): number;
  /** CPU time of the process and its children so far, including those that have ended. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** Clock tick of the kernel's CPU time, the same on all current Linux systems. */
const TICK_MS = 10;
const ROOT = join(import.meta.dirname, '../..');

interface Start {
  /** Arguments after the file. */
  readonly words?: readonly string[];
  /** The Node to run it with: a separate copy shares no pages with other programs. */
  readonly node?: string;
}

/** A benchmark acts as many clients from one address, and no downloads run meanwhile. */
const OF_BENCHES = { PORT: '0', LOG_LEVEL: 'error', CPU_SECONDS_BURST: '1000000', MODELS_PULL: 'none' };

/** Starts a program that prints its URL once it listens. */
export async function startServer(
  file: string,
  settings: Record<string, string> = {},
  { words = [], node = process.execPath }: Start = {},
): Promise<BenchServer> {
  const child = spawn(node, [...(process.env.SERVER_FLAGS?.split(' ') ?? []), join(ROOT, file), ...words], {
    cwd: ROOT,
    env: { ...ALLOCATOR, ...process.env, ...OF_BENCHES, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await printedAddress(child);
  return {
    url,
    peakMemoryMiB: () => Math.round(treeOf(child.pid!).reduce((sum, pid) => sum + peakKiB(pid), 0) / 1024),
    mainMemoryMiB: () => ({
      now: Math.round(residentKiB(child.pid!) / 1024),
      peak: Math.round(peakKiB(child.pid!) / 1024),
    }),
    memoryMiB: () => memoryMiBOf(child.pid!),
    residentMiB: () => Math.round(treeOf(child.pid!).reduce((sum, pid) => sum + residentKiB(pid), 0) / 1024),
    mainCpuMs: () => ownTicks(child.pid!) * TICK_MS,
    cpuMs: () => treeOf(child.pid!).reduce((sum, pid) => sum + cpuTicks(pid), 0) * TICK_MS,
    stop: async () => {
      const stopped = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await stopped;
    },
  };
}

async function printedAddress(child: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server stopped: ${text}`)));
    child.stdout!.on('data', (chunk) => {
      text += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (address) resolve(address);
    });
  });
}

/** A process and its descendants, by the parent ids in /proc. */
function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(fieldOf(Number(name), 'PPid')) }));
  const below = (pid: number): number[] => [
    pid,
    ...parents.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid)),
  ];
  return below(root);
}

/** Current memory of a process and its children, in MiB; shared memory counts once. */
export const memoryMiBOf = (pid: number): number =>
  Math.round(treeOf(pid).reduce((sum, each) => sum + proportionalKiB(each), 0) / 1024);

/** "Pss" of smaps_rollup in proc(5): pages mapped by several processes are divided among them. */
function proportionalKiB(pid: number): number {
  try {
    const [, size] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
    return Number(size ?? 0);
  } catch {
    return 0;
  }
}

const residentKiB = (pid: number): number => Number.parseInt(fieldOf(pid, 'VmRSS') ?? '0', 10) || 0;
const peakKiB = (pid: number): number => Number.parseInt(fieldOf(pid, 'VmHWM') ?? '0', 10) || 0;

/** utime, stime, and the same of reaped children: fields 14 to 17 of proc_pid_stat(5). */
const cpuTicks = (pid: number): number => ticksIn(pid, 4);

/** Only utime and stime. */
const ownTicks = (pid: number): number => ticksIn(pid, 2);

function ticksIn(pid: number, fieldCount: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 11 + fieldCount).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}

function fieldOf(pid: number, field: string): string | undefined {
  try {
    return new RegExp(`^${field}:\\s+(.+)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
