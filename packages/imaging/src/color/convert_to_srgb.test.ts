import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { writeTaggedTiff } from '../codecs/write_tagged_tiff.ts';
import { convertToSrgb } from './convert_to_srgb.ts';

/**
 * Tolerance of a round trip through printable colours. The profile's perceptual table, the only intent sharp offers, compresses all colours
 * to make room for those outside the ink gamut: greys come back up to 5 L* darker.
 */
const WAY_AND_BACK_DELTA_E_MAX = 9;
const COLORS = ['#ffffff', '#808080', '#404040', '#8c7a5a', '#a06050', '#507080', '#608060', '#c0b090'];
const side = 16;
const chart = () =>
  sharp(Buffer.concat(COLORS.map((color) => Buffer.from(color.slice(1).repeat(side * side), 'hex'))), {
    raw: { width: side, height: side * COLORS.length, channels: 3 },
  });
const patchesOf = async (bytes: Uint8Array) => {
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return COLORS.map((_, index) => {
    const at = ((index * side + side / 2) * side + side / 2) * info.channels;
    return [...data.subarray(at, at + 3)];
  });
};

test('the result is a PNG with an sRGB profile and the requested density', async () => {
  const answer = await convertToSrgb({ bytes: await chart().jpeg().toBuffer(), dpi: 96 });
  const { format, space, channels, density, icc } = await sharp(answer.bytes).metadata();
  expect({ format, space, channels, density }).toEqual({
    format: 'png',
    space: 'srgb',
    channels: 3,
    density: 96,
  });
  expect(icc!.subarray(16, 20).toString()).toBe('RGB ');
  expect(answer).toMatchObject({ contentType: 'image/png', profile: 'sRGB' });
});

test('a CMYK JPEG is converted with its embedded profile', async () => {
  const jpeg = await chart()
    .withIccProfile('cmyk')
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const { bytes } = await convertToSrgb({ bytes: jpeg, dpi: 72 });
  const [before, after] = [await patchesOf(await chart().png().toBuffer()), await patchesOf(bytes)];
  expect(Math.max(...before.map((patch, index) => deltaE(patch, after[index]!)))).toBeLessThan(
    WAY_AND_BACK_DELTA_E_MAX,
  );
});

test('transparency is preserved', async () => {
  const half = await sharp({ create: { width: 4, height: 4, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer();
  const { bytes } = await convertToSrgb({ bytes: half, dpi: 300 });
  expect([...(await sharp(bytes).raw().toBuffer())].slice(0, 4)).toEqual([255, 0, 0, 128]);
});

/** CIE 1976: about 2 is just noticeable. */
function deltaE(a: number[], b: number[]): number {
  const [labA, labB] = [labOf(a), labOf(b)];
  return Math.hypot(...labA.map((value, index) => value - labB[index]!));
}

function labOf(rgb: number[]): [number, number, number] {
  const [r, g, b] = rgb.map((value) =>
    value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r! + 0.3576 * g! + 0.1805 * b!) / 0.9505);
  const y = f(0.2126 * r! + 0.7152 * g! + 0.0722 * b!);
  const z = f((0.0193 * r! + 0.1192 * g! + 0.9505 * b!) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test('untagged 16-bit samples are unchanged and get an sRGB profile', async () => {
  const data = Uint16Array.from([200 * 257, 100 * 257, 50 * 257]);
  const bytes = writeTaggedTiff({ width: 1, height: 1, model: 'rgb', hasAlpha: false, data });
  const made = await convertToSrgb({ bytes, dpi: 96 });
  const { data: stored } = await sharp(made.bytes, { ignoreIcc: true })
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  expect(Buffer.compare(stored, Buffer.from(data.buffer))).toBe(0);
  expect(made.profile).toBe('sRGB');
});
