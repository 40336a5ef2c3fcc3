import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { MANIFEST } from '../manifest.ts';
import { PULL_HEAP_MB, PULL_RUN_MS_MAX, PULL_SAID_CHARACTERS, PULL_STOP_MS } from './limits.ts';

const PROGRAM = join(import.meta.dirname, '../../../interfaces/cli/main.ts');
/** Below the priority of calls. */
const LOW_PRIORITY = 10;

interface Run {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  onProgress?(fraction: number, message: string): void;
}

/**
 * Runs `atelier models pull <name>`, or for a museum `atelier setup <name> --yes`, in a child process with the same environment, so that
 * it does not use the memory of the server. It ends with the server. `said` is the end of its output.
 */
export async function runSetup(
  name: string,
  { dataDir, signal, onProgress }: Run,
): Promise<{ ok: boolean; said: string }> {
  const words = name in MANIFEST ? ['models', 'pull', name] : ['setup', name, '--yes'];
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${PULL_HEAP_MB}`, PROGRAM, ...words, '--data-dir', dataDir],
    // The IPC channel reports progress, and closes when the server ends.
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let said = '';
  for (const output of [child.stdout!, child.stderr!])
    output.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-PULL_SAID_CHARACTERS);
    });
  child.on('message', (told) => {
    const { fraction, message } = told as { fraction: number; message: string };
    onProgress?.(fraction, message);
  });
  const late = AbortSignal.timeout(PULL_RUN_MS_MAX);
  const stop = AbortSignal.any([signal, late]);
  let ending: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGINT');
    ending = setTimeout(() => child.kill('SIGKILL'), PULL_STOP_MS);
  };
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
      lower(child.pid);
    });
    return {
      ok: code === 0,
      said: late.aborted ? `It took more than ${PULL_RUN_MS_MAX / 3_600_000} hours.` : said.trim(),
    };
  } finally {
    clearTimeout(ending);
    stop.removeEventListener('abort', end);
  }
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended, or the system denies it.
  }
}
