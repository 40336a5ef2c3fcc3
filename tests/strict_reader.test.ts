import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import { expect, test } from 'vitest';
import { readStrictly, type Verdict } from '../bench/support/strict_reader.ts';

const shows = (...labels: string[]) => ({
  terms: new Set(labels.flatMap((label) => [label, ...SUBJECT_TERMS.get(label)!.broader])),
});
const against = (kind: 'alt text' | 'title', text: string, ...labels: string[]) =>
  Object.entries(readStrictly(text, shows(...labels), kind))
    .filter(([, holds]) => !holds)
    .map(([check]) => check as keyof Verdict);

test.each([
  ['alt text', 'A grey kitten sitting in short green grass beside a ball.', ['kitten', 'grass', 'ball']],
  ['alt text', 'Two macaws perched side by side before green leaves.', ['macaw', 'leaf']],
  ['title', 'Grey kitten sitting in grass', ['kitten', 'grass']],
  ['title', 'Orange kitten', ['kitten']],
] as const)('%s taken: %s', (kind, text, labels) => expect(against(kind, text, ...labels)).toEqual([]));

test.each([
  [
    'alt text',
    'A dog asleep on a sofa beside a large window.',
    ['kitten'],
    ['namesSubject', 'noContradiction'],
  ],
  ['alt text', 'A beautiful kitten sitting quietly in short grass.', ['kitten', 'grass'], ['noEmptyWords']],
  ['alt text', 'A kitten.', ['kitten'], ['length']],
  ['alt text', 'a grey kitten sitting quietly in short green grass', ['kitten', 'grass'], ['wholeSentences']],
  ['title', 'Composition in Brown', ['kitten'], ['namesSubject']],
] as const)('%s refused: %s', (kind, text, labels, checks) =>
  expect(against(kind, text, ...labels)).toEqual(checks),
);
