import { expect, test } from 'vitest';
import { textResources } from '../../../../tests/support/text_resources.ts';
import { sharp } from '../codecs/sharp.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { linearToSrgb, srgbToLinear } from '../pixels/srgb_transfer.ts';
import { Canvas } from './canvas.ts';
import type { EditContext } from './context.ts';
import { applyOperations } from './edit_picture.ts';
import type { Operation } from './operations.ts';
import { sourceOfRaster } from './source.ts';

type Pixel = readonly number[];
type Draw = (x: number, y: number) => Pixel;

/** An image defined by a function per pixel. */
function drawn(width: number, height: number, draw: Draw): DeepRaster {
  const channels = draw(0, 0).length as 3 | 4;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) data.set(draw(x, y), (y * width + x) * channels);
  return { width, height, channels, data };
}

const CONTEXT: EditContext = {
  findings: { crops: {}, places: {} },
  dpi: 300,
  image: async () => drawn(10, 10, () => [255, 0, 0, 128]),
  text: () => '',
};

const DEFAULTS: { readonly [op: string]: object } = {
  crop: { gravity: 'centre', padding: 0 },
  trim: { tolerance: 10, padding: 0 },
  rotate: { background: 'transparent', expand: true },
  straighten: { max_degrees: 5 },
  resize: { fit: 'inside', gravity: 'centre', background: 'transparent' },
  pad: { gravity: 'centre', background: 'white' },
  border: { inside: false },
  shadow: { x: 0, y: 0, blur: 0, spread: 0, color: 'black' },
  adjust: {
    exposure: 0,
    brightness: 0,
    contrast: 0,
    saturation: 0,
    vibrance: 0,
    temperature: 0,
    tint: 0,
    highlights: 0,
    shadows: 0,
    gamma: 1,
    hue: 0,
    auto: false,
  },
  tone: { amount: 1, dark: 'black', light: 'white', threshold: 128, levels: 4 },
  curve: { channel: 'rgb' },
  blur: { where: 'all', feather: 0 },
  denoise: { radius: 4 },
  pixelate: { where: 'all' },
  redact: { color: 'black', padding: 0 },
  overlay: {
    image: 'layer',
    gravity: 'centre',
    margin: 0,
    rotate: 0,
    opacity: 1,
    blend: 'normal',
    tile: false,
  },
  mask: { radius: 0, invert: false, feather: 0 },
};

type Sent = { readonly op: Operation['op'] } & Readonly<Record<string, unknown>>;

async function edit(raster: DeepRaster, operations: readonly Sent[], context: Partial<EditContext> = {}) {
  const canvas = new Canvas(sourceOfRaster({ ...raster, data: raster.data.slice() }));
  const whole = operations.map((sent) => ({ ...DEFAULTS[sent.op], ...sent }) as unknown as Operation);
  const { applied, settled } = await applyOperations(canvas, whole, { ...CONTEXT, ...context });
  const result = await canvas.pixels(8);
  const at = (x: number, y: number): number[] => [
    ...result.data.subarray(
      (y * result.width + x) * result.channels,
      (y * result.width + x + 1) * result.channels,
    ),
  ];
  return { ...result, at, applied, settled };
}

/** Maximum difference from a defined image, in levels, except `margin` pixels at the edges. */
function farthest({ width, height, at }: Awaited<ReturnType<typeof edit>>, truth: Draw, margin = 0): number {
  let most = 0;
  for (let y = margin; y < height - margin; y += 1)
    for (let x = margin; x < width - margin; x += 1) {
      const expected = truth(x, y);
      for (const [channel, value] of at(x, y).entries())
        most = Math.max(most, Math.abs(value - (expected[channel] ?? 255)));
    }
  return most;
}

const MARKED: Draw = (x, y) => [(x * 7) % 256, (y * 11) % 256, (x * 3 + y * 5) % 256];
const marked = () => drawn(40, 30, MARKED);
const GREY: Draw = () => [100, 100, 100];
const RAMP: Draw = (x) => [x, x, x];

test('crop returns exactly the pixels of its box', async () => {
  const result = await edit(marked(), [{ op: 'crop', box: { x: 5, y: '10%', width: 20, height: 10 } }]);
  expect([result.width, result.height]).toEqual([20, 10]);
  expect(farthest(result, (x, y) => MARKED(x + 5, y + 3))).toBe(0);
});

