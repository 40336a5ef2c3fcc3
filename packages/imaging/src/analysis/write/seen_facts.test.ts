import { expect, test } from 'vitest';
import { contentHintFact, writingFact } from './description_facts.ts';

const LINE = { x: 0.3, y: 0.9, width: 0.4, height: 0.05, score: 0.93 };
const subject = (textLines: number) => ({ subject: { textLines } });

test.each([
  [{ ...subject(0), writing: [LINE] }, 'A line of writing or more at the lower centre.', 'model'],
  [
    { ...subject(9), writing: [LINE, LINE, LINE] },
    'At least three lines of writing, the largest at the lower centre.',
    'model',
  ],
  [{ ...subject(20) }, '20 lines of marks as regular as writing.', 'measured'],
])('%j', (measures, value, basis) => {
  expect(writingFact(measures)).toMatchObject({ value, basis });
});

test('no writing is no fact, and no hint is none either', () => {
  expect(writingFact({ ...subject(0), writing: [] })).toBeUndefined();
  expect(contentHintFact({})).toBeUndefined();
});

test('a hint names who gives it', () => {
  const rating = { hint: 'nudity or sexual content', confidence: 0.7216, by: 'nsfw_mobilenet_v2' } as const;
  expect(contentHintFact({ rating })).toEqual({
    value: 'May show nudity or sexual content.',
    basis: 'model',
    confidence: 0.72,
    by: 'nsfw_mobilenet_v2',
  });
});
