import { expect, test } from 'vitest';
import { cloudyPicture } from '../../../../tests/support/cloudy_picture.ts';
import { sharp } from '../codecs/sharp.ts';
import { assessCondition, jpegQuality } from './condition.ts';

const WIDTH = 96;

/** Gradients and a disc with noise of the given standard deviation; xorshift32 (Marsaglia 2003), reproducible. */
function picture(noise: number) {
  let state = 0x5eed;
  const samples = Uint8Array.from({ length: WIDTH * WIDTH * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % WIDTH, Math.floor(at / 3 / WIDTH)];
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const grain = noise * Math.sqrt(12) * ((state >>> 0) / 4_294_967_296 - 0.5);
    return (Math.hypot(x - 50, y - 40) < 20 ? 180 : 60 + x / 2) + grain;
  });
  return sharp(samples, { raw: { width: WIDTH, height: WIDTH, channels: 3 } });
}

test.each([30, 60, 75, 90, 95, 100])('a JPEG of quality %i is estimated within 1', async (quality) => {
  const bytes = await picture(0).jpeg({ quality }).toBuffer();
  expect(Math.abs(jpegQuality(bytes)! - quality)).toBeLessThanOrEqual(1);
});

test('a non-JPEG or a JPEG without tables has no quality', async () => {
  expect(jpegQuality(await picture(0).png().toBuffer())).toBeUndefined();
  expect(jpegQuality(Uint8Array.of(0xff, 0xd8, 0xff, 0xdb, 0, 200, 0))).toBeUndefined();
  expect(jpegQuality(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff))).toBeUndefined();
});

test.each([
  ['clean', 0, 'png'],
  ['clean', 0, 'webp'],
  ['spoiled', 8, 'png'],
] as const)('%s: noise of %i levels in a %s is classified', async (kind, noise, format) => {
  expect((await assessCondition(await picture(noise)[format]({ lossless: true }).toBuffer())).kind).toBe(
    kind,
  );
});

test('strong compression is classified as degraded, weak compression is not', async () => {
  const degraded = await assessCondition(await picture(0).jpeg({ quality: 40 }).toBuffer());
  expect(degraded).toEqual({ kind: 'spoiled', reason: 'it is a JPEG of quality about 40' });
  expect((await assessCondition(await picture(0).jpeg({ quality: 97 }).toBuffer())).kind).toBe('clean');
});

test.each([
  ['png', 60, 'spoiled'],
  ['webp', 60, 'spoiled'],
  ['png', 92, 'clean'],
] as const)('a %s saved from a JPEG of quality %i is %s', async (format, quality, kind) => {
  const jpeg = await sharp(await cloudyPicture(256))
    .jpeg({ quality })
    .toBuffer();
  const saved = await sharp(jpeg)[format]({ lossless: true }).toBuffer();

  const { kind: found, reason } = await assessCondition(saved);

  expect(found).toBe(kind);
  if (kind === 'spoiled') expect(reason).toMatch(/JPEG blocks of quality about (5[6-9]|6[0-4]), re-encoded/);
});

test.each([
  [1, 1],
  [5, 40],
  [3, 3],
])('an image of %i × %i pixels is classified', async (width, height) => {
  const tiny = sharp({ create: { width, height, channels: 4, background: '#00000000' } }).png();
  expect((await assessCondition(await tiny.toBuffer())).kind).toBe('clean');
});
