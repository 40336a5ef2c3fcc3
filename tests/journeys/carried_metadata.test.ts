import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../../src/features/tools.ts';
import { exiftool } from '../support/exiftool.ts';
import { HOLDER, MARKS, markedPicture } from '../support/marked_picture.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** What a picture says about itself goes through every tool that answers one, in every format it can write. */

const WALLET = '0x00000000000000000000000000000000000000c2';
const PAYER = { Authorization: `Bearer ${WALLET}` };
const WAYS: readonly (readonly [tool: string, input: object])[] = [
  ...(['png', 'jpeg', 'webp'] as const).map(
    (format) => ['resize_image', { width: 200, height: 200, format }] as const,
  ),
  ['upscale_image', { scale: 2 }],
  ['remove_background', { output_format: 'png' }],
  ['remove_background', { output_format: 'webp' }],
  ['convert_color_profile', { target_profile: 'srgb' }],
  ['convert_color_profile', { target_profile: 'cmyk' }],
  ['convert_color_profile', { target_profile: 'cmyk', profile: 'coated_fogra39' }],
  ['convert_image', { format: 'avif' }],
  ['convert_image', { format: 'tiff' }],
  ['mockup_image', { product: 'poster' }],
  [
    'edit_image',
    {
      operations: [
        { op: 'rotate', degrees: 90 },
        { op: 'border', width: 8 },
      ],
    },
  ],
  ['erase_object', { where: [{ x: 10, y: 10, width: 20, height: 20 }] }],
  ['watermark_embed', { payload: 'Ada' }],
  ['vectorize_image', { output: 'base64' }],
  ...(['pdf', 'tiff'] as const).map(
    (format) =>
      [
        'print_ready',
        {
          product_size: 'custom',
          custom_width_mm: 60,
          custom_height_mm: 80,
          dpi: 150,
          output_format: format,
        },
      ] as const,
  ),
];

let app: TestApp;
let image: string;
beforeAll(async () => {
  app = await openTestApp({ TOOL_DEADLINE_MS: '120000' });
  await toppedUp(app.post, WALLET);
  image = (await markedPicture('jpeg', { width: 320, height: 240 })).toString('base64');
}, 240_000);
afterAll(() => app?.close());

async function made(tool: string, input: object) {
  const { status, body } = await app.post(`/api/tools/${tool}`, { image, ...input }, PAYER);
  expect({ status, body: status === 200 ? undefined : body }).toEqual({ status: 200, body: undefined });
  const { metadata, image_b64, file_b64, svg_content } = body;
  return {
    metadata,
    bytes: svg_content ? Buffer.from(svg_content) : Buffer.from(image_b64 ?? file_b64, 'base64'),
  };
}

/** As libvips reads it; drawings and PDF hold it as text. */
async function xmpIn(bytes: Buffer): Promise<string> {
  if (/^(%PDF|<svg)/.test(bytes.toString('latin1', 0, 4))) return bytes.toString();
  return (await sharp(bytes).metadata()).xmp?.toString() ?? '';
}

test.each(WAYS)(
  '%s %j keeps legal marks and rights and reports changes to other metadata',
  async (tool, input) => {
    const { bytes, metadata } = await made(tool, input);
    const xmp = await xmpIn(bytes);
    expect(MARKS.filter((mark) => !xmp.includes(mark))).toEqual([]);
    expect(metadata.kept).toContain('xmp');
    expect(metadata.dropped.map(({ what }: { what: string }) => what)).toContain('xmp.location');
  },
  240_000,
);

test.each(WAYS)(
  '%s %j: ExifTool reads the marks and reports no warnings',
  { ...needs('ExifTool'), timeout: 240_000 },
  async (tool, input) => {
    const { 'ExifTool:Warning': warning, ...read } = exiftool((await made(tool, input)).bytes);
    expect(warning).toBeUndefined();
    expect(read).toMatchObject({ 'XMP-iptcExt:AISystemUsed': 'Painter 9', 'XMP-dc:Rights': `© ${HOLDER}` });
  },
);

test('the cases cover every tool that returns an image derived from its input', () => {
  const carrying = tools.filter(({ input }) => 'keep_location' in input.shape);
  expect(new Set(WAYS.map(([tool]) => tool))).toEqual(new Set(carrying.map(({ name }) => name)));
});
