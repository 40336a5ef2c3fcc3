import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers, listenToConsole, PAGE_MS_MAX } from '../support/browse.ts';
import { type FakeMuseums, makePicture, startFakeMuseums } from '../support/fake_museums.ts';
import { answerForMuseums } from '../support/museum_answers.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { needs } from '../support/test_requirements.ts';

/** The collection and a work as a person has them, with one work of each museum whose picture can be had. */

const WORK = '/works/met_436535';

describe('the collection in a browser', needs('Chromium'), () => {
  let museums: FakeMuseums;
  let studio: TestStudio;

  beforeAll(async () => {
    museums = await startFakeMuseums();
    answerForMuseums(museums, await makePicture());
    studio = await openStudio({
      LIVE_WORKS: 'true',
      ALLOW_PRIVATE_FETCH: 'true',
      MUSEUM_MIRROR: museums.url,
    });
    await studio.app.get('/iiif/3/met_436535/info.json');
  });
  afterAll(async () => {
    await studio?.close();
    museums?.close();
  });

  const open = async (path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> => {
    const page = await studio.browser.newPage(options);
    page.setDefaultTimeout(PAGE_MS_MAX);
    // Pictures may wait for a museum.
    await page.goto(SITE + path, { waitUntil: 'domcontentloaded' });
    return page;
  };

  test.each([
    [390, WORK],
    [390, `${WORK}/zoom`],
    [390, '/collection?query=sea&colors=blue&museum=met'],
    [820, WORK],
    [1440, WORK],
    [1440, `${WORK}/zoom`],
    [1440, '/works/met_437853'],
    [1440, '/collection?query=sea&century=nonsense'],
  ])('%i px wide, %s has no accessibility violations and no horizontal scrolling', async (width, path) => {
    // Colours that are still changing would be judged.
    const page = await open(path, { viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page)).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.close();
  });

  test('Enter searches by text, and one click searches by colour', async () => {
    const page = await open('/collection');
    await page.getByRole('searchbox').fill('field');
    await page.getByRole('searchbox').press('Enter');
    await page.waitForURL(/query=field/);
    await page.getByRole('radio', { name: 'blue' }).click();
    await page.waitForURL(/colors=blue/);
    expect(new URL(page.url()).searchParams.get('query')).toBe('field');
    await page.getByRole('link', { name: 'Remove blue' }).click();
    await page.waitForURL((url) => !url.searchParams.has('colors'));
    await page.close();
  });

  test('arrow keys choose a colour without leaving the page', async () => {
    const page = await open('/collection?query=field');
    const before = page.url();
    await page.getByRole('radio', { name: 'red' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'orange' }).isChecked()).toBe(true);
    expect(page.url()).toBe(before);
    await page.keyboard.press('Enter');
    await page.waitForURL(/colors=orange/);
    await page.close();
  });

  test('works whose images fail to load are listed without them, under one notice', async () => {
    const page = await open('/collection?query=venice', { viewport: { width: 1440, height: 900 } });
    const said = page.getByText('could not be loaded from their museums');
    await said.waitFor();
    expect(await said.count()).toBe(1);
    expect(await page.locator('ul.hang li').first().locator('at-picture').count()).toBe(0);
    await page.close();
  });

  test('search pagination works without JavaScript', async () => {
    const page = await open('/collection', { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('portrait');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('link', { name: /^Next/ }).click();
    expect(new URL(page.url()).searchParams.get('from')).toBe('24');
    expect(await page.getByText(/^25 to \d+ of/).count()).toBe(1);
    await page.close();
  });

  test('feeds with entries are accessible and accept posts without JavaScript', async () => {
    const page = await open('/cafe', { javaScriptEnabled: false });
    await page.getByText('Post a message').click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Message').fill('See https://example.org, and bring ink.');
    await page.getByRole('button', { name: 'Post (free)' }).click();
    expect(await page.getByRole('article').getByRole('link').getAttribute('rel')).toBe(
      'nofollow ugc noopener',
    );
    await page.close();
    const url = 'https://example.org/a.png';
    await studio.app.post('/api/gallery/post', {
      name: 'Ada',
      title: 'Night',
      image_url: url,
      description: url,
    });
    await studio.app.post('/api/registry/quick-sign', { name: 'Ada', type: 'artist' });
    for (const path of ['/gallery', '/cafe', '/registry']) {
      const feed = await open(path, { viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
      await feed.locator('summary').first().click();
      expect(await findBarriers(feed)).toEqual([]);
      expect(await feed.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await feed.close();
    }
  });

  test('zooming by keyboard loads only tiles of this server', async () => {
    const page = await studio.browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(PAGE_MS_MAX);
    const said = listenToConsole(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${SITE}${WORK}/zoom`);
    const canvas = page.getByRole('application');
    await canvas.waitFor();
    await expect.poll(() => page.locator('at-zoom [role=status]').textContent()).toBe('');
    const still = await canvas.screenshot();
    await canvas.focus();
    await page.keyboard.press('+');
    await expect.poll(async () => still.equals(await canvas.screenshot())).toBe(false);
    expect(asked.filter((url) => !url.startsWith(SITE))).toEqual([]);
    expect(said).toEqual([]);
    await page.close();
  });
});
