/** Entry point of the process that decodes untrusted images: it holds no secrets, opens no socket, and may die at any time. */

import { type PipelinePart, watchPipelines } from '@atelier/imaging/codecs/watch_pipelines.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { refusalOf } from '../errors/refusal_of.ts';
import { valuesFrom, writeValue } from './blocking_pipe.ts';
import { ENGINES } from './engines.ts';
import { readInputFile } from './input_file.ts';
import type { AnswerMessage, Ending, JobMessage } from './messages.ts';
import type { OnProgress } from './metadata_passthrough.ts';
import { type Run, runPrepared } from './run_prepared.ts';
import type { RunSeconds } from './types.ts';

/** Times the runs of a process, which has one at a time. */
export interface PartTimer {
  begin(): void;
  /** Spent since the start of the run. */
  spent(): RunSeconds;
}

/** Measures the time of reading and writing images; concurrent pipelines count once. */
export function timeParts(now = () => performance.now()): PartTimer {
  let began = now();
  let cpuBefore = process.cpuUsage();
  let parts = noParts();
  watchPipelines((part, ended) => {
    const own = parts[part];
    if (own.open === 0) own.since = now();
    own.open += 1;
    const end = () => {
      own.open -= 1;
      if (own.open === 0) own.ms += now() - own.since;
    };
    ended.then(end, end);
  });
  return {
    begin() {
      began = now();
      cpuBefore = process.cpuUsage();
      parts = noParts();
    },
    spent() {
      const decoding = parts.decoding.ms / 1000;
      const encoding = parts.encoding.ms / 1000;
      const engine = Math.max(0, (now() - began) / 1000 - decoding - encoding);
      const { user, system } = process.cpuUsage(cpuBefore);
      return { decoding, encoding, engine, cpu: (user + system) / 1e6 };
    },
  };
}

const noParts = (): Record<PipelinePart, { open: number; since: number; ms: number }> => ({
  decoding: { open: 0, since: 0, ms: 0 },
  encoding: { open: 0, since: 0, ms: 0 },
});

const POOL_FD = 3;
const INPUT_FD = 4;
const timer = timeParts();
// Ctrl-C reaches the whole process group; the server finishes running calls and then ends this process.
process.on('SIGINT', () => {});
try {
  // Startup time belongs to no job.
  writeValue(POOL_FD, { kind: 'ready', cpuSecondsSoFar: cpuSeconds() } satisfies AnswerMessage);
  const readInput = (bytes: number) => readInputFile(INPUT_FD, bytes);
  for (const job of valuesFrom(POOL_FD, readInput)) await work(job as JobMessage);
} catch (error) {
  if (!isGone(error)) throw error;
}
process.exit();

async function work({ engine, input }: JobMessage): Promise<void> {
  const answer = (message: AnswerMessage) => writeValue(POOL_FD, message);
  const end = (ending: Ending) =>
    answer({
      ...ending,
      memoryBytes: process.memoryUsage.rss(),
      spent: timer.spent(),
      cpuSecondsSoFar: cpuSeconds(),
    });
  timer.begin();
  try {
    const run = (await ENGINES[engine]()) as Run;
    const onProgress: OnProgress = (fraction, message) => answer({ kind: 'progress', fraction, message });
    end({ kind: 'done', ...(await runPrepared({ engine, input }, run, onProgress)) });
  } catch (error) {
    end(failure(error));
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function failure(error: unknown): Ending {
  const refusal = refusalOf(error);
  if (refusal instanceof AtelierError) {
    const { cause: _, ...details } = refusal.details;
    const { code, message } = refusal;
    return { kind: 'refused', code, message, details };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'failed', reason };
}

/** The server closed its end, or died with unread data. */
function isGone(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '');
}
