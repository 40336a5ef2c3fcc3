import { expect, test } from 'vitest';
import { readRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { depthOf } from '../pixels/raster.ts';
import { reducePng } from './reduce_png.ts';

test.each([
  ['srgb', 3, 8],
  ['srgb', 4, 8],
  ['rgb16', 3, 16],
  ['b-w', 1, 8],
  ['grey16', 1, 16],
] as const)('%s with %i channels keeps its type and tone at the new size', async (space, channels, depth) => {
  const [width, height] = [40, 24];
  const tone = depth === 16 ? 30_003 : 117;
  const Samples = depth === 16 ? Uint16Array : Uint8Array;
  const raw = { width, height, channels };
  const png = await sharp(new Samples(width * height * channels).fill(tone), { raw })
    .toColourspace(space)
    .png()
    .toBuffer();
  const reduced = await readRaster(await reducePng(png, { width: 30, height: 18 }));
  expect([reduced.width, reduced.height, reduced.channels, depthOf(reduced)]).toEqual([
    30,
    18,
    channels,
    depth,
  ]);
  const largest = Math.max(...Array.from(reduced.data, (value) => Math.abs(value - tone)));
  // libvips uses 12-bit weights, and divides by 8-bit alpha.
  expect(largest).toBeLessThanOrEqual(depth === 16 ? 16 : 2);
});
