/** The process that decodes what strangers sent: it holds no secret, opens no socket, and may die at any time. */
import { Socket } from 'node:net';
import { AtelierError } from '../errors.ts';
import { ENGINES } from './engines.ts';
import { frameReader, writeFrame } from './frames.ts';
import type { AnswerMessage, JobMessage } from './messages.ts';

/** Read into one buffer again and again: a picture comes in many pieces. */
const PIPE_BUFFER_BYTES = 256 * 1024;
const read = frameReader((job) => void work(job as JobMessage));
const pool = new Socket({
  fd: 3,
  onread: {
    buffer: new Uint8Array(PIPE_BUFFER_BYTES),
    callback(bytes, buffer) {
      read(buffer.subarray(0, bytes));
      return true;
    },
  },
});
// Ctrl-C reaches the whole group of processes; the server lets running calls finish and then ends us.
process.on('SIGINT', () => {});
// The server has gone.
pool.on('close', () => process.exit());
pool.on('error', () => process.exit());

async function work({ engine, input }: JobMessage): Promise<void> {
  const answer = (message: AnswerMessage) => writeFrame(pool, message);
  try {
    const run = (await ENGINES[engine]()) as (input: unknown, onProgress: unknown) => unknown;
    const output = await run(input, (fraction: number, message: string) =>
      answer({ kind: 'progress', fraction, message }),
    );
    answer({ kind: 'done', output, memoryBytes: memoryBytes() });
  } catch (error) {
    answer(failure(error));
  }
}

function failure(error: unknown): AnswerMessage {
  if (error instanceof AtelierError) {
    const { cause: _, ...details } = error.details;
    const { code, message } = error;
    return { kind: 'refused', code, message, details, memoryBytes: memoryBytes() };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'failed', reason, memoryBytes: memoryBytes() };
}

const memoryBytes = (): number => process.memoryUsage.rss();
