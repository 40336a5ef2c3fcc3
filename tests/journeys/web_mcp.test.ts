import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resizeImage } from '../../src/features/images/tools/resize_image.ts';
import { listenToConsole, PAGE_MS_MAX } from '../support/browse.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { needs } from '../support/test_requirements.ts';

/** Pages as tools of an agent in the browser, with a stand-in of `modelContext`. */

type Holder = 'document' | 'navigator' | 'none';

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

/** What the browser is given before the page: an object that keeps the tools it is offered, and the mark of one that reads forms. */
const standIn = (holder: Holder, readsForms: boolean): string => `
  globalThis.offered = [];
  const modelContext = { registerTool: (tool) => globalThis.offered.push(tool) };
  ${holder === 'none' ? '' : `Object.defineProperty(${holder}, 'modelContext', { value: modelContext });`}
  ${readsForms ? "Object.defineProperty(SubmitEvent.prototype, 'agentInvoked', { value: false });" : ''}`;

describe('WebMCP', needs('Chromium'), () => {
  let studio: TestStudio;

  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  /** @param holder the object the browser has its `modelContext` on */
  async function open(path: string, holder: Holder, readsForms = false) {
    const page = await (await studio.browser.newContext()).newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    const said = listenToConsole(page);
    // Works of the starter catalogue have no pictures here.
    const errors = () => said.filter((text) => !text.startsWith('Failed to load resource'));
    await page.addInitScript({ content: standIn(holder, readsForms) });
    await page.goto(`${SITE}${path}`);
    return { page, errors };
  }

  const offeredBy = async (page: Page) => {
    // Not `waitForFunction`: it evaluates text inside the page, which the page's policy forbids.
    await expect.poll(() => page.evaluate('offered.length'), { timeout: PAGE_MS_MAX }).toBeGreaterThan(0);
    return page.evaluate('offered.map(({ name, inputSchema }) => ({ name, inputSchema }))');
  };

  test.each([
    ['document', '/tools/resize_image', 'resize_image'],
    ['navigator', '/tools/resize_image', 'resize_image'],
    ['document', '/collection', 'search_artworks'],
    ['document', '/verify', 'verify_provenance'],
  ] as const)('%s.modelContext receives the tool of %s', async (holder, path, name) => {
    const { page, errors } = await open(path, holder);

    expect(await offeredBy(page)).toMatchObject([{ name, inputSchema: { type: 'object' } }]);
    expect(errors()).toEqual([]);
  });

  test('the tool returns the service’s results, including errors', async () => {
    const { page } = await open('/collection', 'document');
    await offeredBy(page);
    const found = await page.evaluate<Answer>(`offered[0].execute({ query: 'wave', limit: 2 })`);
    const refused = await page.evaluate<Answer>('offered[0].execute({ limit: 0 })');

    expect(JSON.parse(found.content[0]!.text).results).toHaveLength(2);
    expect(refused.isError).toBe(true);
    expect(JSON.parse(refused.content[0]!.text)).toMatchObject({ code: 'invalid_input' });
  });

  test('forms describe their tool to the browser', async () => {
    const { page } = await open('/tools/resize_image', 'document', true);
    const form = page.locator('form[toolname]');

    expect(await form.getAttribute('toolname')).toBe('resize_image');
    expect(await form.getAttribute('tooldescription')).toBe(resizeImage.summary);
    await page.waitForTimeout(300);
    expect(await page.evaluate('offered')).toEqual([]);
  });

  test('a browser without WebMCP raises no errors', async () => {
    const { page, errors } = await open('/tools/resize_image', 'none');

    await page.waitForTimeout(300);
    expect(errors()).toEqual([]);
  });
});
