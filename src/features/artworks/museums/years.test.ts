import { expect, test } from 'vitest';
import { yearsIn } from './years.ts';

test.each([
  ['1649', 1649, 1649],
  ['ca. 1670 - ca. 1700', 1670, 1700],
  ['1889-05-01', 1889, 1889],
  ['1655–60', 1655, 1660],
  ['1880s', 1880, 1889],
  ['17th century', 1601, 1700],
  ['17de eeuw', 1601, 1700],
  ['XVIIe siècle', 1601, 1700],
  ['late 1790s or early 1800s', 1790, 1809],
  ['500 B.C.', null, null],
  ['undated', null, null],
])('years are read from "%s"', (date, from, to) => {
  expect(yearsIn(date)).toEqual({ year_from: from, year_to: to });
});
