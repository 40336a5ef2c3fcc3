import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers, listenToConsole, PAGE_MS_MAX } from '../support/browse.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { openVisitor } from '../support/open_visitor.ts';
import { needs } from '../support/test_requirements.ts';

/** Pages of tools that edit an image: what people do there by mouse, finger and keys. */

const PAGES = {
  edit_image: '?image=sample:still_life',
  compose_image: '',
  make_variants: '?image=sample:still_life&set=social',
  erase_object: '?image=sample:still_life',
  remove_background: '?image=sample:pear',
} as const;
const OPERATIONS = [{ op: 'crop', aspect: '1:1' }, { op: 'flip' }];

/** Adds up layout shifts, but for those that a person causes. */
const COUNT_SHIFTS = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe('studio editors', needs('Chromium'), () => {
  let studio: TestStudio;

  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  async function open(tool: keyof typeof PAGES, query: string = PAGES[tool], options = {}): Promise<Page> {
    const page = await studio.browser.newPage({ viewport: { width: 1440, height: 1000 }, ...options });
    page.setDefaultTimeout(PAGE_MS_MAX);
    await page.goto(`${SITE}/tools/${tool}${query}`);
    return page;
  }
  const add = (page: Page, title: string) => page.getByRole('button', { name: `Add: ${title}` }).click();
  const setting = async (page: Page, name: string) =>
    JSON.parse(await page.locator(`[name=${name}]:not([type=file])`).inputValue());
  const previewed = (page: Page) => page.getByAltText('Preview of the result').waitFor();
  const over = (page: Page) => page.locator('.over').boundingBox();
  async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
    const { x, y, width, height } = (await over(page))!;
    await page.mouse.move(x + from[0] * width, y + from[1] * height);
    await page.mouse.down();
    await page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 4 });
    await page.mouse.up();
  }

  test('a crop dragged by its corner is previewed, shown as code and run', async () => {
    const page = await open('edit_image');
    const said = listenToConsole(page);
    await add(page, 'Crop');
    await page.getByRole('button', { name: /^Crop: 10% from the left/ }).waitFor();
    await drag(page, [0.9, 0.9], [0.5, 0.5]);
    const [crop] = await setting(page, 'operations');
    const sides = [crop.box.width, crop.box.height].map(Number.parseFloat);
    expect(sides.every((side) => Math.abs(side - 40) < 1)).toBe(true);
    await page.getByRole('button', { name: /^Crop/, expanded: true }).click();
    await previewed(page);
    await page.locator('#calls').getByText(crop.box.width).first().waitFor();
    await page.getByRole('button', { name: 'Edit an image (free)' }).click();
    await page.getByText('Done.', { exact: true }).waitFor();
    const made = page.getByAltText('Result: Edit an image');
    expect(Math.abs(Number(await made.getAttribute('width')) - 384)).toBeLessThanOrEqual(5);
    expect(said).toEqual([]);
    await page.close();
  });

  test('text is added, moved and undone by keyboard alone', async () => {
    const page = await open('edit_image');
    await page.getByRole('button', { name: 'Add: Text' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Two pears');
    const handle = page.getByRole('button', { name: /^Two pears: / });
    await handle.focus();
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('ArrowUp');
    const [text] = await setting(page, 'operations');
    expect([text.text, typeof text.box.y]).toEqual(['Two pears', 'string']);
    await page.getByRole('button', { name: /^Remove: Text/ }).focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('[name=operations]').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    expect((await setting(page, 'operations'))[0].text).toBe('Two pears');
    await page.close();
  });

  test('a line of text dragged by its middle keeps its size', async () => {
    const page = await open('edit_image');
    await add(page, 'Text');
    const handle = page.getByRole('button', { name: /^Your text: / });
    const { x, y, width, height } = (await handle.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2 - 100, { steps: 4 });
    await page.mouse.up();
    const moved = (await handle.boundingBox())!;
    expect([moved.height / height, (y - moved.y) / 100].map((share) => share.toFixed(1))).toEqual([
      '1.0',
      '1.0',
    ]);
    await page.close();
  });

  test('clicking the empty stage opens the file chooser', async () => {
    const page = await open('edit_image', '');
    const chooser = page.waitForEvent('filechooser');
    await page.locator('.stage').click();
    expect((await chooser).isMultiple()).toBe(true);
    await page.close();
  });

  test('boxes to erase are restored from the page link', async () => {
    const where = [{ x: 240, y: 360, width: 120, height: 90 }];
    const page = await open('erase_object', `?image=sample:still_life&where=${JSON.stringify(where)}`);
    const box = (await page.getByRole('button', { name: /^Erase 1 of 1/ }).boundingBox())!;
    const { x, y, width } = (await over(page))!;
    const share = [(box.x - x) / width, (box.y - y) / width, box.width / width];
    expect(share.map((part) => part.toFixed(2))).toEqual(['0.25', '0.38', '0.13']);
    await page.close();
  });

  test('observations are entered in form fields', async () => {
    const page = await studio.browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${SITE}/tools/enrich_metadata?image=sample:pear`);
    await page.getByLabel(/^Subject/).fill('a pear');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel(/^Objects/).fill('pear\nleaf\n');
    expect(await setting(page, 'observations')).toEqual({ subject: 'a pear', objects: ['pear', 'leaf'] });
    // The image stays in sight above the form.
    expect((await page.locator('.stage').boundingBox())!.y).toBeGreaterThanOrEqual(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.close();
  });

  test('the rotation follows the knob', async () => {
    const page = await open('edit_image');
    await add(page, 'Rotate');
    await page.getByRole('slider', { name: 'Rotation, degrees clockwise' }).waitFor();
    await page.getByRole('slider', { name: 'Rotation, degrees clockwise' }).focus();
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowRight');
    expect((await setting(page, 'operations'))[0].degrees).toBe(93);
    await page.close();
  });

  test('boxes to blur are drawn on the image', async () => {
    const page = await open('edit_image');
    await add(page, 'Blur');
    await page.locator('[data-kind=where]').selectOption('boxes');
    await page.locator('.surface').waitFor();
    await drag(page, [0.25, 0.5], [0.5, 0.75]);
    const [{ where }] = await setting(page, 'operations');
    const box = Object.values(where[0] as Record<string, string>).map((side) =>
      Math.round(Number.parseFloat(side)),
    );
    expect(box).toEqual([25, 50, 25, 25]);
    await previewed(page);
    const slider = page.getByRole('slider', { name: 'Share of the original image shown' });
    await slider.fill('50');
    await page.locator('.stage > .before').waitFor();
    await page.close();
  });

  test('erasing a box shows visitors without a wallet a marked section of the result', async () => {
    const page = await open('erase_object');
    await page.locator('.surface').waitFor();
    await drag(page, [0.25, 0.5], [0.375, 0.625]);
    expect(await setting(page, 'where')).toEqual([{ x: 240, y: 360, width: 120, height: 90 }]);
    const patch = page.getByAltText('Part of the result, labelled as a preview');
    await patch.waitFor();
    expect(await page.evaluate("document.querySelector('.patch').naturalWidth")).toBe(512);
    await page.close();
  });

  test('brush strokes are sent as a mask of the image’s size', async () => {
    const page = await open('erase_object');
    await page.getByText('Brush', { exact: true }).click();
    await page.locator('.brush').waitFor();
    await drag(page, [0.3, 0.3], [0.5, 0.3]);
    const mask = page.locator('[name=mask]:not([type=file])');
    await expect.poll(() => mask.inputValue(), { timeout: PAGE_MS_MAX }).toMatch(/^upload:/);
    const { status, body } = await studio.app.post('/api/tools/inspect_image', {
      image: await mask.inputValue(),
    });
    expect([status, body.width, body.height]).toEqual([200, 960, 720]);
    await page.close();
  });

  test('keep and remove strokes are sent in image pixels', async () => {
    const page = await open('remove_background');
    await page.getByText('Keep', { exact: true }).click();
    await page.locator('.brush').waitFor();
    await drag(page, [0.25, 0.5], [0.5, 0.5]);
    await page.getByText('Remove', { exact: true }).click();
    await page.locator('.brush').focus();
    await page.keyboard.press(' ');
    const strokes = await setting(page, 'strokes');
    expect(strokes.map(({ keep }: { keep: boolean }) => keep)).toEqual([true, false]);
    expect([strokes[0].points[0], strokes[1].points]).toEqual([[160, 320], [[320, 320]]]);
    await page.close();
  });

  test('layers are added with buttons and previewed as one composition', async () => {
    const page = await open('compose_image');
    await add(page, 'Shape');
    await add(page, 'Text');
    await previewed(page);
    const layers = await setting(page, 'layers');
    expect([layers.map(({ type }: { type: string }) => type), (await setting(page, 'canvas')).width]).toEqual(
      [['shape', 'text'], 1080],
    );
    await page.close();
  });

  test('images chosen together form a layout with their names as captions', async () => {
    const page = await open('compose_image');
    await add(page, 'Image');
    const bytes = await (await studio.app.fetch(new Request(`${SITE}/favicon.ico`))).arrayBuffer();
    const buffer = Buffer.from(bytes);
    const files = ['one.png', 'two.png'].map((name) => ({ name, mimeType: 'image/png', buffer }));
    await page.locator('[data-upload=image]').setInputFiles(files);
    await page.getByRole('button', { name: 'Move up: Image, 2 of 2' }).waitFor();
    await page.locator('at-object [data-field=type]').selectOption('grid');
    await page.locator('at-object [data-field=captions]').check();
    await previewed(page);
    const layers = await setting(page, 'layers');
    expect(layers.map(({ name, box }: { name: string; box?: object }) => [name, box])).toEqual([
      ['one.png', undefined],
      ['two.png', undefined],
    ]);
    expect(await setting(page, 'layout')).toEqual({ type: 'grid', captions: true });
    await page.close();
  });

  test('a set of sizes is previewed as a contact sheet', async () => {
    const page = await open('make_variants');
    await page.locator('.sheet li').first().waitFor();
    expect(await page.locator('.sheet li').count()).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'Make a set of sizes (free)' }).click();
    await page.getByText('Download all (ZIP)').waitFor();
    await page.close();
  });

  test('a dropped image appears on the stage', async () => {
    const page = await open('edit_image', '');
    const bytes = await (await studio.app.fetch(new Request(`${SITE}/favicon.ico`))).arrayBuffer();
    await page
      .locator('input[type=file][name=image]')
      .setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: Buffer.from(bytes) });
    await page.getByAltText('Your image').waitFor();
    await add(page, 'Rotate');
    await previewed(page);
    await page.close();
  });

  test('the reason for a refused preview is shown, and the next preview works', async () => {
    const page = await open('edit_image');
    await add(page, 'Crop');
    await page.locator('[data-field="box.x"]').fill('150%');
    await page.locator('[data-field="box.y"]').fill('0');
    await page.locator('[data-field="box.width"]').fill('10%');
    await page.locator('[data-field="box.height"]').fill('10%');
    await page.getByRole('button', { name: /^Crop/, expanded: true }).click();
    await page.getByText(/holds no pixel of the image/).waitFor();
    await page.getByRole('button', { name: /^Remove: Crop/ }).click();
    await add(page, 'Rotate');
    await previewed(page);
    await page.close();
  });

  describe.each(['light', 'dark'] as const)('in %s mode', (colorScheme) => {
    test.each([390, 1024, 1440])(
      'at %d px there are no accessibility violations, layout shifts or overflow',
      async (width) => {
        for (const tool of Object.keys(PAGES) as (keyof typeof PAGES)[]) {
          const query =
            tool === 'edit_image' ? `${PAGES[tool]}&operations=${JSON.stringify(OPERATIONS)}` : PAGES[tool];
          const page = await studio.browser.newPage({ viewport: { width, height: 900 }, colorScheme });
          await page.addInitScript(COUNT_SHIFTS);
          await page.goto(`${SITE}/tools/${tool}${query}`, {
            waitUntil: 'networkidle',
            timeout: PAGE_MS_MAX,
          });
          const shift = await page.evaluate('globalThis.shift');
          const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          if (tool === 'edit_image')
            await page.getByRole('button', { name: /^Crop/, expanded: false }).click();
          expect([tool, await findBarriers(page), shift, beyond]).toEqual([tool, [], 0, 0]);
          await page.close();
        }
      },
      4 * PAGE_MS_MAX,
    );
  });
});

describe('without a browser', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app?.close());

  test('the form accepts operations as JSON and runs', async () => {
    const visitor = openVisitor(app);
    const operations = JSON.stringify(OPERATIONS);
    const { goTo } = await visitor.press('edit_image', { image: 'sample:pear', operations, press: 'one' });
    expect(await visitor.ended(goTo)).toContain('alt="Result: Edit an image"');
  });

  test.each(Object.entries(PAGES))('the page of %s is at most 60 kB without images', async (tool, query) => {
    const { text } = await app.get(`/tools/${tool}${query}`);
    const sizes = new Map([['page', brotliCompressSync(text).length]]);
    const weigh = async (address: string): Promise<void> => {
      if (sizes.has(address)) return;
      const reply = await app.fetch(new Request(SITE + address));
      const bytes = Buffer.from(await reply.arrayBuffer());
      sizes.set(address, /\.woff2$/.test(address) ? bytes.length : brotliCompressSync(bytes).length);
      if (/\.js$/.test(address))
        for (const [, next] of bytes.toString().matchAll(/(?:from|import) '(\/pages\/[^']+)'/g))
          await weigh(next!);
    };
    // The other font is fetched only where a text needs its letters.
    for (const [, address] of text.matchAll(/(?:href|src)="(\/pages\/[^"]+\.(?:js|css|woff2))"/g))
      await weigh(address!);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(60_000);
  });
});
