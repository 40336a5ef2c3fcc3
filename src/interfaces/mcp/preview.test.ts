import { resizeImage } from '@atelier/imaging/resize/resize_image.ts';
import { expect, test } from 'vitest';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Services } from '../../features/services.ts';
import { isPicture, preview } from './answer_call.ts';
import { PREVIEW_BYTES_MAX } from './limits.ts';

const signal = new AbortController().signal;
const png = (width: number, height: number) => ({
  result: 'result:x',
  content_type: 'image/png',
  width,
  height,
});

/** Results that contain `bytes`, and engines of which only `resize` is used. */
function services(bytes: Uint8Array, resize: (request: Request) => Promise<{ bytes: Uint8Array }>) {
  const asked: Request[] = [];
  const pixels = {
    run: (_engine: string, request: Request) => {
      asked.push(request);
      return resize(request);
    },
  };
  const results = { open: async () => ({ bytes, contentType: 'image/png' }) };
  return { asked, services: { pixels, results } as unknown as Pick<Services, 'pixels' | 'results'> };
}
type Request = Parameters<typeof resizeImage>[0];

test('a small image is previewed unchanged', async () => {
  const { asked, services: small } = services(new Uint8Array(9), async () => ({ bytes: new Uint8Array() }));

  expect(await preview(small, png(768, 10), signal)).toMatchObject({
    mimeType: 'image/png',
    data: 'AAAAAAAAAAAA',
  });
  expect(asked).toEqual([]);
});

test('the preview of a large image keeps its aspect ratio and is never enlarged', async () => {
  const { asked, services: large } = services(new Uint8Array(9), async () => ({ bytes: new Uint8Array(3) }));
  await preview(large, png(3000, 1000), signal);
  await preview(large, { ...png(10, 20), content_type: 'image/tiff' }, signal);

  expect(asked).toMatchObject([
    { width: 768, height: 256, format: 'webp', quality: 80 },
    { width: 10, height: 20 },
  ]);
});

test('a preview that exceeds the byte limit is shrunk, then omitted', async () => {
  const heavy = { bytes: new Uint8Array(PREVIEW_BYTES_MAX + 1) };
  const { asked, services: noisy } = services(new Uint8Array(9), async () => heavy);

  expect(await preview(noisy, png(1000, 1000), signal)).toBeUndefined();
  expect(asked.map(({ width, quality }) => [width, quality])).toEqual([
    [768, 80],
    [768, 50],
    [384, 50],
  ]);
});

test('a saturated server omits the preview but completes the call', async () => {
  const { services: full } = services(new Uint8Array(9), () => Promise.reject(new AtelierError('busy')));

  expect(await preview(full, png(1000, 1000), signal)).toBeUndefined();
});

test.each([{}, { ...png(1, 1), content_type: 'application/pdf' }, { ...png(1, 1), width: '1' }])(
  '%o is not an image result',
  (answer) => {
    expect(isPicture(answer)).toBe(false);
  },
);

test('the real engine keeps a preview of noise within the byte limit', async () => {
  const noise = await pngOfNoise(1600, 900);
  const { services: real } = services(noise, resizeImage);
  const { data, mimeType } = (await preview(real, png(1600, 900), signal))!;

  expect(mimeType).toBe('image/webp');
  expect(Buffer.from(data, 'base64').byteLength).toBeLessThanOrEqual(PREVIEW_BYTES_MAX);
});

/** The worst case for compression. */
async function pngOfNoise(width: number, height: number): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 80 };
  return sharp({ create: { width, height, channels: 3, background: 'black', noise } })
    .png()
    .toBuffer();
}

test('an SVG is previewed as a raster image', async () => {
  const { asked, services: drawn } = services(new Uint8Array(9), async () => ({ bytes: new Uint8Array(3) }));
  const drawing = { ...png(2000, 1000), content_type: 'image/svg+xml' };

  expect(await preview(drawn, drawing, signal)).toMatchObject({ mimeType: 'image/webp' });
  expect(asked).toEqual([{ bytes: new Uint8Array(9), width: 768, height: 384, quality: 80 }]);
});