test.each([
  ['centre', 5, 0],
  ['west', 0, 0],
  ['southeast', 10, 0],
])('crop to a square by gravity %s starts at column %i', async (gravity, left, top) => {
  const result = await edit(marked(), [{ op: 'crop', aspect: '1:1', gravity }]);
  expect([result.width, result.height]).toEqual([30, 30]);
  expect(farthest(result, (x, y) => MARKED(x + left, y + top))).toBe(0);
});

test('a box beyond the image is rejected with the part inside it', async () => {
  await expect(
    edit(marked(), [{ op: 'crop', box: { x: 30, y: 0, width: 20, height: 10 } }]),
  ).rejects.toMatchObject({
    code: 'invalid_input',
    details: { try: { operations: [{ op: 'crop', box: { x: 30, y: 0, width: 10, height: 10 } }] } },
  });
});

test.each([
  [90, (x: number, y: number) => MARKED(y, 29 - x)],
  [180, (x: number, y: number) => MARKED(39 - x, 29 - y)],
  [270, (x: number, y: number) => MARKED(39 - y, x)],
  [-90, (x: number, y: number) => MARKED(39 - y, x)],
  [360, MARKED],
])('rotation by %i° is lossless', async (degrees, truth) => {
  expect(farthest(await edit(marked(), [{ op: 'rotate', degrees }]), truth)).toBe(0);
});

test.each([
  ['horizontal', (x: number, y: number) => MARKED(39 - x, y)],
  ['vertical', (x: number, y: number) => MARKED(x, 29 - y)],
] as const)('a %s flip is lossless', async (axis, truth) => {
  expect(farthest(await edit(marked(), [{ op: 'flip', axis }]), truth)).toBe(0);
});

test('four quarter turns, two flips and a full crop restore every byte', async () => {
  const turns = Array.from({ length: 4 }, () => ({ op: 'rotate', degrees: 90 }) as const);
  const result = await edit(marked(), [
    ...turns,
    { op: 'flip', axis: 'both' },
    { op: 'flip', axis: 'both' },
    { op: 'crop', box: { x: 0, y: 0, width: '100%', height: '100%' } },
  ]);
  expect(farthest(result, MARKED)).toBe(0);
});

test('a rectangle rotated by 30° keeps edges within half a pixel and colours within 1 level', async () => {
  const size = 200;
  const rect: Draw = (x, y) => (x >= 60 && x < 140 && y >= 80 && y < 120 ? [200, 40, 40] : [40, 40, 200]);
  const result = await edit(drawn(size, size, rect), [{ op: 'rotate', degrees: 30, expand: false }]);
  const angle = (30 * Math.PI) / 180;
  let [wrong, between] = [0, 0];
  for (let y = 40; y < 160; y += 1)
    for (let x = 40; x < 160; x += 1) {
      const [dx, dy] = [x + 0.5 - 100, y + 0.5 - 100];
      const [u, v] = [
        dx * Math.cos(angle) + dy * Math.sin(angle),
        -dx * Math.sin(angle) + dy * Math.cos(angle),
      ];
      const distance = Math.max(Math.abs(u) - 40, Math.abs(v) - 20);
      if (Math.abs(distance) < 2.1) between += 1;
      else if (
        result
          .at(x, y)
          .some(
            (value, at) =>
              Math.abs(value - [...(distance < 0 ? [200, 40, 40] : [40, 40, 200]), 255][at]!) > 1,
          )
      )
        wrong += 1;
    }
  expect(wrong).toBe(0);
  // Total light is preserved: the rectangle covers as many pixels as before.
  let light = 0;
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1)
      if (result.at(x, y)[3] === 255) light += srgbToLinear(result.at(x, y)[0]! / 255);
  const opaque = Array.from(
    { length: size * size },
    (_, at) => result.at(at % size, Math.floor(at / size))[3] === 255,
  ).filter(Boolean).length;
  const truth = 80 * 40 * srgbToLinear(200 / 255) + (opaque - 80 * 40) * srgbToLinear(40 / 255);
  expect(Math.abs(light - truth) / truth).toBeLessThan(0.002);
  expect(between).toBeGreaterThan(0);
});

