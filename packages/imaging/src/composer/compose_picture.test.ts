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
const ramp = await sharp(
  Uint8Array.from({ length: 64 }, (_, at) => 255 * (at / 63)),
  { raw: { width: 64, height: 1, channels: 1 } },
)
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

// 50 % of 100 over 200; values from the W3C formulas.
test.each([
  ['normal', 150],
  ['multiply', 139],
  ['screen', 211],
  ['difference', 150],
  ['lighten', 200],
] as const)('%s blends as specified in Compositing and Blending Level 1', async (blend, value) => {
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

const circle = { shape: 'circle', radius: 0, invert: false, feather: 0 } as const;
const sheet = { width: 40, height: 40, dpi: 96, background: 'white' };

/** Colours at some positions of a drawn document. */
async function placesOf(layers: readonly Layer[], places: readonly (readonly [number, number])[]) {
  const made = await composePicture(
    { canvas: sheet, layers, images: { red, ramp }, format: 'png' },
    resources,
  );
  const { data, channels, width } = await readRaster(made.bytes);
  const colors = places.map(([x, y]) => [
    ...data.subarray(channels * (y * width + x), channels * (y * width + x) + 3),
  ]);
  return { colors, layers: made.layers };
}
const WHITE = [255, 255, 255];

test('a mask clips an image or shape layer, and can be inverted', async () => {
  const box = { x: 10, y: 10, width: 20, height: 20 };
  const image: Layer = { type: 'image', image: 'red', box, fit: 'fill', mask: circle };
  const shape = rect('red', { box, mask: { ...circle, invert: true } });
  const spots = [
    [11, 11],
    [20, 20],
    [29, 29],
  ] as const;
  expect((await placesOf([image], spots)).colors).toEqual([WHITE, [255, 0, 0], WHITE]);
  expect((await placesOf([shape], spots)).colors).toEqual([[255, 0, 0], WHITE, [255, 0, 0]]);
});

test('an image mask uses luminance and is stretched to the layer', async () => {
  const masked = rect('black', {
    box: { x: 0, y: 0, width: 40, height: 40 },
    mask: { ...circle, image: 'ramp' },
  });
  const { colors } = await placesOf(
    [masked],
    [
      [2, 20],
      [37, 20],
    ],
  );
  expect(colors[0]![0]).toBeGreaterThan(230);
  expect(colors[1]![0]).toBeLessThan(25);
});

test('image operations run before placement', async () => {
  const operations = [{ op: 'tone', style: 'invert', amount: 1 }] as never;
  const box = { x: 0, y: 0, width: 40, height: 40 };
  const { colors, layers } = await placesOf([{ type: 'image', image: 'red', box, operations }], [[20, 20]]);
  expect(colors).toEqual([[0, 255, 255]]);
  expect(layers[0]!.applied).toMatchObject([{ op: 'tone', width: 2, height: 2 }]);
});

test('an operation that enlarges a shape keeps its position, with or without rotation', async () => {
  const box = { x: 10, y: 14, width: 20, height: 12 };
  const border = { op: 'border', width: 4, color: 'blue', inside: false } as const;
  const { colors, layers } = await placesOf(
    [rect('red', { box, operations: [border] })],
    [
      [20, 20],
      [7, 20],
      [20, 11],
      [4, 20],
    ],
  );
  expect(colors).toEqual([[255, 0, 0], [0, 0, 255], [0, 0, 255], WHITE]);
  expect(layers[0]!.box).toEqual({ x: 6, y: 10, width: 28, height: 20 });
  const turned = await placesOf(
    [rect('red', { box, rotate: 90, operations: [border] })],
    [
      [20, 6],
      [11, 20],
      [20, 20],
    ],
  );
  expect(turned.colors).toEqual([
    [0, 0, 255],
    [0, 0, 255],
    [255, 0, 0],
  ]);
});

test('a blur extends beyond the shape', async () => {
  const blur = { op: 'blur', amount: 3, where: 'all', feather: 0 } as const;
  const box = { x: 15, y: 15, width: 10, height: 10 };
  const { colors } = await placesOf(
    [rect('black', { box, operations: [blur] })],
    [
      [20, 20],
      [12, 20],
      [3, 3],
    ],
  );
  expect(colors[0]![0]).toBeLessThan(120);
  expect(colors[1]![0]).toBeGreaterThan(130);
  expect(colors[1]![0]).toBeLessThan(254);
  expect(colors[2]).toEqual(WHITE);
});

test('a group is edited as one layer', async () => {
  const group: Layer = {
    type: 'group',
    box: { x: 0, y: 0, width: 40, height: 40 },
    layers: [rect('red', { box: { x: 0, y: 0, width: 40, height: 40 } })],
    operations: [{ op: 'round', radius: '50%' }],
  };
  const { colors } = await placesOf(
    [group],
    [
      [1, 1],
      [20, 20],
    ],
  );
  expect(colors).toEqual([WHITE, [255, 0, 0]]);
});

test('an operation error names its position', async () => {
  const operations = [
    { op: 'opacity', value: 1 },
    { op: 'crop', box: { x: 90, y: 90, width: 5, height: 5 } },
  ];
  const work = placesOf([rect('red', { operations: operations as never })], []);
  await expect(work).rejects.toMatchObject({
    message: expect.stringMatching(/^layers\.0\.operations\.1 \(crop\):/),
  });
});

test('an unreadable QR code is rejected', async () => {
  const box = { x: 0, y: 0, width: 40, height: 40 };
  await expect(placesOf([{ type: 'qr', text: 'a', box, color: '#eee' }], [])).rejects.toThrow(
    /^layers\.0: The QR code cannot be read back in these colours/,
  );
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

test('masonry fills its columns and gives taller images more space', () => {
  const area = { width: 200, height: 300, dpi: 96 };
  const cells = arrange({ type: 'masonry', columns: 2, gap: 0, padding: 0 }, [0.5, 1, 1], area);
  expect(cells.map(({ box }) => box.height)).toEqual([300, 150, 150]);
});

test('a layout aligns images that do not fill their cell', async () => {
  const place = async (align?: 'south') => {
    const canvas = { width: 40, height: 90, dpi: 96, background: 'white' };
    const layout = { type: 'column', gap: 0, padding: 0, align } as const;
    const layers: Layer[] = [{ type: 'image', image: 'red' }];
    const made = await composePicture({ canvas, layers, layout, images: { red }, format: 'png' }, resources);
    return made.layers[0]!.box;
  };
  expect(await place()).toMatchObject({ y: 25, height: 40 });
  expect(await place('south')).toMatchObject({ y: 50, height: 40 });
});

test('captions are below their cells', () => {
  const area = { width: 400, height: 400, dpi: 96 };
  const [cell] = arrange({ type: 'grid', gap: 0, padding: 0, captions: true }, [1], area);
  expect(cell!.caption!.top).toBeGreaterThanOrEqual(cell!.box.top + cell!.box.height);
  expect(cell!.caption!.top + cell!.caption!.height).toBeLessThanOrEqual(400);
});
