import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { installNoiseModel } from './install_model.ts';
import { unsendableSteps } from './sendable_steps.ts';
import { UNLIMITED } from './unlimited.ts';

export interface TestApp {
  /** POSTs a JSON body to a path; strings are sent unchanged. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestReply>;
  get(path: string, headers?: Record<string, string>): Promise<TestReply>;
  fetch: App['fetch'];
  close(): Promise<void>;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows which shape it expects
  readonly body: any;
}

/** GET and POST by a function that sends a request. */
export const requestsBy = (
  send: (path: string, init: RequestInit) => Promise<TestReply>,
): Pick<TestApp, 'get' | 'post'> => ({
  get: (path, headers = {}) => send(path, { headers }),
  post: (path, body, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
});

/**
 * The whole service in this process, in its own folder and without a port; its only network is that of
 * `installNoiseModel`.
 * Museums are contacted only on request of a test.
 * Every response is checked for next steps that could not be sent.
 * @param site the public URL that it assumes
 */
export async function openTestApp(
  settings: Record<string, string> = {},
  site = 'http://atelier.test',
): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-app-'));
  const config = readConfig({
    LOG_LEVEL: 'silent',
    DATA_DIR: folder,
    LIVE_WORKS: 'false',
    // A busy machine takes longer than the minute that clients are promised.
    TOOL_DEADLINE_MS: '300000',
    ...UNLIMITED,
    ...settings,
  });
  await installNoiseModel(folder);
  const app = await openApp(config, site);
  const send = async (path: string, init: RequestInit) =>
    reply(await app.fetch(new Request(`http://atelier.test${path}`, init)));
  return {
    fetch: app.fetch,
    ...requestsBy(send),
    close: async () => {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function reply(response: Response): Promise<TestReply> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body = isJson ? JSON.parse(text) : undefined;
  const unsendable = unsendableSteps(body);
  if (unsendable.length > 0) throw new Error(`next steps that cannot be sent:\n${unsendable.join('\n')}`);
  return { status: response.status, headers: response.headers, text, body };
}
