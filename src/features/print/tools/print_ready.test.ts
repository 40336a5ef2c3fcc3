import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { encodePicture, sourceOf } from '@atelier/imaging/encoders/encode_picture.ts';
import { afterAll, expect, test } from 'vitest';
import { createCatalogue } from '../../../catalog/create_catalogue.ts';
import { createLinks } from '../../../core/links/links.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { createPixels } from '../../../core/workers/workers.ts';
import { coerceInput } from '../../../pipeline/coerce_input.ts';
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

test('defaults match the specification', () => {
  const { dpi, bleed_mm, crop_marks, output_format } = printReady.input.parse({ image: 'x' });
  expect({ dpi, bleed_mm, crop_marks, output_format }).toEqual({
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
])('rejects %j with the field name', (wrong, field) => {
  const { error } = printReady.input.safeParse({ image: 'x', ...wrong });
  expect(error?.issues[0]?.path).toEqual([field]);
});

test('every specified size is accepted at every resolution with maximum bleed', () => {
  for (const product_size of ['a4', 'a3', 'letter', 'poster_24x36'])
    for (const dpi of [150, 300, 600])
      expect(printReady.input.safeParse({ image: 'x', product_size, dpi, bleed_mm: 10 }).success).toBe(true);
});

test.each([
  ['tiff', 'image/tiff'],
  ['pdf', 'application/pdf'],
])('%s returns %s and describes its content', async (output_format, content_type) => {
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

test('a low resolution fails preflight with the cheapest remedy at its catalogue price', async () => {
  const asked = { ...CARD, custom_width_mm: 30, custom_height_mm: 30 };
  const { answer } = await run(asked, { art: larger });
  expect(answer.preflight.verdict).toBe('fail');
  expect(answer.preflight.checks.find(({ check }) => check === 'resolution')).toMatchObject({
    status: 'fail',
    mend: {
      action: 'Enlarge it 2×, then repeat print_ready',
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

test('a smaller sheet is suggested when upscaling is not enough', async () => {
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
])('for %i mm the suggested remedy is "%s" for %s', async (side, action, cost) => {
  const asked = { ...CARD, custom_width_mm: side, custom_height_mm: side };
  const { answer } = await run(asked, { art: larger });
  expect(answer.preflight.checks.find(({ check }) => check === 'resolution')?.mend).toMatchObject({
    action: `${action}, then repeat print_ready`,
    cost,
  });
});

test('a remedy is a working call with the submitted artwork', async () => {
  const asked = { ...CARD, custom_width_mm: 280, custom_height_mm: 280, bleed_mm: 0, output: 'url' };
  const { answer } = await run(asked, { art: larger });
  const mends = answer.preflight.checks.flatMap(({ mend }) => mend ?? []);
  expect(mends.map(({ action }) => action)).toEqual(['Print it smaller, on 16 × 16 mm', 'Send bleed_mm 3']);
  for (const { params } of mends) {
    const { bytes } = await results.open(String(params.image).replace('result:', ''));
    expect(Buffer.compare(bytes, larger.bytes)).toBe(0);
  }
  const { answer: mended } = await run(mends[0]!.params, { art: larger });
  expect(mended.preflight.checks.find(({ check }) => check === 'resolution')?.status).toBe('pass');
});

test('an unknown profile is rejected with the available names', async () => {
  await expect(run({ ...CARD, profile: 'newsprint' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('uncoated_fogra29'),
    details: { errors: [{ field: 'profile' }] },
  });
});

test('crop marks without bleed have no effect and give a warning', async () => {
  const { warnings, answer } = await run({ ...CARD, bleed_mm: 0 });
  expect(warnings).toEqual([expect.stringContaining('No crop marks')]);
  expect(answer.crop_marks).toBe(false);
});

test('the resolution forecast from the image size matches the preflight', async () => {
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

const drawing = (content: string) => ({
  bytes: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="150"><rect width="200" height="150" fill="#c84"/>${content}</svg>`,
  ),
  format: 'svg' as const,
  width: 200,
  height: 150,
});

test('an SVG stays vector on the sheet, with a separate cut plate', async () => {
  const art = drawing('<path id="CutContour" d="M9 9h99" stroke="#f0f"/>') as unknown as typeof image;
  const { answer } = await run({ ...CARD, output_format: 'pdf' }, { art });
  const { live, spot_colors, preflight, preview } = printReady.output.parse(answer);
  expect([live, spot_colors, preview !== undefined]).toEqual([true, ['CutContour'], true]);
  expect(preflight.checks[0]).toMatchObject({ check: 'resolution', status: 'pass' });
  expect(preflight.effective_dpi).toBeUndefined();
});

test('an SVG with a filter is rasterised with a reason', async () => {
  const blurred =
    '<filter id="f"><feGaussianBlur stdDeviation="3"/></filter><rect filter="url(#f)" width="99" height="99"/>';
  const art = drawing(blurred) as unknown as typeof image;
  const { answer, warnings } = await run({ ...CARD, output_format: 'pdf' }, { art });
  expect(printReady.output.parse(answer).live).toBe(false);
  expect(warnings.join(' ')).toContain('rasterised because it has filters');
});

test.each([
  ['a transparent picture', { isClear: true }, 1],
  ['an opaque one', { isClear: false }, 0.5],
])('by default %s is placed whole only if it has transparency: %j', async (_name, { isClear }, kept) => {
  const background = { r: 200, g: 40, b: 40, alpha: isClear ? 0 : 1 };
  const bytes = await sharp({ create: { width: 200, height: 75, channels: 4, background } })
    .png()
    .toBuffer();
  const { answer, warnings } = await run(CARD, { art: { ...image, bytes, width: 200, height: 75 } });
  expect([answer.kept_share, warnings.some((warning) => warning.includes('placed whole'))]).toEqual([
    kept,
    isClear,
  ]);
});

/** Three pages of 40 × 30 pixels. */
async function threePages(format: 'pdf' | 'tiff') {
  const pages = [40, 120, 200].map((grey) =>
    sourceOf({ width: 40, height: 30, channels: 3, data: new Uint8Array(40 * 30 * 3).fill(grey) }),
  );
  const options = { format, quality: 100, isLossless: true, dpi: 150 };
  const { bytes } = await encodePicture({ kind: 'pages', pages }, options);
  return { bytes, format, width: 40, height: 30 } as unknown as typeof image;
}

test.each(['pdf', 'tiff'] as const)('the requested page of a %s is printed on the sheet', async (format) => {
  const art = await threePages(format);
  const { answer } = await run({ ...CARD, output_format: 'pdf', pages: '2' }, { art });
  const { pages, preflight } = printReady.output.parse(answer);
  expect(pages).toEqual({ used: [2], of: 3 });
  // A sheet of the dark first page has more ink.
  expect(preflight.mean_ink_percent).toBeLessThan(
    printReady.output.parse((await run({ ...CARD, pages: '1' }, { art })).answer).preflight.mean_ink_percent,
  );
  await expect(run({ ...CARD, pages: '4' }, { art })).rejects.toMatchObject({ code: 'unsuitable_image' });
});

test.each([
  ['a sheet', {}, 'pages'],
  ['a poster', { layout: { kind: 'tiles' } }, 'pages'],
  ['a booklet', { layout: { kind: 'booklet' } }, undefined],
])('the pages parameter of %s is validated', (_name, more, field) => {
  const { error } = printReady.input.safeParse({ image: 'x', pages: '1-3', ...more });
  expect(error?.issues[0]?.path.join('.')).toBe(field);
});

test('pages are laid out in the requested order', async () => {
  const art = await threePages('pdf');
  const { answer } = await run({ layout: { kind: 'n_up' }, pages: '3,1' }, { art });
  expect(printReady.output.strict().parse(answer).pages).toEqual({ used: [3, 1], of: 3 });
});

test('the sheet size defaults to A4', async () => {
  const { answer } = await run({ dpi: 150, output: 'url' });
  expect([answer.product_size, answer.trim_mm.width]).toEqual(['a4', 297]);
});

test.each([
  [{ cut: true }, { cut: { offset_mm: 2 } }],
  [{ cut: { offset: '3 mm', border: 'bleed' } }, { cut: { offset_mm: 3, border: 'extend' } }],
  [{ imposition: { type: 'saddle-stitched', paper: 'A3' } }, { layout: { kind: 'booklet', sheet: 'A3' } }],
  [{ layout: { kind: 'tiles', sheet: '320 x 450 mm' } }, { layout: { sheet: '320 x 450 mm' } }],
])('loosely written model input %j is coerced', (sent, read) => {
  const { sent: fields } = coerceInput(printReady.input, { image: 'x', ...sent });
  expect(printReady.input.parse(fields)).toMatchObject(read);
});

test.each([
  [{ layout: { kind: 'n_up', copies: 10_000 } }, 'layout.copies'],
  [{ layout: { kind: 'n_up', gap_mm: -1 } }, 'layout.gap_mm'],
  [{ layout: { kind: 'n_up', gap_mm: Number.NaN } }, 'layout.gap_mm'],
  [{ layout: { kind: 'tiles', overlap_mm: -5 } }, 'layout.overlap_mm'],
  [{ layout: { kind: 'tiles', sheet: '1x1' } }, 'layout.sheet'],
  [{ layout: { kind: 'tiles', sheet: '1e9x1e9' } }, 'layout.sheet'],
  [{ layout: { kind: 'tiles', copies: 3 } }, 'layout.copies'],
  [{ layout: { kind: 'booklet', overlap_mm: 3 } }, 'layout.overlap_mm'],
  [{ layout: { kind: 'spiral' } }, 'layout.kind'],
  [{ layout: { kind: 'booklet' }, cut: {} }, 'cut'],
  [{ cut: { offset_mm: 1000 } }, 'cut.offset_mm'],
])('rejects the layout %j with the field name', (wrong, field) => {
  const { error } = printReady.input.safeParse({ image: 'x', ...wrong });
  expect(error?.issues[0]?.path.join('.')).toBe(field);
});

test('a layout of an SVG reports pieces per sheet and the number of sheets', async () => {
  const art = drawing('<circle cx="100" cy="75" r="50" fill="#fff"/>') as unknown as typeof image;
  const asked = { layout: { kind: 'n_up' } };
  const { answer } = await run(asked, { art });
  const { layout, live, preview } = printReady.output.strict().parse(answer);
  expect(layout).toMatchObject({ kind: 'n_up', pages: 1, per_sheet: 18, copies: [18] });
  expect([live, preview !== undefined]).toEqual([true, true]);
});

test('a cut contour is reported with its plate, size and few nodes', async () => {
  const bytes = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="40mm" viewBox="0 0 40 40"><circle cx="20" cy="20" r="15" fill="#c33"/></svg>',
  );
  const art = { bytes, format: 'svg' as const, width: 151, height: 151 } as unknown as typeof image;
  const { answer } = await run({ cut: {} }, { art });
  const { cut, spot_colors } = printReady.output.parse(answer);
  expect([spot_colors, cut!.paths, cut!.nodes < 20]).toEqual([['CutContour'], 1, true]);
  expect(cut!.size_mm.width).toBeCloseTo(34, 0);
});

test('remedies for a layout refer to images by handle instead of bytes', async () => {
  const asked = {
    ...CARD,
    bleed_mm: 0,
    layout: { kind: 'n_up', images: ['y'] },
  };
  const services = {
    pixels,
    results,
    pressProfiles: createPressProfiles({ folder: undefined }),
    catalogue: createCatalogue([
      printReady as unknown as AnyTool,
      runRecipe as unknown as AnyTool,
      upscaleImage as AnyTool,
    ]),
  };
  const parsed = printReady.input.parse({ image: 'x', ...asked });
  const input = { ...parsed, image: larger, layout: { ...parsed.layout!, images: [larger] } };
  const call = { deadlineMs: 60_000, signal: new AbortController().signal, onProgress() {}, warn() {} };
  const answer = await printReady.run(input as never, services as never, call as unknown as CallContext);
  const [mend] = answer.preflight.checks.flatMap((check) => check.mend ?? []);
  expect(
    (mend!.params as { layout?: { images: string[] } }).layout?.images[0] ?? JSON.stringify(mend!.params),
  ).toMatch(/result:/);
});
