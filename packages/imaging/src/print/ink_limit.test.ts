import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inkLimitOf, reduceInks } from './ink_limit.ts';

test.each([
  [['FOGRA39'], 330, 'published'],
  [['FOGRA39', 'Coated FOGRA39 (300%)'], 300, 'profile'],
  [['FOGRA51'], 300, 'published'],
  [['PSO Uncoated v3 (FOGRA52)'], 300, 'published'],
  [['WAN-IFRAnewspaper26v5'], 220, 'published'],
  [['ISOnewspaper26v4'], 240, 'published'],
  [['CGATS TR 003'], 300, 'published'],
  [[undefined], 300, 'usual'],
])('the ink limit of printing condition %j is %i %%', (names, percent, basis) => {
  expect(inkLimitOf(names)).toMatchObject({ percent, basis });
});

test('the ink limit of a profile with an unknown name is measured', () => {
  const folder = new URL('../../../../src/features/print/profiles/shipped/', import.meta.url);
  const limits = ['coated_fogra39', 'uncoated_fogra29', 'coated_gracol2006'].map(
    (name) => inkLimitOf(['Our press'], readFileSync(new URL(`${name}.icc`, folder))).percent,
  );
  // Limits the profiles were built with: profiles/shipped/README.md.
  expect(limits).toEqual([300, 280, 290]);
  expect(inkLimitOf(['Our press'], Buffer.from('no profile')).basis).toBe('usual');
});

test('rich black stays within the ink limit of the paper', () => {
  for (const name of ['FOGRA51', 'FOGRA52', 'WAN-IFRAnewspaper26v5']) {
    const { percent, richBlack } = inkLimitOf([name]);
    expect(richBlack.reduce((sum, ink) => sum + ink, 0)).toBeLessThanOrEqual(percent - 40);
  }
});

test.each([
  [[1, 1, 1, 1], 3, [2 / 3, 2 / 3, 2 / 3, 1]],
  [[1, 0.5, 0, 1], 2.2, [0.8, 0.4, 0, 1]],
  [[0.9, 0.9, 0.9, 0.2], 3, [0.9, 0.9, 0.9, 0.2]],
  [[0, 0, 0, 1], 0.5, [0, 0, 0, 1]],
] as const)('inks %j limited to %d become %j', (inks, most, reduced) => {
  expect(reduceInks(inks, most)).toEqual(reduced.map((one) => expect.closeTo(one, 6)));
});
