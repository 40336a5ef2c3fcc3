import { expect, test } from 'vitest';
import { characterOf } from './glyph_names.ts';

test.each([
  ['A', 'A'],
  ['space', ' '],
  ['aacute', 'á'],
  ['Lcaron', 'Ľ'],
  ['AEacute', 'Ǽ'],
  ['fi', 'ﬁ'],
  ['quotedblleft', '“'],
  ['afii10017', 'А'],
  ['afii10071', 'ё'],
  ['omegatonos', 'ώ'],
  ['uni20AC', '€'],
  ['u1F600', '😀'],
  ['one.oldstyle', '1'],
])('the glyph name %s is the character %s', (name, character) => {
  expect(characterOf(name)).toBe(character);
});

test.each(['g17', 'a9', 'uniD800', 'u110000', '.notdef', 'constructor', 'qacute'])(
  'the glyph name %s has no character',
  (name) => {
    expect(characterOf(name)).toBeUndefined();
  },
);
