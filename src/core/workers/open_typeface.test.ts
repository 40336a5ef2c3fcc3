import { LABEL_LANGUAGES, LABEL_WORDS } from '@atelier/imaging/label/label_words.ts';
import { expect, test } from 'vitest';
import { labelTypeface } from './open_typeface.ts';

test.each(LABEL_LANGUAGES)('the label font has a glyph for every character of %s', (language) => {
  const { acronym, generated, modified } = LABEL_WORDS[language];
  const characters = [...`${acronym}${generated}${modified}${'GENERATED MODIFIED'}`];
  const missing = characters.filter((character) => labelTypeface().charToGlyphIndex(character) === 0);
  expect(missing).toEqual([]);
});
