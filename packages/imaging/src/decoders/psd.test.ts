import { expect, test } from 'vitest';
import { type PsdParts, writePsd } from '../../../../tests/support/write_psd.ts';
import { sharp } from '../codecs/sharp.ts';
import { decodePsd } from './psd.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const big = (...values: number[]) => Uint8Array.from(values.flatMap((value) => [value >> 8, value & 255]));
const RGB = { width: 3, height: 1, mode: 3, depth: 8 } as const;
const PLANES = [bytes(255, 0, 10), bytes(0, 255, 20), bytes(0, 0, 30)];
const PIXELS = [255, 0, 0, 0, 255, 0, 10, 20, 30];

test.each([
  ['a PSD', {}],
  ['a packed PSD', { isPacked: true }],
  ['a PSB', { isLarge: true }],
  ['a packed PSB', { isLarge: true, isPacked: true }],
] as const)('the composite of %s is decoded', async (_, kind) => {
  const picture = await decodePsd(writePsd({ ...RGB, ...kind, planes: PLANES }));
  expect(picture).toMatchObject({ width: 3, height: 1, channels: 3, icc: undefined, warnings: [] });
  expect([...picture.data]).toEqual(PIXELS);
});

test.each<[string, Partial<PsdParts>, number, number[]]>([
  ['grey', { mode: 1, planes: [bytes(0, 128, 255)] }, 1, [0, 128, 255]],
  ['black and white', { mode: 0, depth: 1, planes: [bytes(0b10100000)] }, 1, [0, 255, 0]],
  ['grey in 16 bits', { mode: 1, depth: 16, planes: [big(0, 1000, 65_535)] }, 1, [0, 1000, 65_535]],
  [
    'RGB in 16 bits',
    { depth: 16, isPacked: true, planes: [big(1, 2, 3), big(256, 512, 768), big(65_535, 0, 0)] },
    3,
    [1, 256, 65_535, 2, 512, 0, 3, 768, 0],
  ],
  [
    'a palette',
    {
      mode: 2,
      planes: [bytes(0, 1, 255)],
      palette: Uint8Array.from({ length: 768 }, (_, at) => (at % 256) + Math.floor(at / 256)),
    },
    3,
    [0, 1, 2, 1, 2, 3, 255, 0, 1],
  ],
])('%s is decoded', async (_, parts, channels, data) => {
  const picture = await decodePsd(writePsd({ ...RGB, planes: PLANES, ...parts }));
  expect(picture.channels).toBe(channels);
  expect([...picture.data]).toEqual(data);
});

test('32-bit linear light becomes 16-bit sRGB, clipped at white', async () => {
  const plane = Buffer.alloc(12);
  for (const [index, value] of [0, 0.5, 4].entries()) plane.writeFloatBE(value, 4 * index);
  const picture = await decodePsd(writePsd({ ...RGB, mode: 1, depth: 32, planes: [plane] }));
  // sRGB of half the light: 0.7354.
  expect([...picture.data]).toEqual([0, 48_192, 65_535]);
  expect(picture.warnings).toEqual(['Light above white in the 32-bit Photoshop document was cut off.']);
});

test('the white matte of the composite is removed from transparent pixels', async () => {
  // Pure red at half opacity over white is 255, 127, 127.
  const planes = [bytes(255, 255, 9), bytes(127, 255, 9), bytes(127, 255, 9), bytes(128, 0, 255)];
  const picture = await decodePsd(writePsd({ ...RGB, planes, layers: -1 }));
  expect([...picture.data]).toEqual([255, 0, 0, 128, 255, 255, 255, 0, 9, 9, 9, 255]);
});

test('a composite without a white matte is unchanged', async () => {
  const planes = [bytes(255, 0, 9), bytes(0, 0, 9), bytes(0, 0, 9), bytes(128, 10, 255)];
  const picture = await decodePsd(writePsd({ ...RGB, planes, layers: -1 }));
  expect([...picture.data]).toEqual([255, 0, 0, 128, 0, 0, 0, 10, 9, 9, 9, 255]);
});

test('a saved selection channel is not used as transparency and is reported', async () => {
  const picture = await decodePsd(writePsd({ ...RGB, planes: [...PLANES, bytes(1, 2, 3)], layers: 2 }));
  expect([...picture.data]).toEqual(PIXELS);
  expect(picture.warnings[0]).toMatch(/^1 stored channel of the Photoshop document/);
});

test('the ICC profile is kept', async () => {
  const { icc } = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
    .then((png) => sharp(png).metadata());
  const picture = await decodePsd(writePsd({ ...RGB, planes: PLANES, resources: { 1039: icc! } }));
  expect(Buffer.from(picture.icc!).equals(icc!)).toBe(true);
});

test('inverted CMYK values become sRGB and keep transparency', async () => {
  // No ink, full black ink, cyan.
  const planes = [bytes(255, 255, 0), bytes(255, 255, 255), bytes(255, 255, 255), bytes(255, 0, 255)];
  const plain = await decodePsd(writePsd({ ...RGB, mode: 4, planes }));
  const layered = await decodePsd(
    writePsd({ ...RGB, mode: 4, planes: [...planes, bytes(255, 255, 7)], layers: -1 }),
  );
  expect(plain.channels).toBe(3);
  expect([...plain.data.slice(0, 3)]).toEqual([255, 255, 255]);
  expect(Math.max(...plain.data.slice(3, 6))).toBeLessThan(60);
  expect(plain.data[6]).toBeLessThan(plain.data[8]! - 100);
  expect([layered.data[3], layered.data[7], layered.data[11]]).toEqual([255, 255, 7]);
});

test('Lab is converted to sRGB', async () => {
  // White, mid grey, and the red of sRGB: L 53.2, a 80.1, b 67.2.
  const planes = [bytes(255, 137, 136), bytes(128, 128, 208), bytes(128, 128, 195)];
  const { data } = await decodePsd(writePsd({ ...RGB, mode: 9, planes }));
  const [white, grey, red] = [data.slice(0, 3), data.slice(3, 6), data.slice(6, 9)];
  expect([...white]).toEqual([255, 255, 255]);
  expect(Math.max(...grey) - Math.min(...grey)).toBeLessThanOrEqual(2);
  expect(red[0]).toBeGreaterThan(245);
  expect(Math.max(red[1]!, red[2]!)).toBeLessThan(25);
});

test('a document without a composite or in an unsupported mode is rejected with a fix', async () => {
  const without = writePsd({ ...RGB, planes: PLANES, resources: { 1057: bytes(0, 0, 0, 1, 0) } });
  await expect(decodePsd(without)).rejects.toThrow('Maximize compatibility');
  await expect(decodePsd(writePsd({ ...RGB, mode: 7, planes: PLANES }))).rejects.toThrow('Convert it to RGB');
  const whole = writePsd({ ...RGB, planes: PLANES });
  await expect(decodePsd(whole.subarray(0, whole.length - 1))).rejects.toThrow('before its last pixel');
  const large = Buffer.from(whole);
  large.writeUInt32BE(20_000, 14);
  large.writeUInt32BE(20_000, 18);
  await expect(decodePsd(large)).rejects.toThrow('20000 × 20000 pixels; at most 64 million');
});