test('a rotated image has transparent corners and keeps its area', async () => {
  const result = await edit(drawn(100, 60, GREY), [{ op: 'rotate', degrees: 20 }]);
  let covered = 0;
  for (let at = 3; at < result.data.length; at += 4) covered += result.data[at]! / 255;
  expect(result.at(0, 0)).toEqual([0, 0, 0, 0]);
  expect(Math.abs(covered - 6000)).toBeLessThan(6);
});

test('consecutive crop, rotate, flip and resize are resampled once', async () => {
  const ramp: Draw = (x, y) => [Math.round(x * 1.2), Math.round(y * 1.6), 90];
  const result = await edit(drawn(200, 150, ramp), [
    { op: 'crop', box: { x: 20, y: 10, width: 160, height: 120 } },
    { op: 'rotate', degrees: 90 },
    { op: 'flip', axis: 'horizontal' },
    { op: 'resize', width: 60 },
  ]);
  expect([result.width, result.height]).toEqual([60, 80]);
  expect(
    farthest(result, (x, y) => [1.2 * (20 + 2 * y + 0.5), 1.6 * (10 + 2 * x + 0.5), 90], 4),
  ).toBeLessThanOrEqual(1.5);
});

test.each([
  [{ width: 20 }, 20, 15],
  [{ height: 15 }, 20, 15],
  [{ scale: 0.5 }, 20, 15],
  [{ scale: 2 }, 80, 60],
  [{ width: '50%' }, 20, 15],
  [{ width: 10, height: 10 }, 10, 8],
  [{ width: 10, height: 10, fit: 'outside' }, 13, 10],
  [{ width: 10, height: 10, fit: 'cover' }, 10, 10],
  [{ width: 10, height: 10, fit: 'contain' }, 10, 10],
  [{ width: 10, height: 10, fit: 'fill' }, 10, 10],
  [{ width: 400 }, 40, 30],
  [{ width: 400, enlarge: true }, 400, 300],
  [{ width: 60, height: 60, fit: 'cover' }, 60, 60],
  [{ width: 60, height: 60, fit: 'cover', enlarge: false }, 30, 30],
])('resize %j gives %i × %i', async (sent, width, height) => {
  const result = await edit(marked(), [{ op: 'resize', ...sent }]);
  expect([result.width, result.height]).toEqual([width, height]);
});

test('a checkerboard shrinks to its mean in linear light', async () => {
  const board: Draw = (x, y) => ((x + y) % 2 ? [255, 255, 255] : [0, 0, 0]);
  expect(
    farthest(await edit(drawn(64, 64, board), [{ op: 'resize', scale: 0.25 }]), () => [188, 188, 188], 2),
  ).toBeLessThanOrEqual(1);
});

test('trim finds the content box', async () => {
  const framed: Draw = (x, y) => (x >= 7 && x < 31 && y >= 4 && y < 22 ? [10, 90, 200] : [250, 250, 248]);
  const result = await edit(drawn(40, 30, framed), [{ op: 'trim' }]);
  expect(result.applied[0]).toMatchObject({ boxes: [{ left: 7, top: 4, width: 24, height: 18 }] });
  expect(farthest(result, () => [10, 90, 200])).toBe(0);
});

test('pad and border add colour around the unchanged image', async () => {
  const padded = await edit(marked(), [{ op: 'pad', left: 3, bottom: 4, background: '#0f0' }]);
  const inside = (x: number, y: number) => x >= 3 && y < 30;
  expect(farthest(padded, (x, y) => (inside(x, y) ? MARKED(x - 3, y) : [0, 255, 0]))).toBe(0);
  const framed = await edit(marked(), [{ op: 'border', width: 2, color: 'red' }]);
  const isBorder = (x: number, y: number) => x < 2 || y < 2 || x >= 42 || y >= 32;
  expect(farthest(framed, (x, y) => (isBorder(x, y) ? [255, 0, 0] : MARKED(x - 2, y - 2)))).toBe(0);
});

