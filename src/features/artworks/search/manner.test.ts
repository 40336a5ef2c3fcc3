import { expect, test } from 'vitest';
import { saysHow } from './manner.ts';

test.each(['painting', 'woodblock print', 'portrait', 'dark', 'dutch'])('"%s" describes a manner', (text) => {
  expect(saysHow({ text })).toBe(true);
});

test.each(['cat', 'storm at sea', 'prince'])('"%s" describes a subject', (text) => {
  expect(saysHow({ text })).toBe(false);
});

test('a quoted word is always a subject', () => {
  expect(saysHow({ text: 'portrait', isQuoted: true })).toBe(false);
});
