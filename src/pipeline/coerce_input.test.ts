import { expect, test } from 'vitest';
import { z } from 'zod';
import { getArtwork } from '../features/artworks/tools/get_artwork.ts';
import { searchArtworks } from '../features/artworks/tools/search_artworks.ts';
import { saveAsset } from '../features/assets/tools/save_asset.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { mockupImage } from '../features/images/tools/mockup_image.ts';
import { removeBackground } from '../features/images/tools/remove_background.ts';
import { resizeImage } from '../features/images/tools/resize_image.ts';
import { upscaleImage } from '../features/images/tools/upscale_image.ts';
import { vectorizeImage } from '../features/images/tools/vectorize_image.ts';
import { infuseMetadata } from '../features/metadata/tools/infuse_metadata.ts';
import { convertColorProfile } from '../features/print/tools/convert_color_profile.ts';
import { printReady } from '../features/print/tools/print_ready.ts';
import { coerceInput } from './coerce_input.ts';

const wallet = `0x${'a'.repeat(40)}`;

const READ: [tool: AnyTool, sent: object, read: object][] = [
  [resizeImage, { width: '500px', height: ' 300 ' }, { width: 500, height: 300 }],
  [resizeImage, { format: 'JPG' }, { format: 'jpeg' }],
  [resizeImage, { format: 'image/webp', quality: '80%' }, { format: 'webp', quality: 80 }],
  [resizeImage, { mode: 'crop', keep_location: 'False' }, { mode: 'cover', keep_location: false }],
  [
    resizeImage,
    { output_format: 'png', image_url: 'https://a.test/b' },
    { format: 'png', image: 'https://a.test/b' },
  ],
  [resizeImage, { image: { url: 'https://a.test/b' } }, { image: 'https://a.test/b' }],
  [resizeImage, { keepLocation: true }, { keep_location: true }],
  [resizeImage, { mode: null, format: '' }, {}],
  [upscaleImage, { model: 'RealESRGAN-x4plus', scale: '4x' }, { model: 'realesrgan_x4plus', scale: 4 }],
  [
    mockupImage,
    { product: 'T-Shirt', background: 'white' },
    { product: 'tshirt', background_color: '#ffffff' },
  ],
  [resizeImage, { img: 'a', w: 5, h: 6 }, { image: 'a', width: 5, height: 6 }],
  [resizeImage, { targetWidth: 5, max_height: '6 px' }, { width: 5, height: 6 }],
  [resizeImage, { size: '300x200', fit: 'crop' }, { width: 300, height: 200, mode: 'cover' }],
  [resizeImage, { box: { w: 5, h: 6 } }, { width: 5, height: 6 }],
  [
    resizeImage,
    { width: 5, height: 'auto', maintain_aspect_ratio: true },
    { width: 5, height: 8192, mode: 'contain' },
  ],
  [
    resizeImage,
    { image: [{ type: 'image_url', image_url: { url: 'https://a.test/b' } }] },
    { image: 'https://a.test/b' },
  ],
  [
    resizeImage,
    { image: { data: 'QQ==', mimeType: 'image/png' }, quality: 0.8 },
    { image: 'QQ==', quality: 80 },
  ],
  [upscaleImage, { scale_factor: 'x4', model: 'auto' }, { scale: 4 }],
  [upscaleImage, { scale: '200%' }, { scale: 2 }],
  [vectorizeImage, { output_format: 'svg', mode: 'full color' }, { format: 'svg', mode: 'color' }],
  [removeBackground, { bg_color: [255, 255, 255] }, { background_color: '#ffffff' }],
  [removeBackground, { background: 'transparent' }, {}],
  [printReady, { paper_size: 'DIN A3', output: 'pdf' }, { product_size: 'a3', output_format: 'pdf' }],
  [
    printReady,
    { size: '10 x 15 cm', bleed: '0.5cm' },
    { product_size: 'custom', custom_width_mm: 100, custom_height_mm: 150, bleed_mm: 5 },
  ],
  [
    printReady,
    { width_mm: 100, height: '150mm' },
    { product_size: 'custom', custom_width_mm: 100, custom_height_mm: 150 },
  ],
  [
    convertColorProfile,
    { to: 'FOGRA39', format: 'tiff' },
    { target_profile: 'cmyk', profile: 'coated_fogra39' },
  ],
  [infuseMetadata, { title: 'A', copyright: 'B' }, { metadata: { title: 'A', copyright_holder: 'B' } }],
  [
    infuseMetadata,
    { rights: { owner: 'A', aiTraining: false } },
    { metadata: {}, rights: { holder: 'A', ai_training: 'not_allowed' } },
  ],
  [
    searchArtworks,
    { query: ['sea'], museum: 'Rijksmuseum, Amsterdam', n: 5 },
    { query: 'sea', museum: 'rijks', limit: 5 },
  ],
  [getArtwork, { object_id: 'MET-45434' }, { artifact_id: 'met_45434' }],
  [saveAsset, { wallet: { address: `eip155:1:${wallet}` }, filename: 'a' }, { wallet, key: 'a' }],
  [mockupImage, { product: 'coffee mug' }, { product: 'mug' }],
  [mockupImage, { product_color: 'rgb(1, 2, 255)' }, { product_color: '#0102ff' }],
  [vectorizeImage, { palette: '["#fff"]' }, { palette: ['#fff'] }],
  [vectorizeImage, { palette: 'red, #fff' }, { palette: ['#ff0000', '#fff'] }],
  [vectorizeImage, { palette: ['red'] }, { palette: ['#ff0000'] }],
  [searchArtworks, { q: 'sea', museum: 'The Rijksmuseum' }, { query: 'sea', museum: 'rijks' }],
  [saveAsset, { wallet: ` ${wallet.slice(2)} ` }, { wallet }],
  [
    saveAsset,
    { metadata: '{"a": {"b": 1}}', content_type: 'png' },
    { metadata: { a: { b: 1 } }, content_type: 'image/png' },
  ],
];