test('mirror and edge padding extend the image', async () => {
  const mirror = await edit(marked(), [{ op: 'pad', left: 5, background: 'mirror' }]);
  expect(farthest(mirror, (x, y) => MARKED(x < 5 ? 4 - x : x - 5, y))).toBe(0);
  const edge = await edit(marked(), [{ op: 'pad', top: 5, background: 'edge' }]);
  expect(farthest(edge, (x, y) => MARKED(x, Math.max(0, y - 5)))).toBe(0);
});

test('pad to an aspect ratio pads both sides equally', async () => {
  const { width, height, at } = await edit(marked(), [{ op: 'pad', aspect: '1:1' }]);
  expect([width, height, at(0, 0), at(0, 5)]).toEqual([40, 40, [255, 255, 255], [...MARKED(0, 0)]]);
});

test('rounded corners are antialiased by circle coverage', async () => {
  const result = await edit(drawn(60, 60, GREY), [{ op: 'round', radius: '50%' }]);
  let [most, sum] = [0, 0];
  for (let y = 0; y < 60; y += 1)
    for (let x = 0; x < 60; x += 1) {
      let inside = 0;
      for (let s = 0; s < 256; s += 1)
        if (Math.hypot(x + (s % 16) / 16 + 1 / 32 - 30, y + Math.floor(s / 16) / 16 + 1 / 32 - 30) <= 30)
          inside += 1;
      const alpha = result.at(x, y)[3]!;
      most = Math.max(most, Math.abs(alpha - (255 * inside) / 256));
      sum += alpha / 255;
    }
  expect(Math.abs(sum - Math.PI * 900)).toBeLessThan(3);
  // Distance approximates coverage: on slanted edges they differ by a few hundredths.
  expect(most).toBeLessThanOrEqual(16);
});

test('a shadow is the offset and blurred shape behind the image', async () => {
  const { width, height, at, applied } = await edit(drawn(60, 60, GREY), [
    { op: 'shadow', x: 10, y: 10, blur: 8, color: 'rgb(0 0 0 / 50%)' },
  ]);
  expect([width, height]).toEqual([60 + 2 + 22, 60 + 2 + 22]);
  const [{ left, top }] = applied[0]!.boxes as unknown as [{ left: number; top: number }];
  expect(at(left + 30, top + 30)).toEqual([100, 100, 100, 255]);
  // At the position of its edge, half of the shadow remains.
  expect(Math.abs(at(left + 69, top + 40)[3]! - 255 * 0.5 * 0.5 * (1 + 0.1))).toBeLessThan(10);
  expect(at(left + 65, top + 40)[3]!).toBeGreaterThan(100);
});

test.each([
  [{ exposure: 1 }, (value: number) => linearToSrgb(2 * srgbToLinear(value / 255))],
  [{ brightness: 0.2 }, (value: number) => Math.min(255, 1.2 * value)],
  [{ gamma: 2 }, (value: number) => 255 * (value / 255) ** 0.5],
  [{ contrast: -0.5 }, (value: number) => 127.5 + 0.5 * (value - 127.5)],
  [
    { levels: { black: 50, white: 200, gamma: 1, out_black: 0, out_white: 255 } },
    (value: number) => Math.min(255, Math.max(0, ((value - 50) * 255) / 150)),
  ],
])('adjust %j follows its formula over all values', async (sent, formula) => {
  const result = await edit(drawn(256, 2, RAMP), [{ op: 'adjust', ...sent }]);
  expect(farthest(result, (x) => Array(3).fill(formula(x)))).toBeLessThanOrEqual(0.51);
});

test('saturation −1 gives grey, and opposite exposure changes cancel out', async () => {
  const grey = await edit(marked(), [{ op: 'adjust', saturation: -1 }]);
  expect(new Set(grey.at(7, 3)).size).toBe(1);
  const back = await edit(marked(), [
    { op: 'adjust', exposure: -2 },
    { op: 'blur', amount: 0 },
    { op: 'adjust', exposure: 2 },
  ]);
  expect(farthest(back, MARKED)).toBe(0);
});

