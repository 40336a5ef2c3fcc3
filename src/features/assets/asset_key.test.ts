import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assetKey, assetKeyPrefix, cursorAfter, keyOfCursor, newAssetKey } from './asset_key.ts';

test.each([
  'logo.png',
  'a/b/../c',
  ' leading space',
  '猫.png',
  '👩‍🎨',
  "'; drop table assets; --",
  '%_\\',
  '__proto__',
  '.',
])('%j is a valid key', (key) => {
  expect(assetKey(key)).toBe(key);
});

test('composed and decomposed forms of a key are the same key', () => {
  expect(assetKey('cafe\u0301')).toBe(assetKey('caf\u00e9'));
});

test.each(['', 'a\0b', 'a\nb', '\u007f', '\u0085', '\u2028', '\ud83d', 'x\udc00', 'a'.repeat(257)])(
  '%j is not a valid key',
  (key) => {
    expect(() => assetKey(key)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  },
);

test('a key that becomes too long after normalisation is rejected', () => {
  expect(() => assetKey('\ufb2c'.repeat(128))).toThrow('characters');
});

test('any key survives a round trip through a cursor', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (text) => {
      fc.pre(!/[\p{Cc}\u2028\u2029]/u.test(text));
      const key = assetKey(text);
      expect(keyOfCursor(cursorAfter(key))).toBe(key);
    }),
  );
});

test.each(['!', 'YQ==', '_w', 'AA', 'next'])('%j is not a valid cursor', (cursor) => {
  expect(() => keyOfCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

test('a prefix may be empty but must not contain control characters', () => {
  expect(assetKeyPrefix('')).toBe('');
  expect(() => assetKeyPrefix('\0')).toThrow('prefix');
});

test.each(['\u202egnp.exe', 'a\u2066b', '\u200f', '\u061c'])(
  '%j is rejected as a new key, but finds an existing asset',
  (key) => {
    expect(() => newAssetKey(key)).toThrow('bidirectional control character');
    expect(assetKey(key)).toBe(key);
  },
);

test.each(['👩‍🎨', 'שלום.png', 'صورة.png'])(
  '%j is a valid new key: right-to-left text needs no control characters',
  (key) => {
    expect(newAssetKey(key)).toBe(key);
  },
);
