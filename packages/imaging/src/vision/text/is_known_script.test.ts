import { expect, test } from 'vitest';
import { isKnownScript } from './read_text.ts';

/** Output of PP-OCRv4 for rendered lines: text, confidence, share of uncertain characters. */
test.each([
  ['S/N X7K-49QZ-LL3', 0.99, 0],
  ['GroBe: fur FuBe', 0.92, 0.15],
  ['Prilis lutoueky kan', 0.91, 0.18],
  ['今天天气很好', 0.99, 0],
])('%s is in a known script', (text, confidence, unsure) =>
  expect(isKnownScript({ text, confidence, unsure })).toBe(true),
);

test.each([
  ['Hebrew', 'D71D7 D17U', 0.89, 0.22],
  ['Thai', 'Uannsu', 0.81, 0.33],
  ['Arabic', 'Ugill wjo', 0.8, 0.5],
  ['Greek', 'Kα入c pθαt otnv Aθnvα', 0.85, 0.35],
  ['Cyrillic', 'He kypuTb', 0.93, 0.25],
  ['Armenian', 'Twnng', 0.84, 0.2],
])('%s is not in a known script: %s', (_, text, confidence, unsure) =>
  expect(isKnownScript({ text, confidence, unsure })).toBe(false),
);