test.each([
  ['invert', {}, (x: number) => [255 - x, 255 - x, 255 - x]],
  ['threshold', { threshold: 100 }, (x: number) => Array(3).fill(x >= 100 ? 255 : 0)],
  ['posterize', { levels: 2 }, (x: number) => Array(3).fill(x >= 128 ? 255 : 0)],
  ['grayscale', {}, (x: number) => [x, x, x]],
  ['duotone', { dark: '#000080', light: '#ffff80' }, (x: number) => [x, x, 128]],
] as const)('tone %s follows its formula', async (style, more, truth) => {
  expect(
    farthest(await edit(drawn(256, 2, RAMP), [{ op: 'tone', style, ...more }]), truth),
  ).toBeLessThanOrEqual(1);
});

test('a curve passes through its points without overshoot', async () => {
  const points = [
    [0, 0],
    [128, 200],
    [255, 255],
  ];
  const { at } = await edit(drawn(256, 1, RAMP), [{ op: 'curve', points }]);
  expect([at(0, 0)[0], at(128, 0)[0], at(255, 0)[0]]).toEqual([0, 200, 255]);
  const values = Array.from({ length: 256 }, (_, x) => at(x, 0)[0]!);
  expect(values.every((value, x) => x === 0 || value >= values[x - 1]!)).toBe(true);
});

/** Share of light to the right of an edge, from a sampled Gaussian. */
function shareAt(distance: number, sigma: number): number {
  let [right, sum] = [0, 0];
  for (let step = -200; step <= 200; step += 1) {
    const weight = Math.exp(-(step * step) / (2 * sigma * sigma));
    sum += weight;
    if (distance + step >= 0) right += weight;
  }
  return right / sum;
}

test.each([1, 2.5, 5, 12])('a blur of %d px is a Gaussian in linear light', async (sigma) => {
  const edge: Draw = (x) => (x < 100 ? [20, 20, 20] : [220, 220, 220]);
  const result = await edit(drawn(200, 20, edge), [{ op: 'blur', amount: sigma }]);
  const [dark, bright] = [srgbToLinear(20 / 255), srgbToLinear(220 / 255)];
  const truth: Draw = (x) => Array(3).fill(linearToSrgb(dark + (bright - dark) * shareAt(x - 100, sigma)));
  expect(farthest(result, truth)).toBeLessThanOrEqual(1);
});

test('a blur in a box does not change the rest of the image', async () => {
  const box = { x: 10, y: 10, width: 10, height: 10 };
  const result = await edit(marked(), [{ op: 'blur', where: [box], amount: 3 }]);
  const isIn = (x: number, y: number) => x >= 10 && x < 20 && y >= 10 && y < 20;
  expect(farthest(result, (x, y) => (isIn(x, y) ? result.at(x, y) : MARKED(x, y)))).toBe(0);
  expect(result.at(15, 15)).not.toEqual([...MARKED(15, 15)]);
});

test('pixelate gives every cell its mean in linear light', async () => {
  const board: Draw = (x) => (x % 2 ? [255, 255, 255] : [0, 0, 0]);
  expect(
    farthest(await edit(drawn(32, 32, board), [{ op: 'pixelate', amount: 8 }]), () => [188, 188, 188]),
  ).toBe(0);
});

test('redact fills its boxes rounded out to whole pixels and survives later operations', async () => {
  const result = await edit(marked(), [
    { op: 'redact', where: [{ x: 4.5, y: 4, width: 10, height: 5 }], color: 'black' },
    { op: 'crop', box: { x: 4, y: 4, width: 11, height: 5 } },
  ]);
  expect(farthest(result, () => [0, 0, 0])).toBe(0);
});

test('white at half opacity over black is 128, as in editors and browsers', async () => {
  const image = async () => drawn(40, 30, () => [255, 255, 255, 255]);
  const result = await edit(
    drawn(40, 30, () => [0, 0, 0]),
    [{ op: 'overlay', opacity: 0.5 }],
    { image },
  );
  expect(farthest(result, () => [128, 128, 128])).toBe(0);
});

test.each([
  ['multiply', 139],
  ['difference', 150],
  ['screen', 211],
  ['normal', 150],
  ['darken', 150],
  ['lighten', 200],
])('a layer of 100 at half opacity over 200 with blend mode %s gives %i', async (blend, value) => {
  const image = async () => drawn(40, 30, () => [100, 100, 100, 255]);
  const result = await edit(
    drawn(40, 30, () => [200, 200, 200]),
    [{ op: 'overlay', blend, opacity: 0.5 }],
    { image },
  );
  expect(farthest(result, () => [value, value, value])).toBeLessThanOrEqual(1);
});

