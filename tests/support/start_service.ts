import type { ChildProcess } from 'node:child_process';
import { spawnProgram } from './spawn_program.ts';

export interface ServiceProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Output so far: the greeting, then the log. */
  output(): string;
}

/**
 * Tests create more wallets and use more CPU time than one address may, and a busy machine takes longer than
 * the minute that clients are promised. Museums are contacted and models downloaded only on request of a
 * test.
 */
export const OF_TESTS = {
  REGISTRATIONS_PER_HOUR: '1000000',
  REGISTRATIONS_PER_DAY: '1000000',
  CPU_SECONDS_BURST: '1000000',
  TOOL_DEADLINE_MS: '300000',
  LIVE_WORKS: 'false',
  MODELS_PULL: 'none',
};

/**
 * The service in a separate process, which may be inspected or killed.
 * @param root of another version of this project; absent: this one
 */
export async function startService(settings: Record<string, string>, root?: string): Promise<ServiceProcess> {
  const set = {
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: '',
    ...OF_TESTS,
    ...settings,
  };
  const child = spawnProgram(['src/main.ts'], set, root);
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the service did not start: ${text}`)));
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (address) resolve(address);
    });
  });
  return { url, process: child, output: () => text };
}
