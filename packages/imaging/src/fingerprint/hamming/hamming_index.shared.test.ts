import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codeOf, numbers } from '../../../../../tests/support/random_codes.ts';
import { needs } from '../../../../../tests/support/test_requirements.ts';
import { SEGMENT_CODES } from './code_segment.ts';
import { HammingIndex } from './hamming_index.ts';

const FILE = fileURLToPath(new URL('../../../../../../shared/fixtures/pdq/search.json', import.meta.url));
test('every query finds the reference matches at distances 15 and 31', needs('../shared'), () => {
  const { haystack, needles } = JSON.parse(readFileSync(FILE, 'utf8'));
  const index = new HammingIndex();
  for (const [place, code] of haystack.entries()) index.add(Buffer.from(code, 'hex'), place);
  const next = numbers(11);
  while (index.size < SEGMENT_CODES) index.add(codeOf(next), -1);
  const byPlace = ([one]: number[], [other]: number[]) => one! - other!;
  for (const { hash, matches } of needles) {
    for (const [radius, bare] of [
      [15, false],
      [31, false],
      [31, true],
    ] as const) {
      const found = index.search(Buffer.from(hash, 'hex'), radius, { bare });
      expect(found.map(({ ref, distance }) => [ref, distance]).sort(byPlace)).toEqual(
        matches[radius].sort(byPlace),
      );
    }
  }
});