test('an overlay respects its aspect ratio, gravity and margin', async () => {
  const { applied, at } = await edit(drawn(100, 80, GREY), [
    { op: 'overlay', width: 20, gravity: 'southeast', margin: 5 },
  ]);
  expect(applied[0]!.boxes).toEqual([{ left: 75, top: 55, width: 20, height: 20 }]);
  expect([at(74, 60), at(75, 60)]).toEqual([
    [100, 100, 100],
    [178, 50, 50],
  ]);
});

test('mask, opacity and flatten change the alpha channel', async () => {
  const masked = await edit(drawn(40, 40, GREY), [{ op: 'mask', shape: 'circle' }]);
  expect([masked.at(20, 20)[3], masked.at(0, 0)[3]]).toEqual([255, 0]);
  const halved = await edit(drawn(4, 4, GREY), [
    { op: 'opacity', value: 0.5 },
    { op: 'flatten', background: 'white' },
  ]);
  expect(farthest(halved, () => [177, 177, 177])).toBeLessThanOrEqual(1);
});

test('perspective correction turns a quadrilateral into a rectangle', async () => {
  const inside: Draw = (x, y) => (x >= 20 && x < 100 && y >= 10 && y < 70 ? [0, 160, 80] : [255, 255, 255]);
  const corners = [
    [20, 10],
    [100, 10],
    [100, 70],
    [20, 70],
  ];
  const result = await edit(drawn(120, 80, inside), [{ op: 'perspective', corners }]);
  expect([result.width, result.height]).toEqual([80, 60]);
  expect(farthest(result, () => [0, 160, 80], 3)).toBeLessThanOrEqual(1);
});

test('a four-point warp maps the corners and interior points projectively', async () => {
  const dot: Draw = (x, y) => (Math.hypot(x - 50, y - 40) < 6 ? [255, 0, 0] : [240, 240, 240]);
  const to = [
    [20, 10],
    [80, 0],
    [80, 80],
    [20, 70],
  ];
  const result = await edit(drawn(100, 80, dot), [{ op: 'perspective', to }]);
  expect([result.width, result.height, result.at(5, 40)[3], result.at(95, 40)[3]]).toEqual([100, 80, 0, 0]);
  // The centre of the image maps to the intersection of the diagonals: x = 20 + 60 × 60 ÷ (60 + 80).
  const middle = 20 + (60 * 60) / 140;
  const reds = Array.from({ length: 100 }, (_, x) => result.at(x, 40)).flatMap(([red, green], x) =>
    red! > 200 && green! < 120 ? [x + 0.5] : [],
  );
  expect(Math.abs((reds[0]! + reds.at(-1)!) / 2 - middle)).toBeLessThan(1.2);
});

test('a rectangle-to-rectangle warp is a shift and scale within half a pixel', async () => {
  const box: Draw = (x, y) => (x >= 10 && x < 30 && y >= 10 && y < 20 ? [0, 0, 0] : [255, 255, 255]);
  const quad = (x: number, y: number, w: number, h: number) => [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ];
  const moved = { op: 'perspective', from: quad(10, 10, 20, 10), to: quad(20, 30, 40, 20) } as const;
  const result = await edit(drawn(100, 80, box), [moved]);
  const dark = (x: number, y: number) => result.at(x, y)[0]! < 128;
  expect([dark(19, 40), dark(20, 40), dark(59, 40), dark(60, 40)]).toEqual([false, true, true, false]);
  expect([dark(40, 29), dark(40, 30), dark(40, 49), dark(40, 50)]).toEqual([false, true, true, false]);
});

test('a perspective warp draws nothing beyond the horizon', async () => {
  const to = [
    [45, 45],
    [55, 45],
    [60, 60],
    [40, 60],
  ];
  const result = await edit(
    drawn(100, 100, () => [200, 0, 0]),
    [{ op: 'perspective', to }],
  );
  const seen = Array.from({ length: 100 * 100 }, (_, at) => [at % 100, Math.floor(at / 100)] as const).filter(
    ([x, y]) => result.at(x, y)[3]! > 128,
  );
  expect(seen.every(([x, y]) => x >= 39 && x <= 60 && y >= 44 && y <= 60)).toBe(true);
  expect(seen.length).toBeGreaterThan(200);
});

