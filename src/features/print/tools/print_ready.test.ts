import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCatalogue } from '../../../catalog/create_catalogue.ts';
import { createLinks } from '../../../core/links/links.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { createPixels } from '../../../core/workers/workers.ts';
import { createResults } from '../../assets/results/results.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { credits } from '../../definitions/price.ts';
import { QUADRUPLED_PNG_B64 } from '../../definitions/sample_pictures.ts';
import type { AnyTool, CallContext } from '../../definitions/tool.ts';
import { upscaleImage } from '../../images/tools/upscale_image.ts';
import { runRecipe } from '../../recipes/tools/run_recipe.ts';
import type { Services } from '../../services.ts';
import { createPressProfiles } from '../profiles/press_profiles.ts';
import { foreseeSheet, printReady } from './print_ready.ts';

const pixels = createPixels({ workers: 1, pixelsInFlightMax: 1e8, queueLengthMax: 1, deadlineMs: 60_000 });
afterAll(() => pixels.close());
const image = {
  bytes: Buffer.from(EXAMPLE_PNG_B64, 'base64'),
  format: 'png' as const,
  width: 16,
  height: 12,
};
const larger = { ...image, bytes: Buffer.from(QUADRUPLED_PNG_B64, 'base64'), width: 96, height: 96 };
const folder = await mkdtemp(join(tmpdir(), 'atelier-print-'));
const links = createLinks({ publicUrl: 'https://here/', secret: 's'.repeat(32) });
const results = createResults({ objects: createFileObjects(folder), links });
const CARD = { product_size: 'custom', custom_width_mm: 20, custom_height_mm: 15, dpi: 150 };

async function run(more: object, { art = image, upscaler = upscaleImage as AnyTool } = {}) {
  const warnings: string[] = [];
  const services = {
    pixels,
    results,
    pressProfiles: createPressProfiles({ folder: undefined }),
    catalogue: createCatalogue([printReady as unknown as AnyTool, runRecipe as unknown as AnyTool, upscaler]),
  } as unknown as Pick<Services, 'pixels' | 'results' | 'pressProfiles' | 'catalogue'>;
  const call = {
    deadlineMs: 60_000,
    signal: new AbortController().signal,
    onProgress() {},
    warn: (text: string) => warnings.push(text),
  };
  const input = { ...printReady.input.parse({ image: 'x', ...more }), image: art };
  return { answer: await printReady.run(input, services, call as unknown as CallContext), warnings };
}

test('defaults are those of the specification', () => {
  const { product_size, dpi, bleed_mm, crop_marks, output_format } = printReady.input.parse({ image: 'x' });
  expect({ product_size, dpi, bleed_mm, crop_marks, output_format }).toEqual({
    product_size: 'a4',
    dpi: 300,
    bleed_mm: 3,
    crop_marks: true,
    output_format: 'tiff',
  });
});

test.each([
  [{ dpi: 72 }, 'dpi'],
  [{ dpi: 300.5 }, 'dpi'],
  [{ bleed_mm: 10.1 }, 'bleed_mm'],
  [{ bleed_mm: -1 }, 'bleed_mm'],
  [{ product_size: 'custom' }, 'custom_width_mm'],
  [{ product_size: 'custom', custom_width_mm: 100 }, 'custom_height_mm'],
  [{ product_size: 'custom', custom_width_mm: 0, custom_height_mm: 100 }, 'custom_width_mm'],
  [{ product_size: 'custom', custom_width_mm: 100, custom_height_mm: 1_000_000 }, 'custom_height_mm'],
  [{ product_size: 'custom', custom_width_mm: 2000, custom_height_mm: 2000, dpi: 600 }, 'dpi'],
  [{ product_size: 'a5' }, 'product_size'],
])('refuses %j and names the field', (wrong, field) => {
  const { error } = printReady.input.safeParse({ image: 'x', ...wrong });
  expect(error?.issues[0]?.path).toEqual([field]);
});

test('every size of the specification is taken at every density with the widest bleed', () => {
  for (const product_size of ['a4', 'a3', 'letter', 'poster_24x36'])
    for (const dpi of [150, 300, 600])
      expect(printReady.input.safeParse({ image: 'x', product_size, dpi, bleed_mm: 10 }).success).toBe(true);
});

test.each([
  ['tiff', 'image/tiff'],
  ['pdf', 'application/pdf'],
])('%s answers %s and says what it holds', async (output_format, content_type) => {
  const { answer } = await run({ ...CARD, output_format });
  expect(printReady.output.strict().safeParse(answer).error).toBeUndefined();
  expect(answer).toMatchObject({
    content_type,
    output_format,
    trim_mm: { width: 20, height: 15 },
    sheet_mm: { width: 26, height: 21 },
    width: 154,
    height: 124,
    color_mode: 'CMYK',
    profile: 'coated_fogra39',
    orientation: 'landscape',
  });
  expect(Buffer.from(answer.file_b64!, 'base64').length).toBe(answer.size_bytes);
});

