import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from '../support/browse.ts';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { scene } from '../support/scene.ts';
import {
  acts,
  apply,
  hasItems,
  isDone,
  openTool,
  type PickedFile,
  reaches,
  rows,
  tableWith,
  type Visiting,
  visit,
} from '../support/table_visitors.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** The table in a browser: what people do there by mouse, by keys and at phone size, alone and with others. */

const WALLET = '0x00000000000000000000000000000000000000d7';
const TABLE_BYTES_MAX = 120_000;
const MARKUP = '"><img src=x onerror=alert(1)>.png';

const COUNT_SHIFTS = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe('the table', needs('Chromium'), () => {
  let studio: TestStudio;
  let photos: PickedFile[];
  /** Stands out from its ground: it is cut out without a network. */
  let pear: PickedFile;

  beforeAll(async () => {
    studio = await openStudio();
    await toppedUp(studio.app.post, WALLET);
    pear = {
      name: 'pear.webp',
      mimeType: 'image/webp',
      buffer: readFileSync(new URL('../../src/core/html/browser/sample_pear.webp', import.meta.url)),
    };
    photos = await Promise.all(
      [1, 2, 3].map(async (seed) => ({
        name: `photo ${seed}.png`,
        mimeType: 'image/png',
        buffer: await sharp(await scene(seed))
          .resize(320, 240)
          .png()
          .toBuffer(),
      })),
    );
  });
  afterAll(() => studio?.close());

  const visiting = (options: Visiting = {}) => visit(studio.browser, SITE, options);
  const tableOf = (files: readonly PickedFile[], options: Visiting = {}) =>
    tableWith(studio.browser, SITE, { files, ...options });

  test.each([
    ['at a desk', {}],
    ['on a phone', { viewport: { width: 390, height: 844 }, isMobile: true }],
  ])('%s, images are in their final positions before any script runs', async (_name, options) => {
    const { page, context } = await tableOf(photos);
    await hasItems(page, 3);
    const address = page.url();
    const state = await context.storageState();
    const boxesOf = async (selector: string, isProgrammed: boolean) => {
      const other = await studio.browser.newContext({ ...options, storageState: state });
      const sheet = await other.newPage();
      if (!isProgrammed) await sheet.route(/\/pages\/theme.*\.js$/, (route) => route.abort());
      await sheet.goto(address);
      const found = sheet.locator(selector);
      await found.nth(2).waitFor();
      const boxes = await Promise.all((await found.all()).map((one) => one.boundingBox()));
      await other.close();
      return boxes.flatMap((box) => [box!.x, box!.y, box!.width]);
    };
    const drawn = await boxesOf('.first-view image', false);
    const tiles = await boxesOf('.tile img.seen', true);
    expect(drawn).toHaveLength(9);
    expect(Math.max(...drawn.map((side, at) => Math.abs(side - tiles[at]!)))).toBeLessThan(2);
    await context.close();
  });

  test('a photo is dropped, cut out and downloaded in three actions', async () => {
    const { page, context, said } = await tableOf([pear]);
    await page.getByRole('button', { name: 'Cut out (free)' }).click();
    await hasItems(page, 2);
    await page.locator('#items li:nth-child(2) [aria-current]').waitFor();
    await page.locator('#selection', { hasText: '640 × 640, PNG' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#selection').getByRole('link', { name: 'Download' }).click(),
    ]);
    const { hasAlpha, width } = await sharp(readFileSync(await download.path())).metadata();
    expect([hasAlpha, width, said]).toEqual([true, 640, []]);
    await context.close();
  });

  test('a crop is dragged on the image, previewed, applied and undone', async () => {
    const { page, context, said } = await tableOf(photos.slice(0, 1));
    await openTool(page, 'Edit an image');
    await page.getByRole('button', { name: 'Add: Crop' }).click();
    const crop = page.getByRole('button', { name: /^Crop: 10% from the left/ });
    const { x, y, width, height } = (await crop.boundingBox())!;
    await page.mouse.move(x + width, y + height);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: /^Crop/, expanded: true }).click();
    await page.getByAltText('Preview of the result').waitFor();
    await apply(page);
    await hasItems(page, 2);
    await page
      .getByText(/^128 × 9\d, PNG$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Back to table' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await hasItems(page, 1);
    await page.getByRole('button', { name: 'Redo' }).click();
    await hasItems(page, 2);
    expect(said).toEqual([]);
    await context.close();
  });

  test('a batch runs on each image and rejects a non-image file by name', async () => {
    const notes = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not an image') };
    const { page, context } = await visiting();
    await page.goto(`${SITE}/table`);
    await page.locator('#start input[type=file]').setInputFiles([photos[0]!, notes, photos[1]!, photos[2]!]);
    await page.waitForURL(/\/table\/wsp_/);
    await page.locator('#sending li', { hasText: 'notes.png' }).waitFor();
    await hasItems(page, 3);
    expect(await page.locator('#items .name').allTextContents()).toEqual(photos.map(({ name }) => name));
    await page.getByRole('heading', { name: '3 images selected' }).waitFor();
    await openTool(page, 'Resize an image');
    await page.getByLabel('Width').fill('64');
    await page.getByLabel('Height').fill('48');
    await page.getByRole('button', { name: /^Apply to 3 images \(free/ }).click();
    await hasItems(page, 6);
    await isDone(page, 3);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all' }).click(),
    ]);
    const zip = readFileSync(await download.path());
    expect([...photos, notes].map(({ name }) => zip.includes(name))).toEqual([true, true, true, false]);
    await context.close();
  });

  test('a print with too low a resolution is reported first, with a remedy', async () => {
    const { page, context } = await tableOf(photos.slice(0, 1));
    await openTool(page, 'Prepare for print');
    await apply(page);
    await isDone(page, 1);
    await page.getByText('dpi will look blurred').waitFor();
    const repair = page.getByRole('button', { name: /^Enlarge it .*credits/ });
    expect(await repair.count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: /^Print it smaller/ }).click();
    await isDone(page, 2);
    await reaches(() => page.getByText('dpi will look blurred').count(), 0);
    await context.close();
  });

  test('a generated document is shown on the table', async () => {
    const { page, context } = await tableOf(photos.slice(0, 1));
    await openTool(page, 'Prepare for print');
    await page.getByText('PDF', { exact: true }).first().click();
    await apply(page);
    await isDone(page, 1);
    const tile = page.locator('.tile.document .cell');
    await reaches(async () => Number((await tile.boundingBox())!.width > 20), 1);
    await context.close();
  });

  test('after three undos, a new branch is added and both branches remain', async () => {
    const { page, context } = await tableOf([pear]);
    for (const [count, width] of [
      [1, '200'],
      [2, '100'],
      [3, '50'],
    ] as const) {
      await openTool(page, 'Resize an image');
      await page.getByLabel('Width').fill(width);
      await page.getByLabel('Height').fill(width);
      await apply(page);
      await isDone(page, count);
      await page.locator('#jobs').waitFor();
    }
    const undo = page.getByRole('button', { name: 'Undo' });
    for (const left of [3, 2, 1]) {
      await undo.click();
      await hasItems(page, left);
    }
    expect(await undo.isDisabled()).toBe(true);
    await page.locator('#items a').first().click();
    await page.getByRole('button', { name: 'Cut out (free)' }).click();
    await hasItems(page, 2);
    const branches = page.locator('#branches select');
    await reaches(() => page.locator('#branches option').count(), 2);
    const names = await branches.locator('option').allTextContents();
    await branches.selectOption(names.find((name) => name !== 'main')!);
    await hasItems(page, 4);
    await context.close();
  });

  test.each([
    ['', 0],
    [' while panels load slowly', 700],
  ])('selecting, comparing, opening, hiding and undoing work by keyboard alone%s', async (_name, delayMs) => {
    const { page, context, said } = await tableOf(photos.slice(0, 3));
    await page.route(/part=panel/, async (route) => {
      await new Promise((done) => setTimeout(done, delayMs));
      await route.continue();
    });
    await page.locator('#board').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('heading', { name: '2 images selected' }).waitFor();
    await page.keyboard.press('c');
    await page.locator('at-compare.sliding').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('at-compare.sliding').waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.locator('#fill at-compare img').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#fill at-compare img').waitFor({ state: 'hidden' });
    await page.keyboard.press('Delete');
    await hasItems(page, 2);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' });
    await page.locator('#board').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByRole('heading', { name: '2 images selected' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('scale down');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#ticket[data-tool=resize_image]').waitFor();
    expect(said).toEqual([]);
    await context.close();
  });

  test('markup in names, titles, captions and comments stays text', async () => {
    const { page, context, said } = await tableOf([{ ...photos[0]!, name: MARKUP }]);
    await page.locator('#rename summary').click();
    await page.getByLabel('Title').fill('<b>Winter</b>');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: '<b>Winter</b>' }).waitFor();
    await page.locator('#comments > summary').click();
    await page.getByPlaceholder('Comment').fill('<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.locator('#comment-list', { hasText: '<script>alert(1)</script>' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '<b>Winter</b>' }).waitFor();
    expect(await page.locator('.name', { hasText: 'onerror' }).count()).toBeGreaterThan(0);
    expect(await page.locator('main img[src=x], #comment-list script, h1 b').count()).toBe(0);
    expect(said).toEqual([]);
    await context.close();
  });

  test('a share link gives a colleague a live, read-only view', async () => {
    const { page, context } = await tableOf([pear]);
    await page.locator('#share > summary').click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = page.locator('#share-links li', { hasText: 'Can view' }).locator('input[readonly]');
    const other = await visiting();
    await other.page.goto(await link.inputValue());
    await hasItems(other.page, 1);
    expect(await other.page.getByRole('button', { name: /^(Undo|Hide|Cut out)/ }).count()).toBe(0);
    expect(await other.page.getByText('Add images').count()).toBe(0);
    await page.locator('#items a').first().click();
    await page.getByRole('button', { name: 'Cut out (free)' }).click();
    await hasItems(other.page, 2);
    const refused = await other.page.goto(`${SITE}${new URL(page.url()).pathname}`);
    expect(refused!.status()).toBe(404);
    await other.context.close();
    await context.close();
  });

  test('a person and an agent share one table', async () => {
    const { page, context } = await tableOf(photos.slice(0, 1), { wallet: WALLET });
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const client = new Client({ name: 'Cutter', version: '1.0.0' });
    const request = (input: string | URL | Request, init?: RequestInit) =>
      studio.app.fetch(new Request(input instanceof Request ? input : String(input), init));
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${SITE}/mcp`), {
        fetch: request as typeof fetch,
        requestInit: { headers: { Authorization: `Bearer ${WALLET}` } },
      }),
    );
    const made = await client.callTool({
      name: 'resize_image',
      arguments: { workspace: id, image: 'item:1', width: 90, height: 90 },
    });
    expect(made.isError).toBeFalsy();
    await hasItems(page, 2);
    await page.locator('#acts li', { hasText: '(agent)' }).waitFor();
    await page.locator('#items a').last().click();
    await page.locator('#comments > summary').click();
    await page.getByPlaceholder('Comment').fill('Take this one');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.locator('#comment-list', { hasText: 'Take this one' }).waitFor();
    const { body } = await studio.app.get(`/api/workspaces/${id}`, { Authorization: `Bearer ${WALLET}` });
    expect(body.comments[0]).toMatchObject({ text: 'Take this one', item: 2 });
    await client.close();
    await context.close();
  });

  test('on a phone, images, table and tools are three sheets', async () => {
    const { page, context, said } = await tableOf([pear, photos[0]!], { width: 390 });
    await page.getByRole('button', { name: 'Images', exact: true }).click();
    await page.locator('#items a', { hasText: 'pear' }).click();
    await page.getByRole('button', { name: 'Tools', exact: true }).click();
    await page.getByRole('button', { name: 'Cut out (free)' }).click();
    await isDone(page, 1);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(said).toEqual([]);
    await context.close();
  });

  test('a table is created, viewed and edited without JavaScript', async () => {
    const { page, context } = await visiting({ javaScriptEnabled: false });
    await page.goto(`${SITE}/table`);
    await page.locator('input[type=file]').setInputFiles([photos[0]!, photos[1]!]);
    await page.getByRole('button', { name: 'Open empty table' }).click();
    expect(await rows(page).count()).toBe(2);
    await page.locator('#items a').first().click();
    await openTool(page, 'Resize an image');
    await page.getByLabel('Width').fill('64');
    await page.getByLabel('Height').fill('48');
    await apply(page);
    const reloaded = async (count: () => Promise<number>) => {
      await page.reload();
      return count();
    };
    await reaches(() => reloaded(() => acts(page).filter({ hasText: 'Resize an image' }).count()), 1);
    await reaches(() => reloaded(() => rows(page).count()), 3);
    expect(await page.locator('#fill img').getAttribute('alt')).toBe('photo 1.png');
    await context.close();
  });

  test('axe finds no violations in either theme, with a tool, a selection and on a phone', async () => {
    const { page, context } = await tableOf(photos.slice(0, 2));
    const address = page.url().split('?')[0]!;
    for (const [width, query] of [
      [1440, ''],
      [1440, '?items=1'],
      [1440, '?items=1&tool=edit_image'],
      [390, '?items=1,2&tool=resize_image'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address + query);
      await page.locator('at-table[data-ready]').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect([query, await findBarriers(page)]).toEqual([query, []]);
      }
    }
    await context.close();
  });

  test('the page stays within its size budget and has no layout shifts', async () => {
    const { page, context } = await tableOf(photos);
    const address = `${page.url().split('?')[0]!}?items=1&tool=edit_image`;
    const sizes: number[] = [];
    page.on('response', async (response) => {
      if (!/\.(js|css|woff2)$|\/table\//.test(new URL(response.url()).pathname)) return;
      const bytes = await response.body().catch(() => Buffer.alloc(0));
      sizes.push(/\.woff2$/.test(response.url()) ? bytes.length : brotliCompressSync(bytes).length);
    });
    await page.addInitScript({ content: COUNT_SHIFTS });
    await page.goto(address);
    await page.locator('at-table[data-ready]').waitFor();
    await page.locator('at-stage img').first().waitFor();
    expect(await page.evaluate('globalThis.shift')).toBe(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(TABLE_BYTES_MAX);
    await context.close();
  });
});