const half = async (): Promise<EditContext['findings']> => {
  const mask = await sharp(
    Uint8Array.from({ length: 100 * 60 }, (_, at) => (at % 100 < 50 ? 255 : 0)),
    {
      raw: { width: 100, height: 60, channels: 1 },
    },
  )
    .png()
    .toBuffer();
  const subject = { mask, box: { x: 0, y: 0, width: 0.5, height: 1 }, reason: 'the left half' };
  return { crops: {}, places: {}, subject };
};
const stripes: Draw = (x) => (x < 50 ? [255, 0, 0] : x % 2 === 0 ? [0, 0, 0] : [255, 255, 255]);

test.each([
  ['blur', { amount: 4 }],
  ['pixelate', { amount: 10 }],
  ['redact', { color: 'rgb(186 187 188)' }],
] as const)('%s of the background keeps the subject and does not bleed its colour', async (op, more) => {
  const result = await edit(drawn(100, 60, stripes), [{ op, where: 'background', ...more }], {
    findings: await half(),
  });
  expect(result.at(49, 30)).toEqual([255, 0, 0]);
  // Half of light is 188, without any red. Close to the subject, more of one stripe is within reach of the blur.
  for (const x of [51, 60, 90]) {
    const [red, green, blue] = result.at(x, 30);
    expect(Math.max(Math.abs(red! - green!), Math.abs(red! - blue!))).toBeLessThanOrEqual(2);
    expect(Math.abs(green! - 187)).toBeLessThanOrEqual(x === 51 ? 7 : 2);
  }
  expect(result.applied[0]!).toMatchObject({
    reason: 'all but the left half',
    boxes: [{ left: 0, top: 0, width: 50, height: 60 }],
  });
});

test('the background mask follows geometric operations', async () => {
  const turned = [
    { op: 'rotate', degrees: 90 },
    { op: 'resize', width: 30 },
    { op: 'redact', where: 'background', color: 'black' },
  ] as const;
  const result = await edit(
    drawn(100, 60, () => [255, 0, 0]),
    turned,
    { findings: await half() },
  );
  expect([result.at(15, 10), result.at(15, 40)]).toEqual([
    [255, 0, 0],
    [0, 0, 0],
  ]);
});

test('a background operation without a subject is rejected with an explanation', async () => {
  await expect(edit(marked(), [{ op: 'blur', where: 'background' }])).rejects.toThrow(/Send boxes/);
});

test.each([
  [{}, undefined],
  [{ color: '#fefefe' }, /read back in these colours/],
  [{ background: 'transparent' }, undefined],
  [{ background: 'transparent', color: 'rgb(120 160 120)' }, /read back in these colours/],
  [{ gravity: 'centre', box: { x: -40, y: 10, width: 100, height: 100 } }, /read back/],
  [{ text: 'Grüße aus Köln 🎉', level: 'H' }, undefined],
])('a QR code %j is decoded for verification before the result is returned', async (more, refusal) => {
  const operation = {
    ...{ op: 'qr', text: 'https://example.com', gravity: 'centre', margin: 0, width: 100, level: 'M' },
    ...{ quiet_zone: 4, color: 'black', background: 'white', ...more },
  } as unknown as Sent;
  const work = edit(
    drawn(200, 200, () => [120, 160, 120]),
    [operation],
    { textResources },
  );
  if (refusal) await expect(work).rejects.toThrow(refusal);
  else expect((await work).applied[0]!.reason).toContain('read back');
});

test('tiled text covers the whole image', async () => {
  const text = {
    op: 'text',
    text: '© Reiter',
    gravity: 'centre',
    margin: 10,
    size: 14,
    rotate: -30,
    opacity: 1,
    tile: true,
  } as const;
  const result = await edit(
    drawn(300, 240, () => [0, 0, 0]),
    [{ ...text, color: 'white' }],
    { textResources },
  );
  for (const cell of Array.from({ length: 9 }, (_, at) => at)) {
    const [left, top] = [100 * (cell % 3), 80 * Math.floor(cell / 3)];
    const isWritten = Array.from(
      { length: 8000 },
      (_, at) => result.at(left + (at % 100), top + Math.floor(at / 100))[0]!,
    );
    expect(Math.max(...isWritten)).toBeGreaterThan(200);
  }
  expect(result.applied[0]!.reason).toMatch(/^repeated \d+ times/);
});

