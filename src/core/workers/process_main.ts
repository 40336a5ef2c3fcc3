/** The process that decodes what strangers sent: it holds no secret, opens no socket, and may die at any time. */
import { AtelierError } from '../errors/atelier_error.ts';
import { refusalOf } from '../errors/refusal_of.ts';
import { valuesFrom, writeValue } from './blocking_pipe.ts';
import type { OnProgress } from './carrying.ts';
import { ENGINES } from './engines.ts';
import type { AnswerMessage, Ending, JobMessage } from './messages.ts';
import { type Run, runPrepared } from './run_prepared.ts';
import { timeParts } from './time_parts.ts';

const POOL_FD = 3;
const timer = timeParts();
// Ctrl-C reaches the whole group of processes; the server lets running calls finish and then ends us.
process.on('SIGINT', () => {});
try {
  // What it took to start belongs to no job.
  writeValue(POOL_FD, { kind: 'ready', cpuSecondsSoFar: cpuSeconds() } satisfies AnswerMessage);
  for (const job of valuesFrom(POOL_FD)) await work(job as JobMessage);
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

/** The server closed its end, or died with something unread. */
function isGone(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '');
}
