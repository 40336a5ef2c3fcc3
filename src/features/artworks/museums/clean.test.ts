import { expect, test } from 'vitest';
import { authorities, entries, iconclass, text } from './clean.ts';

test.each([
  ['<i>Tsuba</i> &amp; sword', 'Tsuba & sword'],
  ['<EM class="x">Book</EM>s', 'Books'],
  ['one<br/>two', 'one two'],
  ['Armor (&lt;i&gt;Gusoku&lt;/i&gt;)', 'Armor (Gusoku)'],
  ['&lt;Untitled&gt;', '<Untitled>'],
  ['<Untitled>', '<Untitled>'],
  ['a < b > c', 'a < b > c'],
])('"%s" is cleaned to "%s"', (cell, read) => {
  expect(text(cell)).toBe(read);
});

test('authority URLs and numbers become persistent URIs, and other values are dropped', () => {
  expect(
    authorities('http://vocab.getty.edu/page/ulan/500101485', 'https://www.wikidata.org/entity/Q724570'),
  ).toEqual(['https://vocab.getty.edu/ulan/500101485', 'https://www.wikidata.org/wiki/Q724570']);
  expect(authorities('500003560', 'Q18671874')).toHaveLength(2);
  expect(authorities('https://evil.test/Q1', '(not assigned)', null, [], 'Q0', '12')).toBeUndefined();
});

test('entries on separate lines stay separate and markup is removed', () => {
  expect(entries('Paris, 1884.\n\nNew York, <i>Show</i>, 1895.')).toBe(
    'Paris, 1884. • New York, Show, 1895.',
  );
});

test('Iconclass notations are read in every form and other text is ignored', () => {
  expect(
    iconclass([
      '46 C 23',
      'http://www.iconclass.org/rkd/25F36%28SWAN%29/',
      'https://iconclass.org/73D6',
      '73D6',
    ]),
  ).toEqual(['46C23', '25F36(SWAN)', '73D6']);
  expect(iconclass(['11H(JOHN THE BAPTIST)3', '31A(+5)'])).toEqual(['11H(JOHN THE BAPTIST)3', '31A(+5)']);
  expect(iconclass(['ship', '', null, 5, 'https://iconclass.org/%E0%A4%A', '1'.repeat(199)])).toBeUndefined();
});
