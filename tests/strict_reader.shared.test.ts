import { expect, test } from 'vitest';
import { readWritten, takes } from '../bench/alt_texts.ts';
import { needs } from './support/test_requirements.ts';

/** Nine of ten, as issues ask of titles and alt texts. */
const TAKEN_MIN = 0.9;

test('a strict reader takes nine of ten titles and alt texts of sixty observed images, and the pixels dispute none', {
  ...needs('../shared'),
  timeout: 300_000,
}, async () => {
  const { rows, disagreements } = await readWritten();
  expect(rows).toHaveLength(60);
  expect(disagreements).toEqual([]);
  for (const kind of ['title', 'altText'] as const) {
    const refused = rows.filter(({ verdicts }) => !takes(verdicts[kind])).map((row) => row[kind]);
    expect(refused.length, refused.join('\n')).toBeLessThanOrEqual((1 - TAKEN_MIN) * rows.length);
  }
});
