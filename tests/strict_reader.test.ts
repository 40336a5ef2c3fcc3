import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import { expect, test } from 'vitest';
import { readStrictly, type Verdict } from '../bench/support/strict_reader.ts';

const shows = (...labels: string[]) => ({
  terms: new Set(labels.flatMap((label) => [label, ...SUBJECT_TERMS.get(label)!.broader])),
  people: labels.some((label) => /portrait/.test(label)),
  writing: false,
});
const COLORS = 'The main colours are dark brown, buff and black.';
const against = (text: string, ...labels: string[]) =>
  Object.entries(readStrictly(text, shows(...labels)))
    .filter(([, holds]) => !holds)
    .map(([check]) => check as keyof Verdict);

test.each([
  [`A monarch butterfly appears in this photograph. ${COLORS}`, ['monarch butterfly']],
  [`A face appears at the upper centre of this dark artwork. ${COLORS}`, ['portrait of a man']],
  [`A kitten appears with grass in this photograph. ${COLORS}`, ['kitten', 'grass']],
])('%s: taken', (text, labels) => expect(against(text, ...labels)).toEqual([]));

test.each([
  [`A dog appears in this photograph. ${COLORS}`, ['kitten'], ['subjectFirst', 'noContradiction']],
  [`An animal appears in this photograph. ${COLORS}`, ['kitten'], ['subjectFirst', 'noEmptyWords']],
  [
    'This artwork is mainly beige, warm grey and cream, lightest at the centre.',
    ['kitten'],
    ['subjectFirst', 'noEmptyWords'],
  ],
  [
    `A face appears at the centre of this artwork. ${COLORS}`,
    ['kitten'],
    ['subjectFirst', 'noContradiction'],
  ],
  ['A kitten appears here.', ['kitten'], ['length']],
  [
    `A kitten, in grass, and no verb to be found in it. ${COLORS}`,
    ['kitten'],
    ['wholeSentences', 'subjectFirst'],
  ],
  [`A kitten appears in this photograph, ${COLORS.slice(0, -1)}`, ['kitten'], ['wholeSentences']],
])('%s', (text, labels, checks) => expect(against(text, ...labels)).toEqual(checks));
