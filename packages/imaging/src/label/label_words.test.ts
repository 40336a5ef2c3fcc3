import { expect, test } from 'vitest';
import { LABEL_LANGUAGES, LABEL_STYLES, LABEL_WORDS, labelParts } from './label_words.ts';

test('all 24 official EU languages have label texts', () => {
  expect(LABEL_LANGUAGES).toEqual(
    'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv'.split(' '),
  );
});

test('the phrases of a language are distinct and short', () => {
  for (const { acronym, generated, modified } of Object.values(LABEL_WORDS)) {
    const texts = [acronym, generated, modified];
    expect(texts.map((text) => text.normalize('NFC'))).toEqual(texts);
    expect(generated).not.toBe(modified);
    expect(Math.max(generated.length, modified.length)).toBeLessThanOrEqual(21);
  }
});

test('an icon uses the official English words, and the acronym in other languages', () => {
  expect(labelParts({ style: 'icon', language: 'en', kind: 'modified' })).toEqual(['AI', 'MODIFIED']);
  expect(labelParts({ style: 'icon', language: 'de', kind: 'modified' })).toEqual(['KI']);
  expect(labelParts({ style: 'text', language: 'fr', kind: 'generated' })).toEqual(['Généré par IA']);
  expect(LABEL_STYLES).toHaveLength(2);
});
