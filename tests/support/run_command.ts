import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A command of `atelier` in a separate process, which may be killed. */
export interface RunningCommand {
  kill(): void;
  /** Exit code, null if it was killed, and the output, errors included. */
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
}

export function runCommand(words: readonly string[], settings: Record<string, string>): RunningCommand {
  const command = spawn(process.execPath, ['src/interfaces/cli/main.ts', ...words], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: '', MODELS_PULL: 'none', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [command.stdout, command.stderr])
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  return {
    kill: () => void command.kill('SIGKILL'),
    ended: once(command, 'close').then(([code]) => ({ code, said })),
  };
}