test('too few pixels fail the preflight, and the cheapest step that mends it is named with the price of the catalogue', async () => {
  const asked = { ...CARD, custom_width_mm: 30, custom_height_mm: 30 };
  const { answer } = await run(asked, { art: larger });
  expect(answer.preflight.verdict).toBe('fail');
  expect(answer.preflight.checks.find(({ check }) => check === 'resolution')).toMatchObject({
    status: 'fail',
    mend: {
      action: 'Enlarge it 2×, and make this sheet of it',
      cost: '2 credits (0.20 USD)',
      gives: '163 dpi',
      params: {
        steps: [
          { tool: 'upscale_image', params: { scale: 2 } },
          { tool: 'print_ready', params: { image: '$step_1', custom_width_mm: 30 } },
        ],
      },
    },
    other_mends: [{ gives: '244 dpi' }, { action: 'Print it smaller, on 16 × 16 mm', cost: 'free' }],
  });
  const upscaler = { ...upscaleImage, price: credits(7) } as AnyTool;
  const { answer: other } = await run(asked, { art: larger, upscaler });
  expect(JSON.stringify(other.preflight)).toContain('7 credits');
});

test('where no enlargement is enough, a smaller sheet is named', async () => {
  const asked = { ...CARD, custom_width_mm: 280, custom_height_mm: 280 };
  const { answer } = await run(asked, { art: larger });
  expect(answer.preflight.checks.find(({ check }) => check === 'resolution')?.mend).toMatchObject({
    action: 'Print it smaller, on 16 × 16 mm',
    cost: 'free',
  });
});

test.each([
  [100, 'Enlarge it 8×', '2 credits (0.20 USD)'],
  [200, 'Enlarge it 4×, then 4×', '4 credits (0.40 USD)'],
])('for %i mm the offer is: %s, for %s', async (side, action, cost) => {
  const asked = { ...CARD, custom_width_mm: side, custom_height_mm: side };
  const { answer } = await run(asked, { art: larger });
  expect(answer.preflight.checks.find(({ check }) => check === 'resolution')?.mend).toMatchObject({
    action: `${action}, and make this sheet of it`,
    cost,
  });
});

test('what mends is a call that works as it stands, with the art that was sent', async () => {
  const asked = { ...CARD, custom_width_mm: 280, custom_height_mm: 280, bleed_mm: 0, output: 'url' };
  const { answer } = await run(asked, { art: larger });
  const mends = answer.preflight.checks.flatMap(({ mend }) => mend ?? []);
  expect(mends.map(({ action }) => action)).toEqual([
    'Print it smaller, on 16 × 16 mm',
    'Ask for bleed_mm 3',
  ]);
  for (const { params } of mends) {
    const { bytes } = await results.open(String(params.image).replace('result:', ''));
    expect(Buffer.compare(bytes, larger.bytes)).toBe(0);
  }
  const { answer: mended } = await run(mends[0]!.params, { art: larger });
  expect(mended.preflight.checks.find(({ check }) => check === 'resolution')?.status).toBe('pass');
});

test('an unknown profile is refused with the names there are', async () => {
  await expect(run({ ...CARD, profile: 'newsprint' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('uncoated_fogra29'),
    details: { errors: [{ field: 'profile' }] },
  });
});

test('what is without effect is said', async () => {
  const { warnings, answer } = await run({ ...CARD, bleed_mm: 0 });
  expect(warnings).toEqual([expect.stringContaining('No crop marks')]);
  expect(answer.crop_marks).toBe(false);
});

test('what a sheet will lack is known from the size of the picture, and is what the preflight says', async () => {
  const params = { image: 'item:1', ...CARD };
  const catalogue = createCatalogue([
    printReady as unknown as AnyTool,
    runRecipe as unknown as AnyTool,
    upscaleImage as AnyTool,
  ]);
  const foreseen = foreseeSheet(params, { picture: image, handle: 'item:1', catalogue })!;
  const { preflight } = (await run(CARD)).answer;
  const checked = preflight.checks.find(({ check }) => check === 'resolution')!;
  expect([foreseen.check.status, foreseen.check.message]).toEqual([checked.status, checked.message]);
  expect(foreseen.check.mend).toMatchObject({ action: checked.mend!.action, cost: checked.mend!.cost });
  expect(JSON.stringify(foreseen.check.mend!.params)).toContain('"image":"item:1"');
  const wrong = { ...params, custom_width_mm: undefined };
  expect(foreseeSheet(wrong, { picture: image, handle: 'item:1', catalogue })).toBe(undefined);
});
