import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../../src/interfaces/web/pages.ts';
import { findBarriers, listenToConsole, PAGE_MS_MAX } from '../support/browse.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { needs } from '../support/test_requirements.ts';

/** Every page of the studio as a person has it: three widths, light and dark, judged by axe-core. */

const paths = [
  '/',
  '/nowhere',
  '/docs?q=restore+a+backup',
  '/docs/concepts/print',
  '/docs/operating/security',
  ...pages.map(({ path }) => path).filter((path) => !path.includes('{')),
];

describe('the studio in a browser', needs('Chromium'), () => {
  let studio: TestStudio;

  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  describe.each([390, 820, 1440])('%i pixels wide', (width) => {
    test.each(paths)(
      '%s has no accessibility violations, console messages or horizontal scrolling',
      async (path) => {
        const page = await studio.browser.newPage({ viewport: { width, height: 900 } });
        page.setDefaultTimeout(PAGE_MS_MAX);
        const said = listenToConsole(page);
        await page.goto(SITE + path);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          expect(await findBarriers(page)).toEqual([]);
        }
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([overflow, ...said.filter((line) => !/status of 40[34]/.test(line))]).toEqual([0]);
        await page.close();
      },
    );
  });

  test('every page has one h1 and is readable without JavaScript', async () => {
    const context = await studio.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    for (const path of paths) {
      await page.goto(SITE + path);
      expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
    }
    await context.close();
  });

  test('the chosen theme applies from the first byte', async () => {
    const page = await studio.browser.newPage({ colorScheme: 'light' });
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(SITE);
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('button', { name: /^Theme/ }).click();
    const [request] = await Promise.all([page.waitForResponse(`${SITE}/tools`), page.goto(`${SITE}/tools`)]);
    expect(await request.text()).toContain('<html lang="en" data-theme="dark">');
    await page.close();
  });
});
