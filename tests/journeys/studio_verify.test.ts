import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE_MS_MAX } from '../support/browse.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';

/** Asking about a picture where something goes wrong, or runs beside it. */

const ANSWERS = `${SITE}/verify?image=*`;
const UNKNOWN = 'This image is not registered on this server.';

describe('verification in a browser', needs('Chromium'), () => {
  let studio: TestStudio;
  let files: { name: string; mimeType: string; buffer: Buffer }[];

  beforeAll(async () => {
    studio = await openStudio();
    files = await Promise.all(
      [3, 4].map(async (seed) => ({
        name: `<img src=x>${seed}.png`,
        mimeType: 'image/png',
        buffer: await scene(seed, 160, 120),
      })),
    );
  });
  afterAll(() => studio?.close());

  const opened = async (options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> => {
    const page = await studio.browser.newPage(options);
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(`${SITE}/verify`);
    return page;
  };
  const choose = (page: Page, at = 0) => page.locator('input[type=file]').setInputFiles(files[at]!);
  const heading = (page: Page) => page.locator('h1').textContent();

  test('without a server response the image stays, and a retry works', async () => {
    const page = await opened();
    await page.route(ANSWERS, (route) => route.abort());
    await choose(page);
    await page.getByText('No response from the server.').waitFor();
    await page.unroute(ANSWERS);
    await page.getByRole('button', { name: 'Check image (free)' }).click();
    await page.getByRole('heading', { name: UNKNOWN }).waitFor();
    await page.close();
  });

  test.each([402, 413, 429, 500, 503])('a %i refusal shows the server’s message', async (status) => {
    const page = await opened();
    const body = '<!doctype html><main><h1>Too busy</h1><p>Ask again in 8 s.</p></main>';
    await page.route(ANSWERS, (route) => route.fulfill({ status, body, contentType: 'text/html' }));
    await choose(page);
    await page.getByText('Too busy. Ask again in 8 s.').waitFor();
    expect(await heading(page)).toBe('Check where an image comes from');
    await page.close();
  });

  test('a late response does not replace that of the next image', async () => {
    const page = await opened();
    let isFirst = true;
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route(ANSWERS, async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      await held;
      return route.continue();
    });
    await choose(page, 0);
    await page.getByText('Checking the image').waitFor();
    await choose(page, 1);
    await page.getByRole('heading', { name: UNKNOWN }).waitFor();
    const address = page.url();
    const late = page.waitForResponse((reply) => reply.url().includes('/verify?') && reply.url() !== address);
    release();
    await late;
    expect(page.url()).toBe(address);
    await page.close();
  });

  test('two tabs each show their own result', async () => {
    const [one, other] = [await opened(), await opened()];
    await Promise.all([choose(one, 0), choose(other, 1)]);
    await Promise.all([one, other].map((page) => page.getByRole('heading', { name: UNKNOWN }).waitFor()));
    expect(one.url()).not.toBe(other.url());
    await Promise.all([one.close(), other.close()]);
  });

  test('forms and links verify a file and a sample without JavaScript', async () => {
    const context = await studio.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(`${SITE}/verify`);
    await choose(page);
    await page.getByRole('button', { name: 'Check image (free)' }).click();
    expect([await heading(page), new URL(page.url()).searchParams.get('image')?.split(':')[0]]).toEqual([
      UNKNOWN,
      'upload',
    ]);
    await page.getByRole('link', { name: 'Pear', exact: true }).click();
    expect(await page.getByText('Verify: Pear').count()).toBe(1);
    await context.close();
  });
});
