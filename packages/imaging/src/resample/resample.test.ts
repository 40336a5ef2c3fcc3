import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { sharp } from '../codecs/sharp.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { resizeImage } from '../resize/resize_image.ts';
import { RESAMPLE_WASM_B64, resample } from './resample.ts';

test('the compiled WebAssembly module matches its source', async () => {
  const source = readFileSync(new URL('resample.wat', import.meta.url), 'utf8');
  const { buffer } = (await wabt()).parseWat('resample.wat', source).toBinary({});
  expect(Buffer.from(buffer).toString('base64')).toBe(RESAMPLE_WASM_B64);
});

/** Double-precision reference by definition: IEC 61966-2-1, and sinc(x) sinc(x / 3). */
function reference(raster: DeepRaster, width: number, height: number): number[] {
  const { channels, data } = raster;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const isLayered = channels % 2 === 0;
  const lightOf = (x: number, y: number, channel: number) => {
    const at = (y * raster.width + x) * channels;
    const sample = data[at + channel]! / whole;
    const alpha = isLayered ? data[at + channels - 1]! / whole : 1;
    if (isLayered && channel === channels - 1) return alpha;
    return alpha * (sample <= 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055) ** 2.4);
  };
  const across = weightsOf(raster.width, width);
  const down = weightsOf(raster.height, height);
  const sumAt = (x: number, y: number, channel: number) =>
    down[y]!.reduce(
      (sum, [row, w]) =>
        sum + w * across[x]!.reduce((line, [column, v]) => line + v * lightOf(column, row, channel), 0),
      0,
    );
  return Array.from({ length: width * height * channels }, (_, at) => {
    const [pixel, channel] = [Math.floor(at / channels), at % channels];
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const sum = sumAt(x, y, channel);
    if (isLayered && channel === channels - 1) return whole * Math.min(1, Math.max(0, sum));
    const alpha = isLayered ? sumAt(x, y, channels - 1) : 1;
    const light = Math.min(1, Math.max(0, alpha * whole < 0.5 ? 0 : sum / alpha));
    return whole * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
  });
}

function weightsOf(side: number, count: number): [place: number, weight: number][][] {
  const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
  return Array.from({ length: count }, (_, at) => {
    const scale = side / count;
    const stretch = Math.max(1, scale);
    const centre = (at + 0.5) * scale - 0.5;
    const places = Array.from(
      { length: 2 * Math.ceil(3 * stretch) + 3 },
      (__, i) => Math.floor(centre) - Math.ceil(3 * stretch) - 1 + i,
    );
    const distances = places.map((place) => (place - centre) / stretch);
    const weights = distances.map((x) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0));
    const sum = weights.reduce((a, b) => a + b, 0);
    return places.map((place, i) => [Math.min(side - 1, Math.max(0, place)), weights[i]! / sum]);
  });
}

const SAMPLES = { 8: Uint8Array, 16: Uint16Array } as const;
function patterned(width: number, height: number, channels: 1 | 2 | 3 | 4, depth: 8 | 16): DeepRaster {
  const whole = 2 ** depth - 1;
  const sampleAt = (at: number) => {
    const [x, y] = [Math.floor(at / channels) % width, Math.floor(at / channels / width)];
    const wave = Math.sin(x / 2.3 + (at % channels)) * Math.cos(y / 3.1);
    return Math.round(whole * (0.5 + 0.3 * wave + 0.2 * (((at * 7919) % 101) / 101 - 0.5)));
  };
  const samples = Array.from({ length: width * height * channels }, (_, at) => sampleAt(at));
  return { width, height, channels, data: SAMPLES[depth].from(samples) };
}

