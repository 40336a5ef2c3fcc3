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
])('%j is a key', (key) => {
  expect(assetKey(key)).toBe(key);
});

test('two encodings of the same letters are one key', () => {
  expect(assetKey('cafe\u0301')).toBe(assetKey('caf\u00e9'));
});

test.each(['', 'a\0b', 'a\nb', '\u007f', '\u0085', '\u2028', '\ud83d', 'x\udc00', 'a'.repeat(257)])(
  '%j is no key',
  (key) => {
    expect(() => assetKey(key)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  },
);

test('a key that grows too long when normalised is refused', () => {
  expect(() => assetKey('\ufb2c'.repeat(128))).toThrow('characters');
});

test('any key survives as cursor', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (text) => {
      fc.pre(!/[\p{Cc}\u2028\u2029]/u.test(text));
      const key = assetKey(text);
      expect(keyOfCursor(cursorAfter(key))).toBe(key);
    }),
  );
});

test.each(['!', 'YQ==', '_w', 'AA', 'next'])('%j is none of our cursors', (cursor) => {
  expect(() => keyOfCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

test('a prefix may be empty but holds no control characters', () => {
  expect(assetKeyPrefix('')).toBe('');
  expect(() => assetKeyPrefix('\0')).toThrow('prefix');
});

test.each(['\u202egnp.exe', 'a\u2066b', '\u200f', '\u061c'])(
  '%j is no new key, but finds one kept before',
  (key) => {
    expect(() => newAssetKey(key)).toThrow('bidirectional control character');
    expect(assetKey(key)).toBe(key);
  },
);

test.each(['👩‍🎨', 'שלום.png', 'صورة.png'])(
  '%j is a new key: letters that run from the right need no control',
  (key) => {
    expect(newAssetKey(key)).toBe(key);
  },
);
