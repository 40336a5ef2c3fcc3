import { expect, test } from 'vitest';
import type { DeepRaster } from '../pixels/raster.ts';
import { bleedColors } from './upscale_image.ts';

const rgba = (...pixels: [number, number, number, number][]): DeepRaster => ({
  width: pixels.length,
  height: 1,
  channels: 4,
  data: Uint8Array.from(pixels.flat()),
});

test('hidden colours take those of visible neighbours; visible colours and alpha are unchanged', () => {
  const picture = rgba([9, 8, 7, 255], [255, 0, 255, 0], [0, 255, 0, 0], [100, 90, 80, 1]);
  bleedColors(picture);
  expect([...picture.data]).toEqual([9, 8, 7, 255, 9, 8, 7, 0, 100, 90, 80, 0, 100, 90, 80, 1]);
});

test('distant hidden pixels take the mean visible colour', () => {
  const picture = rgba(
    [200, 100, 0, 255],
    ...Array.from({ length: 99 }, () => [1, 2, 3, 0] as [number, number, number, number]),
  );
  bleedColors(picture);
  expect([...picture.data.slice(-4)]).toEqual([200, 100, 0, 0]);
});

test('a fully transparent image becomes black', () => {
  const picture = rgba([200, 100, 50, 0], [1, 2, 3, 0]);
  bleedColors(picture);
  expect([...picture.data]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});
