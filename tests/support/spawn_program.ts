import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const ROOT = join(import.meta.dirname, '../..');
const END_WITH_PARENT = new URL('./end_with_parent.ts', import.meta.url).href;

/**
 * Starts a program of this project in a separate process. It ends with the process that started it, and
 * downloads no models unless `env` says so.
 * @param words the file, relative to the project, and its arguments
 * @param cwd the project: this one, or another version of it
 */
export function spawnProgram(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(process.execPath, ['--import', END_WITH_PARENT, ...words], {
    cwd,
    env: { ...process.env, MODELS_PULL: 'none', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
