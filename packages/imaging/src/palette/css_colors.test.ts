import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oklabOf, rgbOf } from '../pixels/oklab.ts';
import { hexOf, hslOf } from './css_colors.ts';
import { colorName } from './extract_palette.ts';
import { roundShares } from './round_shares.ts';

const color = fc.integer({ min: 0, max: 0xffffff });

test('HSL round-trips', () => {
  expect(hslOf(0xff8000)).toEqual({ h: 30.1, s: 100, l: 50 });
  fc.assert(fc.property(color, (rgb) => rgbOfHsl(hslOf(rgb)) === rgb));
});

test('OKLab round-trips', () => {
  expect(oklabOf(255, 255, 255)[0]).toBeCloseTo(1, 6);
  fc.assert(fc.property(color, (rgb) => rgbOf(oklabOf(rgb >> 16, (rgb >> 8) & 255, rgb & 255)) === rgb));
});

test('hex colours have six digits', () => {
  expect(hexOf(0x00000a)).toBe('#00000a');
});

test('rounded shares add up to exactly 100%', () => {
  expect(roundShares([1, 1, 1])).toEqual([33.4, 33.3, 33.3]);
  const parts = fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      parts,
      (shares) => roundShares(shares).reduce((sum, share) => sum + Math.round(10 * share), 0) === 1000,
    ),
  );
});

test.each([
  [0xff0000, 'red'],
  [0xeaeaea, 'white smoke'],
  [0x010203, 'black'],
  [0x3b2a21, 'dark brown'],
  [0x544260, 'dusky purple'],
  [0x504a50, 'dark grey'],
])('%i is named %s', (rgb, name) => {
  expect(colorName(rgb)).toBe(name);
});

test('a chromatic colour is never named grey, black or white', () => {
  fc.assert(
    fc.property(color, (rgb) => {
      const [, a, b] = oklabOf(rgb >> 16, (rgb >> 8) & 255, rgb & 255);
      return (
        Math.hypot(a, b) < 0.035 ||
        !/^(black|white|silver|charcoal|(dark |dim |light |ash )?grey)$/.test(colorName(rgb))
      );
    }),
  );
});

/** The inverse conversion as in CSS Color 4. */
function rgbOfHsl({ h, s, l }: { h: number; s: number; l: number }): number {
  const reach = (s / 100) * Math.min(l / 100, 1 - l / 100);
  const byte = (n: number) => {
    const k = (n + h / 30) % 12;
    return Math.round(255 * (l / 100 - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return (byte(0) << 16) | (byte(8) << 8) | byte(4);
}
