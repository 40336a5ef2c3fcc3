import { readFileSync } from 'node:fs';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStudio, SITE, type TestStudio } from '../support/open_studio.ts';
import { scene } from '../support/scene.ts';
import {
  apply,
  hasItems,
  isDone,
  openTool,
  type PickedFile,
  reaches,
  rows,
  tableWith,
  type Visiting,
} from '../support/table_visitors.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** Jobs that people bring to the table, from their files to what they take away. */

const WALLET = '0x00000000000000000000000000000000000000d8';
const SHOP_FILES = ['amazon.jpg', 'shopify.jpg', 'etsy.jpg', 'ebay.jpg', 'thumbnail.jpg'];

describe('user tasks at the table', needs('Chromium'), () => {
  let studio: TestStudio;
  beforeAll(async () => {
    studio = await openStudio();
    await toppedUp(studio.app.post, WALLET);
  });
  afterAll(() => studio?.close());

  const tableOf = (files: readonly PickedFile[], options: Visiting = {}) =>
    tableWith(studio.browser, SITE, { files, ...options });

  async function photo(name: string, seed: number, side = 240): Promise<PickedFile> {
    const picture = sharp(await scene(seed)).resize(side, side);
    return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() };
  }

  const downloaded = async (page: Page, link: Locator): Promise<Buffer> => {
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return readFileSync(await download.path());
  };
  const selection = (page: Page) => page.locator('#selection');
  const backToTools = async (page: Page) => {
    await page.keyboard.press('Escape');
    await page.locator('#jobs').waitFor();
  };

  test('a product photo becomes a white square with a shadow, in five shop sizes, zipped', async () => {
    const pear: PickedFile = {
      name: 'pear.webp',
      mimeType: 'image/webp',
      buffer: readFileSync(new URL('../../src/core/html/browser/sample_pear.webp', import.meta.url)),
    };
    const { page, context, said } = await tableOf([pear]);
    await page.getByRole('button', { name: 'Cut out (free)' }).click();
    await hasItems(page, 2);
    await selection(page).getByText('640 × 640, PNG').waitFor();
    await openTool(page, 'Edit an image');
    for (const operation of ['Shadow', 'Background', 'Pad']) {
      const button = page.getByRole('button', { name: `Add: ${operation}` });
      if (!(await button.isVisible())) await page.getByText('More operations').click();
      await button.click();
    }
    await apply(page);
    await isDone(page, 2);
    await backToTools(page);
    await openTool(page, 'Make a set of sizes');
    await page.getByText('Shop', { exact: true }).click();
    await apply(page);
    await isDone(page, 3);
    const zip = await downloaded(page, selection(page).getByRole('link', { name: 'Download ZIP' }));
    expect(SHOP_FILES.filter((name) => !zip.includes(name))).toEqual([]);
    expect(said).toEqual([]);
    await context.close();
  });

  test('an image is watermarked and registered, and its cropped copy is recognised', async () => {
    const { page, context, said } = await tableOf([await photo('harbour.jpg', 4, 640)], { wallet: WALLET });
    await openTool(page, 'Embed a watermark');
    await page.getByLabel('Text to hide').fill('Anna Berg 2026');
    await apply(page);
    await isDone(page, 1);
    await openTool(page, 'Register an image');
    await page.locator('#ticket').getByLabel('Title').fill('The harbour');
    await page.locator('#ticket').getByLabel('Artist').fill('Anna Berg');
    await apply(page);
    await isDone(page, 2);
    await rows(page).locator('a').last().click();
    await openTool(page, 'Edit an image');
    await page.getByRole('button', { name: 'Add: Crop' }).click();
    await apply(page);
    await isDone(page, 3);
    await backToTools(page);
    await openTool(page, 'Verify provenance');
    await apply(page);
    await page.getByText('This was made from an image registered on this server').waitFor();
    await page.locator('.answer summary').click();
    await page.locator('.answer').getByText('Anna Berg').first().waitFor();
    expect(said).toEqual([]);
    await context.close();
  });

  test('on a phone without a face-detection model, boxes drawn on twelve photos are blurred', async () => {
    const photos = await Promise.all(
      Array.from({ length: 12 }, (_, at) => photo(`street ${at + 1}.jpg`, at + 1)),
    );
    const { page, context } = await tableOf(photos, { width: 390 });
    await page.getByRole('button', { name: 'Tools', exact: true }).click();
    await openTool(page, 'Edit an image');
    await page.getByRole('button', { name: 'Add: Blur' }).click();
    const where = page.locator('#ticket select[data-field=where]');
    await where.selectOption('faces');
    await page.locator('at-stage').getByText('No model that finds faces').waitFor();
    await apply(page);
    const failures = page.getByRole('region', { name: 'Failed runs' });
    await failures.getByRole('heading', { name: '12 images failed' }).waitFor();
    expect(await failures.getByText('No model that finds faces').count()).toBe(1);
    await failures.getByRole('link', { name: 'Try again with other settings' }).click();
    await page.locator('#ticket').getByRole('button', { name: /^Blur/ }).first().click();
    await where.selectOption('Boxes drawn on the image');
    const { x, y, width, height } = (await page.locator('at-stage .stage img').first().boundingBox())!;
    await page.mouse.move(x + width / 4, y + height / 4);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Apply to 12 images' }).click();
    await hasItems(page, 24);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await context.close();
  });

  test('alternative texts are suggested, edited and written into the files', async () => {
    const files = [await photo('boat.jpg', 5), await photo('hill.jpg', 6)];
    const { page, context, said } = await tableOf(files, { wallet: WALLET });
    await rows(page).locator('a').first().click();
    await openTool(page, 'Enrich metadata');
    await page.getByLabel(/^Subject/).fill('a boat');
    await apply(page);
    const suggested = page.getByLabel('Alternative text');
    expect(await suggested.inputValue()).toMatch(/boat/i);
    await suggested.fill('A small boat near the shore.');
    await page.getByRole('button', { name: 'Save as caption' }).click();
    await rows(page).locator('a').last().click();
    await page.getByText('Name and caption').click();
    await page.getByLabel('Caption').fill('A hill in the evening.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('#board').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByRole('button', { name: 'Write captions into the files (2 credits)' }).click();
    await hasItems(page, 4);
    await selection(page).getByText('2 images selected').waitFor();
    const zip = await downloaded(page, selection(page).getByRole('link', { name: 'Download ZIP' }));
    expect(
      ['A small boat near the shore.', 'A hill in the evening.'].filter((text) => !zip.includes(text)),
    ).toEqual([]);
    expect(said).toEqual([]);
    await context.close();
  });

  test('edits are saved as a recipe that runs on fifty images, two of them broken', async () => {
    const { page, context } = await tableOf([await photo('first.jpg', 7)], { wallet: WALLET });
    for (const side of ['120', '60']) {
      await openTool(page, 'Resize an image');
      await page.getByLabel('Width').fill(side);
      await page.getByLabel('Height').fill(side);
      await apply(page);
      await isDone(page, side === '120' ? 1 : 2);
      await page.locator('#jobs').waitFor();
    }
    await page.getByRole('link', { name: 'Steps' }).click();
    await page.getByLabel('Name of the recipe').fill('Small twice');
    await page.getByRole('button', { name: 'Save as recipe (free)' }).click();
    await page.getByText('Recipe saved').waitFor();
    const photos = await Promise.all(
      Array.from({ length: 50 }, (_, at) => photo(`photo ${at + 1}.jpg`, 8, 130 + at)),
    );
    photos[10] = { ...photos[10]!, name: 'notes.jpg', buffer: Buffer.from('not an image') };
    photos[20] = { ...photos[20]!, name: 'cut off.jpg', buffer: photos[20]!.buffer.subarray(0, 1500) };
    await page.locator('#add input').setInputFiles(photos);
    await page.getByRole('heading', { name: '49 images selected' }).waitFor();
    await page.locator('#sending').getByText('notes.jpg').waitFor();
    await openTool(page, 'Small twice');
    await apply(page);
    const failures = page.getByRole('region', { name: 'Failed runs' });
    await failures.getByText('cut off.jpg').waitFor();
    await page.getByRole('heading', { name: '48 images selected' }).waitFor();
    await reaches(() => page.locator('#items [aria-current] .facts', { hasText: '60 × 60' }).count(), 48);
    await context.close();
  });
});
