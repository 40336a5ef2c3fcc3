import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ProcessReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of another process
  readonly body: any;
}

/** The service in a process of its own that may be killed. */
export async function startService(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir, DATABASE_URL: '', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url) return { url, process: child };
  }
  throw new Error(`the service did not start: ${text}`);
}

/** Undefined where the process died before it answered. */
export async function postTo(
  url: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<ProcessReply | undefined> {
  try {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${url}${path}`, init);
    return { status: response.status, body: await response.json() };
  } catch {
    return undefined;
  }
}
