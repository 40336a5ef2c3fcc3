import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../mcp/listen.ts';
import { findBarriers, listenToConsole, openBrowser, PAGE_MS_MAX } from '../support/browse.ts';
import { needs } from '../support/judge.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { scene } from '../support/scene.ts';

/** A tool in a browser: a picture goes in, a result comes out, with programs and without. */

const SITE = 'http://atelier.test';

describe('a tool in a browser', needs('Chromium'), () => {
  let app: TestApp;
  let server: { url: string; close(): void };
  let browser: Browser;
  let file: { name: string; mimeType: string; buffer: Buffer };

  beforeAll(async () => {
    app = await openTestApp();
    server = await listen(async (request) => app.fetch(request));
    browser = await openBrowser(new URL(server.url).host);
    file = { name: 'scene.png', mimeType: 'image/png', buffer: await scene() };
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await app?.close();
  });

  async function resize(page: Page): Promise<void> {
    await page.goto(`${SITE}/tools/resize_image`);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByLabel('Width').fill('80');
    await page.getByLabel('Height').fill('60');
  }
  const press = (page: Page) => page.getByRole('button', { name: 'Resize an image, free' }).click();

  test('the file is sent as it is chosen, the quote follows, and the result lies over it', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    const said = listenToConsole(page);
    await resize(page);
    await page.locator('#calls', { hasText: '"width": 80' }).waitFor();
    await press(page);
    await page.getByText('Done.', { exact: true }).waitFor();
    const line = page.getByRole('slider');
    await line.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: '2×' }).click();
    expect(await line.getAttribute('aria-valuetext')).toBe('51 % before');
    expect(await page.locator('at-compare').getAttribute('class')).toContain('zoomed');
    expect(await page.getByRole('link', { name: 'Download' }).getAttribute('download')).toMatch(
      /^resize_image_\d+x60\.png$/,
    );
    expect(said).toEqual([]);
    await page.close();
  });

  test('it does the same without programs', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await resize(page);
    await press(page);
    await page.getByText('Done.', { exact: true }).waitFor();
    expect(await page.locator('at-compare img').count()).toBe(2);
    await context.close();
  });

  test('what is no picture is said before it is sent', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(`${SITE}/tools/extract_palette`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
    await page.getByText('notes.pdf is not a picture.').waitFor();
    await page.close();
  });

  test.each([390, 820, 1440])('form and result have no barrier %i pixels wide', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.setDefaultTimeout(PAGE_MS_MAX);
    for (const path of [
      '/tools/vectorize_image',
      '/recipes/photo_to_print',
      '/recipes/new?from=logo_to_merchandise',
      '/tools/extract_palette?image=sample:pear',
    ]) {
      await page.goto(SITE + path);
      await expectNoBarrier(page);
    }
    await page.getByRole('button', { name: /Extract a palette/ }).click();
    await page.getByText('Done.', { exact: true }).waitFor();
    await expectNoBarrier(page);
    await page.goto(`${SITE}/tools/resize_image?image=sample:pear&width=90&height=90`);
    await press(page);
    await page.getByText('Done.', { exact: true }).waitFor();
    await expectNoBarrier(page);
    await page.close();
  });
});

async function expectNoBarrier(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Colours that are still on their way have another contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await findBarriers(page)).toEqual([]);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}
