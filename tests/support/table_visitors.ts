import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { listenToConsole, PAGE_MS_MAX } from './browse.ts';

/** Visitors of a table in a browser. */

export interface PickedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export interface Visiting extends BrowserContextOptions {
  readonly width?: number;
  readonly wallet?: string;
}

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console messages. */
  readonly said: string[];
}

/** Opens a browser without stored data, as for a first visit. @param site URL of the service */
export async function visit(
  browser: Browser,
  site: string,
  { width = 1440, wallet = '', ...options }: Visiting = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  if (wallet) await context.addCookies([{ name: 'atelier_wallet', value: wallet, url: site }]);
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_MS_MAX);
  return { page, context, said: listenToConsole(page) };
}

/** A new table with these files, all of them selected. */
export async function tableWith(
  browser: Browser,
  site: string,
  { files, ...options }: Visiting & { readonly files: readonly PickedFile[] },
): Promise<Opened> {
  const opened = await visit(browser, site, options);
  await dropOnNew(opened.page, site, files);
  await hasItems(opened.page, files.length);
  return opened;
}

/** Chooses files on the start page, which opens a table with them. */
export async function dropOnNew(page: Page, site: string, files: readonly PickedFile[]): Promise<void> {
  await page.goto(`${site}/table`);
  await page.locator('#start input[type=file]').setInputFiles([...files]);
  await page.waitForURL(/\/table\/wsp_/);
}

export const rows = (page: Page) => page.locator('#items > li');
export const acts = (page: Page) => page.locator('#acts > li');

export const reaches = (read: () => Promise<number>, count: number) =>
  expect.poll(read, { timeout: PAGE_MS_MAX }).toBe(count);
export const hasItems = (page: Page, count: number) => reaches(() => rows(page).count(), count);
export const isDone = (page: Page, count: number) =>
  reaches(() => page.locator('#acts > li[data-state=done]').count(), count);

/** Opens a tool of the list by its title. */
export const openTool = (page: Page, title: string) =>
  page
    .locator('#jobs')
    .getByRole('link', { name: new RegExp(`^${title}`) })
    .click();
export const apply = (page: Page) => page.getByRole('button', { name: /^Apply/ }).click();
