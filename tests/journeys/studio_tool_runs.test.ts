import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenToConsole, PAGE_MS_MAX } from '../support/browse.ts';
import { expectNoBarrier } from '../support/expect_no_barrier.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';

/** A tool in a browser: a picture goes in, a result comes out, with programs and without. */

describe('a tool in a browser', needs('Chromium'), () => {
  let studio: TestStudio;
  let file: { name: string; mimeType: string; buffer: Buffer };

  beforeAll(async () => {
    studio = await openStudio();
    file = { name: 'scene.png', mimeType: 'image/png', buffer: await scene() };
  });
  afterAll(() => studio?.close());

  async function resize(page: Page): Promise<void> {
    await page.goto(`${SITE}/tools/resize_image`);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByLabel('Width').fill('80');
    await page.getByLabel('Height').fill('60');
  }
  const press = (page: Page) => page.getByRole('button', { name: 'Resize an image (free)' }).click();

  test('a chosen file uploads at once, the quote follows, and the result overlays it', async () => {
    const page = await studio.browser.newPage();
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
    expect(await line.getAttribute('aria-valuetext')).toBe('51% original');
    expect(await page.locator('at-compare').getAttribute('class')).toContain('zoomed');
    expect(await page.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe(file.name);
    expect(said).toEqual([]);
    await page.close();
  });

  test('the same steps work without JavaScript', async () => {
    const context = await studio.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await resize(page);
    await press(page);
    await page.getByText('Done.', { exact: true }).waitFor();
    expect(await page.locator('at-compare img').count()).toBe(2);
    await context.close();
  });

  test('a file that is not an image is reported before upload', async () => {
    const page = await studio.browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(`${SITE}/tools/extract_palette`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') });
    await page.getByText('notes.txt is not an image.').waitFor();
    await page.close();
  });

  test.each([390, 820, 1440])('form and result have no accessibility violations at %i px', async (width) => {
    const page = await studio.browser.newPage({ viewport: { width, height: 900 } });
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
