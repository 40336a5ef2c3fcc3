import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { drawingQuality } from './drawing_quality.ts';

const size = { width: 64, height: 48 };
const picture = await sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
  .composite([
    { input: { create: { width: 32, height: 48, channels: 3, background: '#2040c0' } }, left: 0, top: 0 },
  ])
  .png()
  .toBuffer();
const drawing = (width: number, color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 48" width="64" height="48"><path d="M0 0h${width}v48h-${width}z" fill="${color}"/></svg>`;

test('a vector trace is compared with its image at the image size', async () => {
  expect(await drawingQuality(picture, drawing(32, '#2040c0'), size)).toEqual({
    compared_at: 'source_size',
    psnr_db: 99,
    ssim: 1,
    delta_e00_mean: 0,
    delta_e00_p95: 0,
  });
});

test('wrong width lowers PSNR and a wrong colour raises Delta E', async () => {
  const wide = await drawingQuality(picture, drawing(40, '#2040c0'), size);
  const green = await drawingQuality(picture, drawing(32, '#20c040'), size);
  expect(wide.psnr_db).toBeLessThan(20);
  expect(green.delta_e00_p95).toBeGreaterThan(40);
});
