import { expect, test } from 'vitest';
import { contrastPairs, contrastRatio } from './contrast.ts';

const WHITE = { r: 255, g: 255, b: 255 };

// Published by the W3C and by WebAIM for these pairs.
test.each([
  [{ r: 0, g: 0, b: 0 }, 21],
  [{ r: 118, g: 118, b: 118 }, 4.54],
  [{ r: 0, g: 0, b: 255 }, 8.59],
  [{ r: 255, g: 0, b: 0 }, 4],
])('%j on white has the published contrast', (color, ratio) => {
  expect(contrastRatio(color, WHITE)).toBeCloseTo(ratio, 2);
});

test('readable pairs are sorted by contrast, with the darker colour as text', () => {
  const [black, grey, white] = [0, 118, 255].map((value) => ({ rgb: { r: value, g: value, b: value } }));
  const pairs = contrastPairs([white!, grey!, black!]);
  expect(pairs.map(({ text, background, level }) => [text, background, level])).toEqual([
    [black, white, 'AAA'],
    [black, grey, 'AA'],
    [grey, white, 'AA'],
  ]);
});

test('similar colours form no pair', () => {
  expect(contrastPairs([{ rgb: { r: 200, g: 200, b: 200 } }, { rgb: WHITE }])).toEqual([]);
});
