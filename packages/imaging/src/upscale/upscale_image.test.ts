import { expect, test } from 'vitest';
import { readRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { inputPixels } from './model_cost.ts';
import type { Network } from './open_network.ts';
import { upscaleImage } from './upscale_image.ts';
import { meanPasses } from './upscale_tiles.ts';

/** A model that repeats pixels and records its calls; its tile limit is so small that images need many tiles. */
function createRepeater(scale: number, multipleOf = 1) {
  const calls: number[] = [];
  const network: Network = {
    scale,
    rules: { pixelsMax: 400, overlapPx: 3 * multipleOf, multipleOf },
    async enlarge(planes, width, height) {
      calls.push(width * height);
      expect([width % multipleOf, height % multipleOf, planes.length]).toEqual([0, 0, 3 * width * height]);
      return Float32Array.from({ length: planes.length * scale ** 2 }, (_, at) => {
        const [row, x] = [Math.floor(at / (width * scale)), Math.floor((at % (width * scale)) / scale)];
        const [plane, y] = [Math.floor(row / (height * scale)), Math.floor((row % (height * scale)) / scale)];
        return planes[(plane * height + y) * width + x]!;
      });
    },
    provider: 'cpu',
    close: async () => {},
  };
  return { network, calls };
}

const SPACES = {
  '1-8': 'b-w',

  '3-8': 'srgb',
  '4-8': 'srgb',
  '1-16': 'grey16',
  '3-16': 'rgb16',
  '4-16': 'rgb16',
} as const;
type Kind = keyof typeof SPACES;

/** Noise without fully transparent pixels. */
function noise(width: number, height: number, kind: Kind) {
  const [channels, depth] = kind.split('-').map(Number) as [1 | 2 | 3 | 4, 8 | 16];
  const Samples = depth === 8 ? Uint8Array : Uint16Array;
  const samples = new Samples(width * height * channels).map((_, at) => 1 + ((at * 7919) % (2 ** depth - 1)));
  return {
    samples,
    Samples,
    png: sharp(samples, { raw: { width, height, channels } }).toColourspace(SPACES[kind]).png(),
  };
}
const pixelsOf = async (bytes: Uint8Array, kind: Kind) =>
  sharp(bytes)
    .toColourspace(SPACES[kind])
    .raw({ depth: kind.endsWith('16') ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });

test.each(Object.keys(SPACES) as Kind[])(
  '%s (channels-bits) keeps its type and all pixels over many tiles',
  async (kind) => {
    const [width, height, scale] = [53, 31, 2];
    const { samples, Samples, png } = noise(width, height, kind);
    const { network, calls } = createRepeater(scale);
    const { pieces, ...result } = await upscaleImage(await png.toBuffer(), network);
    const { data, info } = await pixelsOf(Buffer.concat(pieces), kind);

    expect(result).toMatchObject({ contentType: 'image/png', width: width * scale, height: height * scale });
    const { channels } = info;
    const enlarged = new Samples(new Uint8Array(data).buffer);
    const expected = enlarged.map((_, at) => {
      const pixel = Math.floor(at / channels);
      const [y, x] = [Math.floor(pixel / info.width / scale), Math.floor((pixel % info.width) / scale)];
      return samples[(y * width + x) * channels + (at % channels)]!;
    });
    expect(enlarged).toEqual(expected);
    expect(calls.length).toBeGreaterThan(4);
  },
);

test.each([
  [1, 1],
  [1, 50],
  [7, 3],
])('%i × %i works with a model that requires even dimensions', async (width, height) => {
  const { network } = createRepeater(2, 2);
  const result = await upscaleImage(await noise(width, height, '3-8').png.toBuffer(), network);
  const { data, info } = await pixelsOf(Buffer.concat(result.pieces), '3-8');
  const { samples } = noise(width, height, '3-8');
  expect([info.width, info.height]).toEqual([width * 2, height * 2]);
  expect([...data.subarray(-3)]).toEqual([...samples.subarray(-3)]);
});

test('greyscale with alpha stays greyscale with alpha', async () => {
  const samples = Uint8Array.of(10, 255, 20, 128, 30, 1, 40, 255);
  const png = sharp(samples, { raw: { width: 2, height: 2, channels: 2 } })
    .toColourspace('b-w')
    .png();
  const result = await upscaleImage(await png.toBuffer(), createRepeater(2).network);
  const enlarged = sharp(Buffer.concat(result.pieces));
  const rgba = await enlarged.clone().toColourspace('srgb').raw().toBuffer();
  expect(await enlarged.metadata()).toMatchObject({ channels: 2, space: 'b-w', width: 4, height: 4 });
  expect([...rgba.subarray(0, 4), ...rgba.subarray(-4)]).toEqual([10, 10, 10, 255, 40, 40, 40, 255]);
});

test('opaque and clear pixels keep their alpha regardless of model output', async () => {
  const { network } = createRepeater(2);
  const dimming: Network = {
    ...network,
    enlarge: async (...tile) => (await network.enlarge(...tile)).map((value) => value * 0.8 + 0.08),
  };
  const half = await sharp({ create: { width: 30, height: 20, channels: 4, background: '#ff000000' } })
    .composite([
      { input: { create: { width: 15, height: 20, channels: 4, background: '#00ff00' } }, left: 0, top: 0 },
    ])
    .png()
    .toBuffer();
  const { data } = await pixelsOf(Buffer.concat((await upscaleImage(half, dimming)).pieces), '4-8');
  expect([data[3], data[59 * 4 + 3]]).toEqual([255, 0]);
  expect([...data.subarray(59 * 4, 59 * 4 + 3)]).toEqual([20, 224, 20]);
});

test('an image with uniform alpha runs the model only on its colours', async () => {
  const { network, calls } = createRepeater(2);
  const clear = await sharp({ create: { width: 10, height: 10, channels: 4, background: '#ff000000' } })
    .png()
    .toBuffer();
  const { data } = await pixelsOf(Buffer.concat((await upscaleImage(clear, network)).pieces), '4-8');
  expect([calls.length, new Set(data)]).toEqual([1, new Set([0])]);
});

test('the predicted model passes per pixel are 2 in tiles with partial alpha', async () => {
  const [size, { network }] = [{ width: 30, height: 20 }, createRepeater(2)];
  const samples = new Uint8Array(size.width * size.height * 4).fill(255);
  samples[3] = 9;
  const png = await sharp(samples, { raw: { ...size, channels: 4 } })
    .png()
    .toBuffer();
  const passes = meanPasses(await readRaster(png), network.rules);
  const seen = (await upscaleImage(png, network)).pixelsSeen;
  expect([passes > 1, passes < 2]).toEqual([true, true]);
  expect(passes * inputPixels(size, network.rules)).toBeCloseTo(seen, 6);
});

test('progress advances by tile', async () => {
  const seen: number[] = [];
  await upscaleImage(
    await noise(60, 30, '3-8').png.toBuffer(),
    createRepeater(2).network,
    (fraction, message) => {
      seen.push(fraction);
      expect(message).toMatch(/^Enlarged \d+ of \d+ tiles$/);
    },
  );
  expect(seen.at(-1)).toBe(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('the first frame is used, CMYK becomes sRGB and orientation is applied', async () => {
  const frames = Buffer.concat([Buffer.alloc(12 * 8 * 3, 255), Buffer.alloc(12 * 8 * 3, 0)]);
  const gif = await sharp(frames, { raw: { width: 12, height: 16, channels: 3, pageHeight: 8 } })
    .gif()
    .toBuffer();
  const cmyk = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#ff0000' } })
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer();
  const turned = await sharp(cmyk).toColourspace('srgb').withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const results = await Promise.all(
    [gif, cmyk, turned].map(async (bytes) => {
      const result = await upscaleImage(bytes, createRepeater(2).network);
      const { channels, space } = await sharp(Buffer.concat(result.pieces)).metadata();
      return [result.width, result.height, channels, space];
    }),
  );
  expect(results).toEqual([
    [24, 16, 4, 'srgb'],
    [12, 8, 3, 'srgb'],
    [8, 12, 3, 'srgb'],
  ]);
});

test('a damaged image is rejected as undecodable', async () => {
  const png = await noise(40, 40, '3-8').png.toBuffer();
  await expect(
    upscaleImage(png.subarray(0, png.length / 2), createRepeater(2).network),
  ).rejects.toMatchObject({
    code: 'undecodable_image',
  });
});
