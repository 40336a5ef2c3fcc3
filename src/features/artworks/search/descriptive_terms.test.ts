import { expect, test } from 'vitest';
import { isDescriptive } from './descriptive_terms.ts';

test.each(['painting', 'woodblock print', 'portrait', 'dark', 'dutch'])('"%s" describes a manner', (text) => {
  expect(isDescriptive({ text })).toBe(true);
});

test.each(['cat', 'storm at sea', 'prince'])('"%s" describes a subject', (text) => {
  expect(isDescriptive({ text })).toBe(false);
});

test('a quoted word is always a subject', () => {
  expect(isDescriptive({ text: 'portrait', isQuoted: true })).toBe(false);
});
