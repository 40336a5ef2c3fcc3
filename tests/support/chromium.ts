import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A browser for tests, controlled by its own protocol: requires an installed Chromium, but no package or
 * download.
 */

// biome-ignore lint/suspicious/noExplicitAny: what the browser answers; each caller knows its shape
type Any = any;

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The command that starts it; undefined if it is not installed. */
export const chromium = (): string | undefined =>
  NAMES.find((name) => spawnSync(name, ['--version']).status === 0);

export interface Page {
  /** The value of an expression in the page, or in the frame inside it. */
  evaluate(expression: string, where?: 'page' | 'frame'): Promise<Any>;
  /** Called with every text that the page passes to the function of that name. */
  bind(name: string, listener: (text: string) => void): Promise<void>;
  send(method: string, params?: object): Promise<Any>;
  /** PNG. */
  screenshot(): Promise<Buffer>;
}

export interface Browser {
  open(size: { width: number; height: number }): Promise<Page>;
  close(): Promise<void>;
}

/** @param host resolves `http://atelier.test` in the browser: `127.0.0.1:4000` */
export async function startChromium(host?: string): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-chromium-'));
  // One process for all frames, so that sandboxed frames can be inspected too.
  const child = spawn(
    chromium()!,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--disable-features=IsolateSandboxedIframes',
      '--disable-site-isolation-trials',
      '--remote-debugging-port=0',
      ...(host ? [`--host-resolver-rules=MAP atelier.test ${host}`] : []),
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const socket = new WebSocket(await addressOf(child));
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, { resolve(value: Any): void; reject(error: Error): void }>();
  const listeners = new Set<(message: Any) => void>();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.id === undefined) return void [...listeners].map((listener) => listener(message));
    const { resolve, reject } = waiting.get(message.id)!;
    waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  };
  let lastId = 0;
  const send = (method: string, params: object = {}, sessionId?: string): Promise<Any> => {
    lastId += 1;
    socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) }));
    return new Promise((resolve, reject) => waiting.set(lastId, { resolve, reject }));
  };
  return {
    async open({ width, height }) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      const call = (method: string, params?: object) => send(method, params, sessionId);
      const frames = new Map<string, number>();
      listeners.add(({ sessionId: from, method, params }) => {
        if (from !== sessionId || method !== 'Runtime.executionContextCreated') return;
        const { id, auxData } = params.context;
        frames.set(auxData.frameId === targetId ? 'page' : 'frame', id);
      });
      await call('Runtime.enable');
      await call('Page.enable');
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
      await call('Emulation.setDeviceMetricsOverride', metrics);
      return {
        send: call,
        async evaluate(expression, where = 'page') {
          const asked = { expression, contextId: frames.get(where), awaitPromise: true, returnByValue: true };
          const { result, exceptionDetails } = await call('Runtime.evaluate', asked);
          if (exceptionDetails)
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
          return result.value;
        },
        async bind(name, listener) {
          listeners.add(({ sessionId: from, method, params }) => {
            if (from === sessionId && method === 'Runtime.bindingCalled' && params.name === name)
              listener(params.payload);
          });
          await call('Runtime.addBinding', { name });
        },
        screenshot: async () => Buffer.from((await call('Page.captureScreenshot')).data, 'base64'),
      };
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stderr!.on('data', (chunk) => {
      said += chunk;
      const [, address] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Chromium did not start: ${said}`)));
  });
}
