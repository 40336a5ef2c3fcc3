import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WORKER_MEMORY_BYTES_MAX, WORKER_MEMORY_CHECK_MS } from '../limits.ts';
import { onFrame, writeFrame } from './frames.ts';
import type { AnswerMessage, JobMessage } from './messages.ts';

/** Why a process ended while it had a job. */
export type Death = { readonly by: 'memory' } | { readonly by: 'end'; readonly detail: string };

interface Listener {
  onAnswer(answer: AnswerMessage): void;
  onDeath(death: Death): void;
}

/** One child process, working on at most one job. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  send(job: JobMessage): void;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

const MAIN = fileURLToPath(new URL('process_main.ts', import.meta.url));

/**
 * Few allocator arenas, as libvips frees in other threads than it allocates; few threads, as one picture is worked on
 * at a time. Nothing of the server's own environment is passed on: it holds secrets.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' };

export function startWorkerProcess({ onAnswer, onDeath }: Listener): WorkerProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: ENVIRONMENT,
  });
  const pipe = child.stdio[3] as Duplex;
  const memory = watchMemory(child);
  let outgrown = false;
  let dead = false;
  const died = (death: Death) => {
    if (dead) return;
    dead = true;
    memory.stop();
    onDeath(outgrown ? { by: 'memory' } : death);
  };

  memory.onOutgrown = () => {
    outgrown = true;
    child.kill('SIGKILL');
  };
  onFrame(pipe, (value) => {
    const answer = value as AnswerMessage;
    if (answer.kind !== 'progress') memory.stop();
    onAnswer(answer);
  });
  // A pipe that breaks is followed by the exit of the process, which is where it is reported.
  pipe.on('error', () => child.kill('SIGKILL'));
  child.on('error', (error) => died({ by: 'end', detail: error.message }));
  child.on('exit', (code, signal) => died({ by: 'end', detail: signal ?? `status ${code}` }));
  return {
    pid: child.pid,
    send(job) {
      memory.start();
      writeFrame(pipe, job);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Looks at the resident memory of a process while it works. Only Linux tells it without a call to the process itself. */
function watchMemory(child: ChildProcess): { onOutgrown: () => void; start(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const watch = {
    onOutgrown: () => {},
    start() {
      if (process.platform !== 'linux') return;
      timer = setInterval(() => {
        if (residentBytes(child.pid) > WORKER_MEMORY_BYTES_MAX) watch.onOutgrown();
      }, WORKER_MEMORY_CHECK_MS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
  return watch;
}

function residentBytes(pid: number | undefined): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