test('a curve inside adjust is applied', async () => {
  const curve = [
    [0, 255],
    [255, 0],
  ];
  const result = await edit(drawn(256, 1, RAMP), [{ op: 'adjust', curve }]);
  expect(farthest(result, (x) => [255 - x, 255 - x, 255 - x])).toBeLessThanOrEqual(1);
});

test('straighten levels a line tilted by 3°', async () => {
  const lean: Draw = (x, y) =>
    y + 0.5 > 150 + Math.tan((3 * Math.PI) / 180) * (x + 0.5 - 200) ? [200, 180, 150] : [60, 90, 160];
  const result = await edit(drawn(400, 300, lean), [{ op: 'straighten' }]);
  expect(result.applied[0]!.reason).toMatch(/^lines are tilted by (2\.9|3|3\.0|3\.1)\d?°/);
  const edgeAt = (x: number) =>
    Array.from({ length: result.height }, (_, y) => result.at(x, y)[0]!).findIndex((red) => red > 130);
  expect(Math.abs(edgeAt(20) - edgeAt(result.width - 20))).toBeLessThanOrEqual(1);
});

test('sharpen does not change flat areas, and denoise does not change a clean edge', async () => {
  const edge: Draw = (x) => (x < 50 ? [80, 80, 80] : [160, 160, 160]);
  const sharpened = await edit(drawn(100, 20, edge), [{ op: 'sharpen', amount: 1, radius: 1 }]);
  expect([sharpened.at(10, 10), sharpened.at(49, 10)[0]! < 70, sharpened.at(50, 10)[0]! > 170]).toEqual([
    [80, 80, 80],
    true,
    true,
  ]);
  expect(
    farthest(await edit(drawn(100, 20, edge), [{ op: 'denoise', amount: 1 }]), edge),
  ).toBeLessThanOrEqual(1);
});

test('denoise removes most noise from a flat area', async () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const noisy: Draw = () => {
    const value = 120 + Math.round(20 * (random() + random() + random() - 1.5));
    return [value, value, value];
  };
  const source = drawn(128, 128, noisy);
  const deviation = (data: ArrayLike<number>) =>
    Math.sqrt(Array.from(data).reduce((sum, value) => sum + (value - 120) ** 2, 0) / data.length);
  const result = await edit(source, [{ op: 'denoise', amount: 1 }]);
  expect(deviation(result.data)).toBeLessThan(deviation(source.data) / 3);
});

test('parameters resolved on the first frame reproduce the same image', async () => {
  const framed: Draw = (x, y) => (x >= 7 && x < 31 && y >= 4 && y < 22 ? MARKED(x, y) : [250, 250, 248]);
  const operations = [
    { op: 'trim' },
    { op: 'adjust', auto: true },
    { op: 'resize', width: 20, height: 20, fit: 'cover' },
  ] as const;
  const first = await edit(drawn(40, 30, framed), operations);
  const again = await edit(drawn(40, 30, framed), first.settled as unknown as Sent[]);
  expect(Buffer.compare(Buffer.from(first.data), Buffer.from(again.data))).toBe(0);
});

test('resizing matches libvips in linear light within 2 levels', async () => {
  const scene: Draw = (x, y) =>
    [128 + 100 * Math.sin(x / 9), 128 + 100 * Math.cos(y / 7), 128 + 100 * Math.sin((x + y) / 11)].map(
      Math.round,
    );
  const source = drawn(240, 180, scene);
  const result = await edit(source, [{ op: 'resize', width: 100 }]);
  const { data } = await sharp(source.data, { raw: { width: 240, height: 180, channels: 3 } })
    .pipelineColourspace('scrgb')
    .resize({ width: 100, kernel: 'lanczos3' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(
    farthest(result, (x, y) => [...data.subarray(3 * (y * 100 + x), 3 * (y * 100 + x) + 3)], 4),
  ).toBeLessThanOrEqual(3);
});