test.each(READ)('%# %o is coerced to the intended value with a warning', ({ input }, sent, read) => {
  const coerced = coerceInput(input, sent);

  expect(coerced.sent).toEqual(read);
  for (const [field, value] of Object.entries(sent))
    if (value !== null && (read as Record<string, unknown>)[field] !== value)
      expect(coerced.warnings.join()).toContain(field);
});

const LEFT: [tool: AnyTool, sent: object][] = [
  [resizeImage, { mode: 'fill' }],
  [resizeImage, { width: '50%', height: 1 }],
  [resizeImage, { width: '5 in', height: 1 }],
  [resizeImage, { width: '1,500', height: 1 }],
  [resizeImage, { width: 12.5, height: 1 }],
  [resizeImage, { width: 9000, height: 1 }],
  [resizeImage, { width: null }],
  [resizeImage, { width: 5, mode: 'cover' }],
  [infuseMetadata, { metadata_mode: 'standard' }],
  [resizeImage, { image: { url: 'https://a.test', data: 'x' } }],
  [resizeImage, { image: 'a', image_url: 'b' }],
  [mockupImage, { color: 'black' }],
  [mockupImage, { product: 'plate' }],
  [mockupImage, { background_color: 'rgb(300, 0, 0)' }],
  [upscaleImage, { scale: '150%' }],
  [upscaleImage, { no_model: 'realesrgan_x2plus' }],
  [resizeImage, { min_width: 5, width: 1, height: 1 }],
  [infuseMetadata, { metadata: {}, rights: { ai_training: 'generative' } }],
  [printReady, { product_size: '10x15' }],
  [searchArtworks, { museum: 'national' }],
  [saveAsset, { metadata: '{"a": ' }],
  [saveAsset, { wallet: '0xabc' }],
];

test.each(LEFT)('%# %o is ambiguous or meaningless and is left unchanged', ({ input }, sent) => {
  expect(coerceInput(input, sent)).toEqual({ sent, warnings: [] });
});

test.each([{ width: 5 }, { width: 5, height: null }])(
  '%j keeps its width, and the missing height becomes the maximum',
  (sent) => {
    const { sent: read, warnings } = coerceInput(resizeImage.input, sent);

    expect(read).toEqual({ width: 5, height: 8192 });
    expect(warnings).toEqual(['height was not given; 8192 was used.']);
  },
);

test('valid input is not changed', () => {
  const sent = { image: 'x', width: 1, height: 2, note: { deep: [1] } };

  expect(coerceInput(resizeImage.input, sent).sent).toBe(sent);
});

test.each([null, 5, 'text', []])('%j is left unchanged for validation', (sent) => {
  expect(coerceInput(resizeImage.input, sent)).toEqual({ sent, warnings: [] });
});

test('deep nesting and 20,000 unknown fields neither slow coercion down nor cause an error', () => {
  const deep = JSON.parse(`{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, at]));
  const long = { metadata: `[${'['.repeat(200_000)}` };

  expect(coerceInput(saveAsset.input, deep).sent).toBe(deep);
  expect(coerceInput(saveAsset.input, wide).warnings).toEqual([]);
  expect(coerceInput(saveAsset.input, long).sent).toBe(long);
});

test('prototype members are neither fields nor enum values', () => {
  const sent = { constructor: 1, format: 'constructor', toString: 2 };

  expect(coerceInput(z.object({ format: z.enum(['png']) }), sent).sent).toBe(sent);
});
