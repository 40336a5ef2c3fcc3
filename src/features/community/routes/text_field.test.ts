import { expect, test } from 'vitest';
import { optionalText, textField, visibleText } from './entry_fields.ts';

test.each([
  ['zero-width characters', 'a\u200Bb\u200Cc\u200Dd\u2060e\uFEFF', 'abcde'],
  ['control characters', 'a\u0001b\u001B[31mc\u009F', 'ab[31mc'],
  ['direction overrides', 'x\u202Egnp.exe\u202C', 'xgnp.exe'],
  ['instructions in tag characters', 'hi\u{E0069}\u{E0067}', 'hi'],
  ['smuggled variation selectors', 'hi\u{E0100}\uFE01', 'hi'],
  ['noncharacters', 'a\uFFFEb\u{1FFFF}', 'ab'],
  ['lone surrogates', 'a\uD800b', 'a\uFFFDb'],
  ['carriage returns', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['white space around', ' \u00A0 a \n', 'a'],
])('%s are removed', (_, text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test.each([
  'Family: 👨\u200D👩\u200D👧, heart ❤\uFE0F, key 1\uFE0F\u20E3, rainbow 🏳\uFE0F\u200D🌈',
  'می\u200Cخواهم',
  'क्\u200Dष',
  '日本語 Ελληνικά עברית',
  '<script>alert("x")</script> & <b>',
  'one\n\ttwo',
])('%s is unchanged', (text) => {
  expect(visibleText(text)).toBe(text);
});

test('length is counted in code points of the visible text', () => {
  const five = textField(5);

  expect(five.safeParse('😀😀😀😀😀').success).toBe(true);
  expect(five.safeParse('a\u200Bb\u200Bc\u200Bd\u200Be').data).toBe('abcde');
  expect(five.safeParse('abcdef').error?.issues[0]?.message).toBe('must be text of at most 5 characters');
});

test('text without visible characters counts as empty', () => {
  expect(textField(5).safeParse('\u200B \n').success).toBe(false);
  expect(optionalText(5).parse('\u200B')).toBe('');
  expect(optionalText(5).parse(undefined)).toBe('');
});

test('a name is reduced to one line', () => {
  expect(textField(20).parse('Ada\r\n\tLovelace')).toBe('Ada Lovelace');
});
