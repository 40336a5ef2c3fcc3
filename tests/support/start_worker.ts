import type { ChildProcess } from 'node:child_process';
import { spawnProgram } from './spawn_program.ts';
import { OF_TESTS } from './start_service.ts';

/** Starts `atelier worker` in a separate process. @throws Error with its output, if it does not start */
export async function startWorker(
  words: readonly string[],
  settings: Record<string, string>,
): Promise<ChildProcess> {
  const child = spawnProgram(['src/interfaces/cli/main.ts', 'worker', ...words], {
    LOG_LEVEL: 'info',
    ...OF_TESTS,
    ...settings,
  });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}: ${text}`)));
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.includes('worker started')) resolve();
    });
  });
  return child;
}
