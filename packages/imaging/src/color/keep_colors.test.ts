import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { resizeImage } from '../resize/resize_image.ts';
import { ADOBE_RGB, type ColorCoding, codingOf } from './color_coding.ts';
import { keepColors } from './keep_colors.ts';
import { isWorkableProfile } from './wide_profile.ts';
import { writeProfile } from './write_profile.ts';

const P3 = codingOf(12, 13)!;
const PROPHOTO: ColorCoding = { ...P3, name: 'gamma 1.8', transfer: { gamma: 1.8 } };
const profileOf = async (name: string) =>
  (
    await sharp({ create: { width: 1, height: 1, channels: 3, background: '#888' } })
      .withIccProfile(name)
      .png()
      .toBuffer()
      .then((bytes) => sharp(bytes).metadata())
  ).icc!;

test.each([
  ['Display P3', writeProfile(P3, 'rgb'), true],
  ['Adobe RGB', writeProfile(ADOBE_RGB, 'rgb'), true],
  ['BT.2020', writeProfile(codingOf(9, 13)!, 'rgb'), true],
  ['the P3 profile of libvips', await profileOf('p3'), true],
  ['the sRGB profile of libvips', await profileOf('srgb'), false],
  ['gamma 1.8', writeProfile(PROPHOTO, 'rgb'), false],
  ['linear light', writeProfile({ ...P3, transfer: 'linear' }, 'rgb'), false],
  ['HDR', writeProfile(codingOf(9, 16)!, 'rgb'), false],
  ['grey', writeProfile(P3, 'grey'), false],
  ['bytes that are not a profile', Buffer.from('no profile'), false],
])('%s: processing in its own primaries is %s', (_, profile, expected) => {
  expect(isWorkableProfile(profile)).toBe(expected);
});

/** A red outside sRGB, and grey. */
const picture = () =>
  sharp(
    Uint8Array.from(
      { length: 40 * 30 * 3 },
      (_, at) => ((at / 3) % 40 < 20 ? [250, 10, 20] : [90, 90, 90])[at % 3]!,
    ),
    { raw: { width: 40, height: 30, channels: 3 } },
  );

test.each(['png', 'jpeg', 'webp', 'tiff'] as const)(
  'resizing a Display P3 %s keeps its sample values and profile',
  async (format) => {
    const icc = writeProfile(P3, 'rgb');
    const plain = await picture().toFormat(format, { quality: 100, lossless: true }).toBuffer();
    const bare = { bytes: plain, contentType: `image/${format}`, width: 40, height: 30 };
    const sent = keepColors(await withP3(bare, icc), format)!;
    const made = await resizeImage({
      bytes: sent.bytes,
      width: 20,
      height: 15,
      mode: 'stretch',
      format: 'png',
      quality: 90,
    });
    const result = sent.attach(made);
    const { data } = await sharp(result, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)].map((value, at) => Math.abs(value - [250, 10, 20][at]!) <= 2)).toEqual([
      true,
      true,
      true,
    ]);
    expect(Buffer.compare((await sharp(result).metadata()).icc!, icc)).toBe(0);
  },
);

/** Replaces an existing profile, through the same code as results. */
async function withP3(
  made: Parameters<NonNullable<ReturnType<typeof keepColors>>['attach']>[0],
  icc: Buffer,
) {
  const { withProfile } = await import('../metadata/containers/color_profile.ts');
  return withProfile(made.bytes, made.contentType.slice(6) as 'png', { icc, size: made })!;
}
