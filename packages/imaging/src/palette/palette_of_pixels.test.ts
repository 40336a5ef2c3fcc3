import { expect, test } from 'vitest';
import { oklabDistance, oklabOf, rgbOf } from '../pixels/oklab.ts';
import { paletteOfPixels } from './palette_of_pixels.ts';

const RED = 0xff0000;
const BLUE = 0x0000ff;
const NEAR_RED = 0xfe0000;

test('an image with few colours yields them exactly, even if they look alike', () => {
  const picture = pixels([RED, 2], [BLUE, 1], [NEAR_RED, 1]);
  expect(paletteOfPixels(picture, 6)).toEqual([
    { color: RED, share: 0.5 },
    { color: BLUE, share: 0.25 },
    { color: NEAR_RED, share: 0.25 },
  ]);
});

test('pixels are weighted by opacity, and fully transparent pixels are ignored', () => {
  const picture = new Uint8Array([255, 0, 0, 255, 0, 0, 255, 85, 0, 255, 0, 0]);
  expect(paletteOfPixels(picture, 3)).toEqual([
    { color: RED, share: 0.75 },
    { color: BLUE, share: 0.25 },
  ]);
});

test('a fully transparent image has no palette', () => {
  const picture = new Uint8Array(4 * 9);
  expect(() => paletteOfPixels(picture, 6)).toThrowError(
    expect.objectContaining({ code: 'unsuitable_image' }),
  );
});

test('flat colours with antialiased edges keep their exact values', () => {
  const flat = [0x1a2b3c, 0xd94f30, 0xf2e8cf, 0x3f8f5f];
  const picture = pixels(...flat.map((color): [number, number] => [color, 2000]), ...blends(flat, 20));
  const found = paletteOfPixels(picture, 4).map(({ color }) => color);
  expect(found.toSorted()).toEqual(flat.toSorted());
});

test.each([0xff0000, 0x00c853, 0x2962ff, 0xffd600, 0xd500f9])(
  'an accent %i covering 2% of grey noise is found',
  (accent) => {
    const picture = pixels(...greys(9800), [accent, 200]);
    const nearest = Math.min(...paletteOfPixels(picture, 6).map(({ color }) => distance(color, accent)));
    expect(nearest).toBeLessThan(0.03);
  },
);

test('similar colours are merged into one entry', () => {
  const picture = pixels(
    ...Array.from({ length: 20 }, (_, step): [number, number] => [
      0x808080 + 0x010101 * (step % 5) + step,
      10,
    ]),
  );
  expect(paletteOfPixels(picture, 6)).toHaveLength(1);
});

test('shares add up to the whole and are sorted in descending order', () => {
  const palette = paletteOfPixels(pixels(...greys(5000), ...blends([RED, BLUE, 0xffffff], 300)), 5);
  expect(palette.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  expect(palette.map(({ share }) => share)).toEqual(
    palette.map(({ share }) => share).toSorted((one, other) => other - one),
  );
});

test('an image with very many colours yields a palette', () => {
  const picture = new Uint8Array(4 << 16).map((_, at) => (at % 4 === 3 ? 255 : (at * 2654435761) >>> 24));
  const palette = paletteOfPixels(picture, 12);
  expect(palette).toHaveLength(12);
  expect(paletteOfPixels(picture, 12)).toEqual(palette);
});

function pixels(...runs: [color: number, count: number][]): Uint8Array {
  return new Uint8Array(
    runs.flatMap(([color, count]) =>
      Array.from({ length: count }, () => [color >> 16, (color >> 8) & 255, color & 255, 255]).flat(),
    ),
  );
}

/** `count` pixels halfway and one third of the way between each pair. */
function blends(colors: number[], count: number): [number, number][] {
  return colors.flatMap((one, index) =>
    colors
      .slice(index + 1)
      .flatMap((other) => [0.33, 0.5].map((part): [number, number] => [mix(one, other, part), count])),
  );
}

function mix(one: number, other: number, part: number): number {
  const channel = (shift: number) =>
    Math.round(((one >> shift) & 255) * (1 - part) + ((other >> shift) & 255) * part) << shift;
  return channel(16) | channel(8) | channel(0);
}

const greys = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, index) => [0x010101 * ((index * 97) % 251), 1]);

const distance = (one: number, other: number): number => oklabDistance(labOf(one), labOf(other));
const labOf = (color: number) => oklabOf(color >> 16, (color >> 8) & 255, color & 255);

test.each([
  ['a salmon blouse', 0xe47870, 0.01],
  ['a salmon blouse, twice as large', 0xe47870, 0.02],
  ['a blue dress', 0x537ba5, 0.006],
])('%s in light and shade is found among browns', (_, color, share) => {
  const found = paletteOfPixels(pixels(...browns(20_000), ...shades(color, 20_000 * share)), 6);
  expect(found).toHaveLength(6);
  expect(Math.min(...found.map((swatch) => distance(swatch.color, color)))).toBeLessThan(0.05);
  expect(found.reduce((sum, swatch) => sum + swatch.share, 0)).toBeCloseTo(1, 12);
});

/** Browns of evenly spaced lightness; deterministic. */
function browns(count: number): [number, number][] {
  return Array.from({ length: count }, (_, at) => {
    const lightness = 0.1 + 0.8 * ((at * 0.6180339) % 1);
    const chroma = 0.02 + 0.06 * ((at * 0.7548776) % 1);
    const hue = 0.9 + 0.5 * ((at * 0.5698402) % 1);
    return [rgbOf([lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]), 1];
  });
}

/** One colour at 0.7 to 1.3 times its lightness. */
function shades(color: number, count: number): [number, number][] {
  const [lightness, a, b] = labOf(color);
  return Array.from({ length: count }, (_, at) => {
    const light = 0.7 + (0.6 * at) / count;
    const chroma = Math.min(1, light);
    return [rgbOf([lightness * light, a * chroma, b * chroma]), 1];
  });
}
