import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from './usage_error.ts';

/** The URL without query and trailing slash. @throws UsageError for an invalid URL */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:')
    return url.href.replace(/[?#].*$/, '').replace(/\/+$/, '');
  throw new UsageError(
    `--url must start with http:// or https://, such as http://127.0.0.1:8080; got "${text}".`,
  );
}

/** The URL that a server wrote into its data folder, if its process is still running. */
export async function runningServer(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'server.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { pid, url } = JSON.parse(text) as { pid: number; url: string };
    return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? checkUrl(url) : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
