import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { ADOBE_RGB, type ColorCoding, codingOf, codingOfGamma } from './color_coding.ts';
import { isWholeProfile, profileName } from './profile_name.ts';
import { writeProfile } from './write_profile.ts';

/** Converts one 8-bit colour of a PNG with the profile to sRGB, using libvips and LittleCMS. */
async function seen(coding: ColorCoding, color: readonly number[]): Promise<number[]> {
  const { writeTaggedTiff } = await import('../codecs/write_tagged_tiff.ts');
  const tiff = writeTaggedTiff({
    width: 1,
    height: 1,
    model: color.length === 1 ? 'grey' : 'rgb',
    hasAlpha: false,
    data: Uint8Array.from(color),
    profile: writeProfile(coding, color.length === 1 ? 'grey' : 'rgb'),
  });
  return [...(await sharp(tiff).toColourspace('srgb').raw().toBuffer())].slice(0, 3);
}

test('a profile is complete and names its colour space', () => {
  const profile = writeProfile(codingOf(12, 13)!, 'rgb');
  expect(isWholeProfile(profile)).toBe(true);
  expect(profileName(profile)).toBe('Display P3');
});

test.each([
  ['Display P3', codingOf(12, 13)!, [200, 100, 50], [215, 93, 31]],
  ['Adobe RGB', ADOBE_RGB, [128, 128, 128], [127, 127, 127]],
  ['BT.2020', codingOf(9, 13)!, [128, 128, 128], [128, 128, 128]],
  ['linear light', codingOfGamma(1, undefined)!, [55, 55, 55], [128, 128, 128]],
  ['grey in linear light', codingOfGamma(1, undefined)!, [55], [128, 128, 128]],
  ['video-range samples', codingOf(1, 13, true)!, [16, 126, 235], [0, 128, 255]],
])('%s is converted to sRGB as in browsers', async (_, coding, color, expected) => {
  const found = await seen(coding, color);
  for (const [channel, value] of expected.entries())
    expect(Math.abs(found[channel]! - value)).toBeLessThan(3);
});

test('HDR reference white is nearly white, and brighter light does not exceed white', async () => {
  // 203 cd/m² is 0.58 in PQ and 0.75 in HLG: ITU-R BT.2408, table 1.
  for (const [transfer, paper] of [
    [16, 148],
    [18, 191],
  ] as const) {
    const [white] = await seen(codingOf(9, transfer)!, [paper, paper, paper]);
    const [brighter] = await seen(codingOf(9, transfer)!, [220, 220, 220]);
    const [black] = await seen(codingOf(9, transfer)!, [0, 0, 0]);
    expect(white).toBeGreaterThan(225);
    expect(brighter).toBeGreaterThan(white!);
    expect(black).toBe(0);
  }
});

test('code points that mean sRGB need no conversion', () => {
  expect(codingOf(1, 13)).toBeUndefined();
  expect(codingOf(2, 2)).toBeUndefined();
  expect(codingOfGamma(2.2, undefined)).toBeUndefined();
});
