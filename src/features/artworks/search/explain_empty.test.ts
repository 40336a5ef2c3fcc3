import { expect, test } from 'vitest';
import { explainEmpty } from './explain_empty.ts';

test.each([
  ['""', 'no letters or digits'],
  ['!?', 'no letters or digits'],
  ['🐈', 'no letters or digits'],
  ['-cat', 'only excludes'],
  ['NOT cat', 'only excludes'],
  ['кошка', 'script'],
  ['القط', 'script'],
])('%j finds nothing, and why is said', (query, why) => {
  expect(explainEmpty(query)).toContain(why);
});

test.each(['', 'cat', '猫', '-500', '1909', 'Ван Гог van Gogh'])('%j is searched', (query) => {
  expect(explainEmpty(query)).toBeUndefined();
});
