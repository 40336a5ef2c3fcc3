import { expect, test } from 'vitest';
import { textResources } from '../../../../tests/support/text_resources.ts';
import { readRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { arrange } from './arrange.ts';
import { type CompositionRequest, composePicture } from './compose_picture.ts';
import type { Layer } from './layers.ts';

const red = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#ff0000' } })
  .png()
  .toBuffer();
const resources = {
  ...textResources,
  readImage: async (bytes: Uint8Array) => ({ raster: await readRaster(bytes), warnings: [] }),
};
const rect = (fill: string, more: object = {}): Layer => ({
  type: 'shape',
  shape: 'rect',
  fill,
  box: { x: 0, y: 0, width: 4, height: 4 },
  ...more,
});

async function pixelOf(layers: readonly Layer[], more: Partial<CompositionRequest> = {}) {
  const canvas = { width: 4, height: 4, dpi: 96, background: 'rgb(200 200 200)' };
  const made = await composePicture({ canvas, layers, images: { red }, format: 'png', ...more }, resources);
  const { data, channels } = await readRaster(made.bytes);
  return [...data.subarray(5 * channels, 6 * channels)];
}

// 50 % of 100 over 200; the values of the W3C's formulas.
test.each([
  ['normal', 150],
  ['multiply', 139],
  ['screen', 211],
  ['difference', 150],
  ['lighten', 200],
] as const)('%s blends as Compositing and Blending Level 1 says', async (blend, value) => {
  const [sample] = await pixelOf([rect('rgb(100 100 100)', { blend, opacity: 0.5 })]);
  expect(Math.abs(sample! - value)).toBeLessThanOrEqual(1);
});

test('the first layer is the lowest', async () => {
  expect(await pixelOf([rect('blue'), { type: 'image', image: 'red' }])).toEqual([255, 0, 0]);
  expect(await pixelOf([{ type: 'image', image: 'red' }, rect('blue')])).toEqual([0, 0, 255]);
});

test('a group is blended as one layer', async () => {
  const layers = [rect('white'), rect('black')];
  expect(await pixelOf([{ type: 'group', layers, opacity: 0.5 }])).toEqual([100, 100, 100]);
});

test('a transparent canvas stays transparent', async () => {
  const canvas = { width: 4, height: 4, dpi: 96, background: 'transparent' };
  expect(await pixelOf([rect('rgb(255 0 0 / 50%)')], { canvas })).toEqual([255, 0, 0, 128]);
});

test('a grid fills the area with equal cells', () => {
  const area = { width: 320, height: 220, dpi: 96 };
  const cells = arrange({ type: 'grid', columns: 3, gap: 10, padding: 20 }, Array(5).fill(1), area);
  expect(cells.map(({ box }) => box)).toMatchObject([
    { left: 20, top: 20, width: 86.666_666_666_666_67, height: 85 },
    { left: 116.666_666_666_666_67, top: 20 },
    { top: 20 },
    { left: 20, top: 115 },
    { top: 115 },
  ]);
});

test('masonry fills its columns, taller images with more', () => {
  const area = { width: 200, height: 300, dpi: 96 };
  const cells = arrange({ type: 'masonry', columns: 2, gap: 0, padding: 0 }, [0.5, 1, 1], area);
  expect(cells.map(({ box }) => box.height)).toEqual([300, 150, 150]);
});

test('captions lie below their cells', () => {
  const area = { width: 400, height: 400, dpi: 96 };
  const [cell] = arrange({ type: 'grid', gap: 0, padding: 0, captions: true }, [1], area);
  expect(cell!.caption!.top).toBeGreaterThanOrEqual(cell!.box.top + cell!.box.height);
  expect(cell!.caption!.top + cell!.caption!.height).toBeLessThanOrEqual(400);
});
