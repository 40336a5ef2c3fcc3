import { expect, test } from 'vitest';
import { saysHow } from './manner.ts';

test.each(['painting', 'woodblock print', 'portrait', 'dark', 'dutch'])('"%s" says how', (text) => {
  expect(saysHow({ text })).toBe(true);
});

test.each(['cat', 'storm at sea', 'prince'])('"%s" says what', (text) => {
  expect(saysHow({ text })).toBe(false);
});

test('a quoted word has to be there', () => {
  expect(saysHow({ text: 'portrait', isQuoted: true })).toBe(false);
});
