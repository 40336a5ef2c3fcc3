import { expect, test } from 'vitest';
import { textResources } from '../../../../tests/support/text_resources.ts';
import { openFont } from './font.ts';
import { writeTrueType } from './write_truetype.ts';

const path = '@fontsource/arimo/files/arimo-latin-400-normal.woff';
const font = openFont(path, textResources.readFont(path)!);
const ids = [...'Ag%ß'].map((character) => font.shape(character, 0, 1, { isRtl: false })[0]!.id);
const written = openFont(
  'written',
  writeTrueType({
    unitsPerEm: font.unitsPerEm,
    ascent: font.ascent * font.unitsPerEm,
    descent: font.descent * font.unitsPerEm,
    glyphs: [
      { outline: [], advance: 0 },
      ...ids.map((id) => ({ outline: font.outline(id), advance: font.advance(id) * font.unitsPerEm })),
    ],
    codes: new Map(ids.map((_, at) => [65 + at, at + 1])),
  }),
);

test.each(ids.map((id, at) => [id, at + 1] as const))(
  'glyph %i has its outline and width as glyph %i',
  (id, own) => {
    const areaOf = (commands: ReturnType<typeof font.outline>) =>
      commands.reduce((sum, { values }) => sum + values.reduce((total, value) => total + value, 0), 0);
    expect(written.advance(own)).toBe(font.advance(id));
    expect(areaOf(written.outline(own))).toBeCloseTo(areaOf(font.outline(id)), 2);
  },
);

test('bytes lead to glyphs by the symbol map', () => {
  expect(written.covers(0xf041)).toBe(true);
  expect(written.shape('\uf042', 0, 1, { isRtl: false })[0]!.id).toBe(2);
});

test('cubic curves are refused', () => {
  const glyphs = [{ outline: [{ type: 'C' as const, values: [0, 0, 1, 1, 2, 2] }], advance: 1 }];
  expect(() => writeTrueType({ unitsPerEm: 1000, ascent: 1, descent: 0, glyphs })).toThrow(RangeError);
});
