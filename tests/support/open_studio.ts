import type { Browser } from 'playwright-core';
import { listen } from '../mcp/listen.ts';
import { openBrowser } from './browse.ts';
import { openTestApp, type TestApp } from './open_test_app.ts';

/** The URL at which a browser of `openBrowser` reaches the service. */
export const SITE = 'http://atelier.test';
/** The same service as a secure context, which browsers require to create keys. */
export const SECURE_SITE = 'http://localhost';

export interface TestStudio {
  readonly app: TestApp;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** The whole service on a free port, and a browser that reaches it at `site`: `SITE`, or `SECURE_SITE`. */
export async function openStudio(settings?: Record<string, string>, site = SITE): Promise<TestStudio> {
  const app = await openTestApp(settings, site);
  const server = await listen(async (request) => app.fetch(request));
  const closeService = async () => {
    server.close();
    await app.close();
  };
  const browser = await openBrowser(new URL(server.url).host).catch(async (error) => {
    await closeService();
    throw error;
  });
  return {
    app,
    browser,
    async close() {
      await browser.close();
      await closeService();
    },
  };
}
