import { spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf } from './cpu_seconds.ts';
import { frameReader, writeFrame } from './frames.ts';
import { WORKER_MEMORY_CHECK_MS } from './limits.ts';
import type { AnswerMessage, JobMessage } from './messages.ts';
import { residentBytes } from './resident_bytes.ts';

/** Why a process ended while it had a job. */
export type Death = { readonly by: 'memory' } | { readonly by: 'end'; readonly detail: string };

interface Options {
  /** A process that holds more while it works is ended. */
  readonly memoryBytesMax: number;
  onAnswer(answer: AnswerMessage): void;
  onDeath(death: Death): void;
}

/** One child process, working on at most one job. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  send(job: JobMessage): void;
  /**
   * CPU seconds of all threads since the job was sent. Of a process that has ended: the last reading, at most WORKER_MEMORY_CHECK_MS old. On
   * systems without /proc: elapsed seconds.
   */
  cpuSeconds(): number;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

const MAIN = fileURLToPath(new URL('./process_main.ts', import.meta.url));

/** Young objects have 4 MB in place of 16: pixels lie outside, and a process that resizes holds 20 MB less and takes as long. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'];

/**
 * Few allocator arenas, as libvips frees in other threads than it allocates, and what is free at their end goes back; few threads,
 * as one picture is worked on at a time; no log line for every damaged picture. Nothing of the server's own environment is
 * passed on, as it holds secrets, but where compiled sources are kept.
 */
const ENVIRONMENT = {
  ...{ MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '2', VIPS_WARNING: '0' },
  ...compiledSources(),
};

export function startWorkerProcess({ memoryBytesMax, onAnswer, onDeath }: Options): WorkerProcess {
  const child = spawn(process.execPath, [...FLAGS, MAIN], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: ENVIRONMENT,
  });
  const pipe = child.stdio[3] as Duplex;
  let hasOutgrown = false;
  let watch: NodeJS.Timeout | undefined;
  const clock = jobClock(child.pid);
  const reportDeath = (reason: Death) => {
    clearInterval(watch);
    onDeath(hasOutgrown ? { by: 'memory' } : reason);
  };
  const read = frameReader((value) => {
    const answer = value as AnswerMessage;
    if (answer.kind !== 'progress') clearInterval(watch);
    onAnswer(answer);
  });
  pipe.on('data', read);
  // A pipe breaks when its process dies, and why it died is told on exit.
  pipe.on('error', () => child.kill('SIGKILL'));
  child.on('exit', (code, signal) => reportDeath({ by: 'end', detail: signal ?? `status ${code}` }));
  // The process did not start at all: then there is no exit.
  child.on('error', (error) => child.pid === undefined && reportDeath({ by: 'end', detail: error.message }));
  return {
    pid: child.pid,
    send(job) {
      clock.begin();
      watch = watchProcess(() => {
        clock.seconds();
        if (residentBytes(child.pid) <= memoryBytesMax) return;
        hasOutgrown = true;
        child.kill('SIGKILL');
      });
      writeFrame(pipe, job);
    },
    cpuSeconds: () => clock.seconds(),
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * Without it each process takes the types out of its sources anew, which costs time and 20 MB. They are kept apart from those of the
 * server, which sets flags of V8: what was compiled under other flags is refused, and written anew by whoever ends last.
 */
function compiledSources(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: join(dirname(folder), 'pixels') };
}

/** Only Linux tells the resident memory of a process from outside; elsewhere the bound on pixels has to do. */
function watchProcess(look: () => void): NodeJS.Timeout | undefined {
  if (process.platform !== 'linux') return undefined;
  return setInterval(look, WORKER_MEMORY_CHECK_MS).unref();
}

/** Reads what the job of a process has used; the kernel forgets it when the process has ended. */
function jobClock(pid: number | undefined): { begin(): void; seconds(): number } {
  let [beganMs, before, last] = [0, 0, 0];
  return {
    begin() {
      beganMs = performance.now();
      before = cpuSecondsOf(pid) ?? 0;
      last = 0;
    },
    seconds() {
      const now = cpuSecondsOf(pid);
      if (now !== undefined) last = now - before;
      else if (process.platform !== 'linux') last = (performance.now() - beganMs) / 1000;
      return last;
    },
  };
}
