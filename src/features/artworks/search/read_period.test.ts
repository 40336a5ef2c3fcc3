import { expect, test } from 'vitest';
import { readPeriod } from './read_filters.ts';

const SEVENTEENTH = { from: 1601, to: 1700 };

test.each([
  [17, SEVENTEENTH],
  ['17', SEVENTEENTH],
  ['The 17th Century', SEVENTEENTH],
  ['XVIIe siècle', SEVENTEENTH],
  ['17e eeuw', SEVENTEENTH],
  ['17. Jahrhundert', SEVENTEENTH],
  ['seventeenth century', SEVENTEENTH],
  ['early 17th century', { from: 1601, to: 1633 }],
  ['16th-18th century', { from: 1501, to: 1800 }],
  [1600, { from: 1600, to: 1699 }],
  ['1880s', { from: 1880, to: 1889 }],
  [1642, { from: 1642, to: 1642 }],
  ['1650-1700', { from: 1650, to: 1700 }],
  ['after 1850', { from: 1851 }],
  ['before 1700', { to: 1699 }],
  [-5, { from: -500, to: -401 }],
  ['5th century BC', { from: -500, to: -401 }],
  ['500-300 BCE', { from: -500, to: -300 }],
])('period %j is read as %j', (asked, years) => {
  expect(readPeriod(asked)).toEqual(years);
});

test.each(['cats 1880s', 'old', '', 0, 31, 1e12, '17th century BC-AD', '('.repeat(60), '1 '.repeat(30)])(
  '%j is not a period',
  (asked) => {
    expect(readPeriod(asked)).toBeUndefined();
  },
);
