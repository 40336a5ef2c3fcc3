import axe from 'axe-core';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { chromium } from './chromium.ts';

/** A page under load takes longer than the 30 s of Playwright; only a page that hangs fails. */
export const PAGE_MS_MAX = 120_000;

/**
 * A browser for tests that click through pages.
 * @param host resolves `http://atelier.test`, and `http://localhost`, which browsers trust like https:
 * `127.0.0.1:4000`
 */
export const openBrowser = (host: string): Promise<Browser> =>
  playwright.launch({
    executablePath: `/usr/bin/${chromium()}`,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      `--host-resolver-rules=MAP atelier.test ${host}, MAP localhost ${host}`,
    ],
  });

/** Accessibility violations found by axe-core: one line per rule, with the first element. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // @ts-expect-error: added to the page by the previous line
    const { violations } = await globalThis.axe.run();
    return violations.map(
      ({ id, help, nodes }: { id: string; help: string; nodes: { target: string[] }[] }) =>
        `${id}: ${help} (${nodes.length}, first ${nodes[0]!.target.join(' ')})`,
    );
  });
}

/** Console messages of a page while it is open. */
export function listenToConsole(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(error.message));
  return said;
}
