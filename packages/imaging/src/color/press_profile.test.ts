import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { applyLink } from './color_link.ts';
import { deltaE2000, type Lab, labOfSrgb, srgbOfLab } from './lab.ts';
import { linkBetweenPresses, linkFromPress, linkToPress } from './press_link.ts';
import { isSameCondition, openPressProfile } from './press_profile.ts';

const bytes = readFileSync(
  new URL('../../../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url),
);
const press = openPressProfile(bytes);
const relative = { intent: 'relative', blackPointCompensation: true } as const;

/** Expected values in this file: ArgyllCMS (xicclu -ir) for the same profile. */
test('ink values for a colour match another colour engine and round-trip', () => {
  const lab: Lab = [50, 20, -30];
  const inks = new Float64Array(4);
  press.inksFor(lab, 'relative', inks);
  for (const [ink, value] of [0.555239, 0.622106, 0, 0.043324].entries())
    expect(inks[ink]).toBeCloseTo(value, 5);
  expect(deltaE2000(lab, press.labOf(inks, 'relative'))).toBeLessThan(1.5);
});

test('the Lab colour of inks matches another colour engine', () => {
  const lab = press.labOf(Float64Array.of(0.2, 0.5, 0.7, 0.1), 'relative');
  for (const [axis, value] of [61.335831, 20.76226, 34.628092].entries())
    expect(lab[axis]).toBeCloseTo(value, 4);
});

test('sRGB to Lab and back is lossless', () => {
  for (const color of [
    [0, 0, 0],
    [255, 255, 255],
    [12, 200, 90],
    [255, 0, 255],
  ] as [number, number, number][])
    for (const [index, value] of srgbOfLab(labOfSrgb(...color)).entries())
      expect(value).toBeCloseTo(color[index]!, 2);
});

test('the device link matches the profile, also between grid nodes', () => {
  const link = linkToPress(press, { intent: 'perceptual', blackPointCompensation: false });
  const inks = new Float64Array(4);
  for (const color of [
    [200, 150, 120],
    [33, 77, 101],
    [250, 250, 250],
    [128, 128, 128],
  ] as [number, number, number][]) {
    press.inksFor(labOfSrgb(...color), 'perceptual', inks);
    const linked = applyLink(link, Uint8Array.from(color));
    for (let ink = 0; ink < 4; ink += 1) expect(Math.abs(linked[ink]! - 255 * inks[ink]!)).toBeLessThan(3);
  }
});

test('white has no ink, and black stays within the ink limit', () => {
  for (const intent of ['perceptual', 'relative', 'saturation'] as const) {
    const link = linkToPress(press, { intent, blackPointCompensation: true });
    expect([...applyLink(link, Uint8Array.of(255, 255, 255))].slice(0, 4)).toEqual([0, 0, 0, 0]);
    const black = [...applyLink(link, Uint8Array.of(0, 0, 0))].slice(0, 4).reduce((sum, ink) => sum + ink, 0);
    expect(black / 2.55).toBeLessThanOrEqual(302);
  }
});

test('black-point compensation preserves shadow detail', () => {
  const lightness = (blackPointCompensation: boolean) => {
    const link = linkToPress(press, { intent: 'relative', blackPointCompensation });
    const seen = (tone: number) => {
      const inks = applyLink(link, Uint8Array.of(tone, tone, tone)).slice(0, 4);
      return press.labOf(
        Float64Array.from(inks, (ink) => ink / 255),
        'relative',
      )[0];
    };
    return seen(24) - seen(0);
  };
  expect(lightness(true)).toBeGreaterThan(2 * lightness(false));
});

test('a soft proof shows the paper tint and less saturated colours', () => {
  const inks = applyLink(linkToPress(press, relative), Uint8Array.of(255, 255, 255, 0, 255, 0)).filter(
    (_, at) => at % 5 < 4,
  );
  const proof = applyLink(linkFromPress(press, { paper: true }), inks);
  expect(proof[0]).toBeGreaterThan(225);
  expect(proof[0]).toBeLessThan(250);
  expect(proof[4]).toBeLessThan(200);
});

test('inks converted back to sRGB match the source colour', () => {
  const color = [160, 96, 80] as const;
  const inks = applyLink(linkToPress(press, relative), Uint8Array.from(color)).slice(0, 4);
  const seen = applyLink(linkFromPress(press, { paper: false }), inks);
  expect(deltaE2000(labOfSrgb(...color), labOfSrgb(seen[0]!, seen[1]!, seen[2]!))).toBeLessThan(2);
});

/** The CMYK profile bundled with sharp: another printing condition. */
async function openOtherPress() {
  const white = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .withIccProfile('cmyk')
    .tiff()
    .toBuffer();
  return openPressProfile((await sharp(white).metadata()).icc!);
}

test('sharp’s CMYK profile can be read', async () => {
  expect((await openOtherPress()).name).toBe('Chemical proof');
});

test('with black preservation, every neutral tone uses only black ink up to solid black', () => {
  const link = linkToPress(press, { intent: 'perceptual', blackPointCompensation: false, keepsBlack: true });
  const greys = Uint8Array.from({ length: 3 * 256 }, (_, at) => Math.floor(at / 3));
  const inks = applyLink(link, greys);
  const colored = inks.filter((_, at) => at % 5 < 3);
  expect(Math.max(...colored)).toBe(0);
  const black = inks.filter((_, at) => at % 5 === 3);
  expect([black[0], black[255]]).toEqual([255, 0]);
  expect(black.every((ink, tone) => tone === 0 || ink <= black[tone - 1]!)).toBe(true);
});

test('black preservation does not change colours', () => {
  const color = Uint8Array.of(200, 40, 90);
  const [plain, kept] = [false, true].map((keepsBlack) => [
    ...applyLink(linkToPress(press, { ...relative, keepsBlack }), color),
  ]);
  expect(kept).toEqual(plain);
});

test('pure black ink stays pure between output profiles, and solid black stays solid', async () => {
  const link = linkBetweenPresses(await openOtherPress(), press, relative);
  const inks = applyLink(link, Uint8Array.of(0, 0, 0, 255, 0, 0, 0, 128, 0, 0, 0, 0));
  expect([...inks.subarray(0, 4)]).toEqual([0, 0, 0, 255]);
  expect([...inks.subarray(5, 8), ...inks.subarray(10, 14)]).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(inks[8]).toBeGreaterThan(90);
  expect(inks[8]).toBeLessThan(165);
});

test.each([
  ['nothing', () => new Uint8Array(0)],
  ['text', () => Buffer.from('not a profile, but long enough to be parsed as one '.repeat(9))],
  ['a truncated profile', () => bytes.subarray(0, 90_000)],
  ['a display profile', () => Buffer.from(bytes).fill('RGB ', 16, 20)],
  ['a profile without tables', () => Buffer.from(bytes).fill(0, 128, 132)],
])('%s is rejected', (_, made) => {
  expect(() => openPressProfile(made())).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

/** One table entry changed by one step of 65,535, and the date: different bytes, same printing condition. */
test('profiles of the same printing condition match despite different bytes', () => {
  const copy = Uint8Array.from(bytes);
  copy.fill(7, 24, 36);
  copy[copy.length - 2]! ^= 1;
  const other = readFileSync(
    new URL('../../../../src/features/print/profiles/shipped/coated_gracol2006.icc', import.meta.url),
  );
  expect(isSameCondition(openPressProfile(copy), press)).toBe(true);
  expect(isSameCondition(openPressProfile(other), press)).toBe(false);
});
