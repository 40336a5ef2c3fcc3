import type { ProgressOptions } from '../../features/operator/backups/types.ts';
import { progressView } from './progress.ts';
import { replaceControls } from './terminal.ts';
import type { World } from './world.ts';

/**
 * Runs a long operation under a progress bar, and returns the exit code of the command. Prints a failure as
 * one sentence.
 * @param left the state of the unfinished work after a failure
 */
export async function showWork(
  { terminal: { stdout, stderr }, signal }: World,
  work: (options: ProgressOptions) => Promise<{ told: string; code?: number }>,
  left: string,
): Promise<number> {
  const view = progressView(stderr);
  try {
    const { told, code = 0 } = await work({ onProgress: view.show, signal });
    view.clear();
    stdout.write(told);
    return code;
  } catch (error) {
    view.clear();
    stderr.write(`${replaceControls((error as Error).message)}\n${left}\n`);
    return 1;
  }
}
