import type { ProgressOptions } from '../../features/operator/backups/types.ts';
import { progressView } from './progress.ts';
import { replaceControls } from './terminal.ts';
import type { World } from './world.ts';

/**
 * Runs work that takes a while under a bar, and answers the exit code of the command. What fails is one sentence.
 * @param left what has become of what was begun
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
