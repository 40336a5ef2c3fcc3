import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenToConsole, PAGE_MS_MAX } from '../support/browse.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';

/** A tool's page where something goes wrong: it stays whole, says what happened and what to do, and keeps what was filled in. */

const TOOL = `${SITE}/tools/resize_image`;
const HOSTILE = '<img src=x onerror=alert(1)><script>alert(1)</script>';

describe('errors on a tool page', needs('Chromium'), () => {
  let studio: TestStudio;

  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  async function filledIn(): Promise<Page> {
    const page = await studio.browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(`${TOOL}?image=sample:pear`);
    await page.getByLabel('Width').fill('80');
    await page.getByLabel('Height').fill('60');
    return page;
  }
  const press = (page: Page) => page.getByRole('button', { name: 'Resize an image (free)' }).click();
  const choose = (page: Page, name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer });
  const onlyPosts = (page: Page, answer: Parameters<Page['route']>[1]) =>
    page.route('**/tools/*', (route, request) =>
      request.method() === 'POST' ? answer(route, request) : route.continue(),
    );

  test.each([402, 413, 429, 500, 503])(
    'a %i response is shown, and the next attempt runs',
    async (status) => {
      const page = await filledIn();
      const body =
        '<!doctype html><main><h1>Server at capacity</h1><p class="lead">Come back in 8 s.</p></main>';
      await onlyPosts(page, (route) => route.fulfill({ status, body, contentType: 'text/html' }));
      await press(page);
      await page.getByText('Server at capacity. Come back in 8 s. Your settings are still here.').waitFor();
      expect(await page.getByLabel('Width').inputValue()).toBe('80');
      await page.unroute('**/tools/*');
      await press(page);
      await page.getByText('Done.', { exact: true }).waitFor();
      await page.close();
    },
  );

  test('a missing response is shown, and the next attempt runs', async () => {
    const page = await filledIn();
    await onlyPosts(page, (route) => route.abort());
    await press(page);
    await page.getByText('No response from the server. Your settings are still here. Try again.').waitFor();
    await page.unroute('**/tools/*');
    await press(page);
    await page.getByText('Done.', { exact: true }).waitFor();
    await page.close();
  });

  test.each([[500], [503], ['nothing']])(
    'a run whose status request is answered with %s is polled again',
    async (answer) => {
      const page = await filledIn();
      let asked = 0;
      await page.route('**/tools/*run=*', (route, request) => {
        const isProgram = request.resourceType() === 'fetch' && request.redirectedFrom() === null;
        if (!isProgram || asked++ > 0) return route.continue();
        const body = '<!doctype html><main><h1>Server at capacity</h1></main>';
        return answer === 'nothing' ? route.abort() : route.fulfill({ status: Number(answer), body });
      });
      // Seconds of work: the page has to ask while it runs.
      await page.getByLabel('Width').fill('4000');
      await page.getByLabel('Height').fill('4000');
      await page.locator('select[name=format]').selectOption('avif');
      await press(page);
      await page
        .getByText(/^(Server at capacity|No response from the server)\. Retrying in 3 s\.$/)
        .waitFor();
      await page.getByText('Done.', { exact: true }).waitFor({ timeout: 240_000 });
      await page.close();
    },
  );

  test('a truncated image is rejected at the file field, and the form keeps its values', async () => {
    const page = await filledIn();
    const whole = await scene(7, 160, 120);
    await choose(page, 'half.png', whole.subarray(0, whole.length / 2));
    await page.getByText('The image is truncated').waitFor();
    expect(await page.getByLabel('Width').inputValue()).toBe('80');
    await page.close();
  });

  test('markup in a file name and metadata stays text', async () => {
    const page = await studio.browser.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    const said = listenToConsole(page);
    page.on('dialog', () => said.push('a script ran'));
    await page.goto(TOOL);
    const exif = { IFD0: { ImageDescription: HOSTILE, Artist: HOSTILE, Copyright: HOSTILE } };
    await choose(
      page,
      `${HOSTILE}.png`.replaceAll('/', ''),
      await sharp(await scene(5, 160, 120))
        .withExif(exif)
        .png()
        .toBuffer(),
    );
    await page.getByText('<img src=x').first().waitFor();
    await page.getByLabel('Width').fill('80');
    await page.getByLabel('Height').fill('60');
    await press(page);
    await page.getByText('Done.', { exact: true }).waitFor();
    const handle = new URL(page.url()).searchParams.get('image')!;
    await page.goto(`${SITE}/verify?image=${handle}`);
    expect([await page.locator('main img[src="x"], main script').count(), said]).toEqual([0, []]);
    await page.close();
  });

  test('a tab closed during a run loses nothing: the link shows the result', async () => {
    const page = await filledIn();
    await page.getByLabel('Width').fill('6000');
    await page.getByLabel('Height').fill('6000');
    await press(page);
    await page.waitForURL(/run=job_/);
    const link = page.url();
    await page.close();
    const other = await studio.browser.newPage();
    await other.goto(link);
    await other.getByText('Done.', { exact: true }).waitFor({ timeout: 240_000 });
    await other.close();
  });

  test('two tabs with the same form each run once and show their own result', async () => {
    const [one, other] = await Promise.all([filledIn(), filledIn()]);
    await other.getByLabel('Width').fill('40');
    await Promise.all([press(one), press(other)]);
    await Promise.all([one, other].map((page) => page.getByText('Done.', { exact: true }).waitFor()));
    const sizes = [one, other].map((page) => page.getByText(/^PNG, \d+ × \d+/).textContent());
    expect((await Promise.all(sizes)).map((text) => text!.split(',')[1])).toEqual([' 60 × 60', ' 40 × 40']);
    await Promise.all([one.close(), other.close()]);
  });
});
