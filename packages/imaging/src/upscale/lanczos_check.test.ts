import { expect, test } from 'vitest';
import { cloudyPicture } from '../../../../tests/support/cloudy_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { resample } from '../resample/resample.ts';
import { checkAgainstLanczos } from './lanczos_check.ts';
import { checkedSize } from './model_cost.ts';

const cloud = await cloudyPicture(300);

/** Upscales with the Lanczos kernel, and by pixel repetition. */
const kernel = (scale: number) => async (png: Uint8Array) => {
  const small = await decodeRaster(sharp(png).toColourspace('srgb'));
  const size = { width: small.width * scale, height: small.height * scale };
  const { data, ...raw } = resample(small, { ...size, light: 'gamma' });
  return sharp(data, { raw }).png().toBuffer();
};
const repeating = (scale: number) => async (png: Uint8Array) => {
  const { width = 0, height = 0 } = await sharp(png).metadata();
  return sharp(png)
    .resize(width * scale, height * scale, { kernel: 'nearest' })
    .png()
    .toBuffer();
};

test.each([2, 3, 4, 6, 8])(
  '×%i: Lanczos has zero gain over itself, and pixel repetition has a loss',
  async (scale) => {
    expect(await checkAgainstLanczos(cloud, scale, kernel(scale))).toEqual({ gainDb: 0, gainSsim: 0 });
    expect((await checkAgainstLanczos(cloud, scale, repeating(scale)))!.gainDb).toBeLessThan(-0.3);
  },
);

test('only the most detailed 256 × 256 pixels are reduced and enlarged', async () => {
  const given: (readonly [number?, number?])[] = [];
  await checkAgainstLanczos(cloud, 3, async (png) => {
    const { width, height } = await sharp(png).metadata();
    given.push([width, height]);
    return kernel(3)(png);
  });
  expect(given).toEqual([[85, 85]]);
});

test('an image whose reduced copy has a side under 24 pixels is not checked', async () => {
  const small = await sharp(cloud).resize(95, 300).png().toBuffer();
  expect(await checkAgainstLanczos(small, 4, kernel(4))).toBeUndefined();
  expect(checkedSize({ width: 95, height: 300 }, 4)).toBeUndefined();
  expect(checkedSize({ width: 96, height: 300 }, 4)).toEqual({ width: 24, height: 64 });
});