test.each([
  [1, 8, 43, 31, 10, 7],
  [3, 8, 43, 31, 10, 7],
  [4, 8, 43, 31, 10, 7],
  [2, 8, 43, 31, 40, 29],
  [3, 8, 43, 31, 86, 12],
  [3, 8, 20, 17, 20, 17],
  [1, 16, 43, 31, 10, 7],
  [3, 16, 43, 31, 10, 50],
  [4, 16, 43, 31, 10, 7],
  [3, 8, 1, 300, 1, 3],
  [4, 8, 300, 1, 2, 1],
  [3, 8, 5, 90, 11, 89],
] as const)(
  '%i channels of %i bits, %i × %i to %i × %i, match double precision',
  (channels, depth, fromWidth, fromHeight, width, height) => {
    const raster = patterned(fromWidth, fromHeight, channels, depth);
    const result = resample(raster, { width, height, light: 'linear' });
    expect([result.width, result.height, result.channels, result.data.constructor]).toEqual([
      width,
      height,
      channels,
      SAMPLES[depth],
    ]);
    const expected = reference(raster, width, height);
    const off = expected.map((sample, at) => Math.abs(sample - result.data[at]!));
    expect(Math.max(...off)).toBeLessThan(depth === 8 ? 0.6 : 3);
  },
);

test.each([1, 3] as const)(
  'a one-pixel chequerboard averages to half in linear light with %i channels',
  async (channels) => {
    const board = Uint8Array.from({ length: 512 * 512 * channels }, (_, at) => {
      const pixel = Math.floor(at / channels);
      return ((pixel % 512) + Math.floor(pixel / 512)) % 2 === 0 ? 255 : 0;
    });
    const bytes = await sharp(board, { raw: { width: 512, height: 512, channels } })
      .png()
      .toBuffer();
    const meanOf = async (light: 'linear' | 'gamma') => {
      const small = await resizeImage({
        bytes,
        width: 128,
        height: 128,
        mode: 'contain',
        format: 'png',
        quality: 90,
        light,
      });
      return (await sharp(small.bytes).stats()).channels[0]!.mean;
    };
    expect(Math.abs((await meanOf('linear')) - 188)).toBeLessThan(1);
    expect(Math.abs((await meanOf('gamma')) - 128)).toBeLessThan(2);
  },
);

test('white on transparent black has no dark edges', () => {
  const isInside = (x: number, y: number) => (x - 60) ** 2 + (y - 60) ** 2 < 40 ** 2;
  const data = Uint8Array.from({ length: 120 * 120 * 4 }, (_, at) =>
    isInside(Math.floor(at / 4) % 120, Math.floor(at / 480)) ? 255 : 0,
  );
  const { data: small } = resample(
    { width: 120, height: 120, channels: 4, data },
    { width: 28, height: 28, light: 'linear' },
  );
  const alphas = new Set<number>();
  for (let at = 0; at < small.length; at += 4) {
    const alpha = small[at + 3]!;
    alphas.add(alpha);
    if (alpha > 0) expect(Math.min(...small.subarray(at, at + 3))).toBeGreaterThanOrEqual(254);
  }
  expect(alphas.size).toBeGreaterThan(10);
});

test.each([
  [8192, 1, 1, 1],
  [1, 8192, 1, 1],
  [8192, 1, 3, 5],
  [1, 1, 700, 1],
  [1, 9000, 300, 2],
] as const)('a uniform %i × %i image keeps its colour at %i × %i', (fromWidth, fromHeight, width, height) => {
  for (const light of ['linear', 'gamma'] as const) {
    const data = new Uint8Array(fromWidth * fromHeight * 3).fill(77);
    const flat = resample(
      { width: fromWidth, height: fromHeight, channels: 3, data },
      { width, height, light },
    );
    expect([flat.data.length, new Set(flat.data)]).toEqual([width * height * 3, new Set([77])]);
  }
});

test('no data of an earlier raster leaks into the next', () => {
  const small = patterned(30, 20, 4, 8);
  const before = resample(small, { width: 9, height: 7, light: 'linear' });
  const noise = { ...patterned(400, 300, 3, 16), data: new Uint16Array(400 * 300 * 3).fill(65_535) };
  resample(noise, { width: 399, height: 299, light: 'gamma' });
  expect(resample(small, { width: 9, height: 7, light: 'linear' })).toEqual(before);
});
