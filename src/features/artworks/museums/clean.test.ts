import { expect, test } from 'vitest';
import { text } from './clean.ts';

test.each([
  ['<i>Tsuba</i> &amp; sword', 'Tsuba & sword'],
  ['<EM class="x">Book</EM>s', 'Books'],
  ['one<br/>two', 'one two'],
  ['Armor (&lt;i&gt;Gusoku&lt;/i&gt;)', 'Armor (Gusoku)'],
  ['&lt;Untitled&gt;', '<Untitled>'],
  ['<Untitled>', '<Untitled>'],
  ['a < b > c', 'a < b > c'],
])('%s reads %s', (cell, read) => {
  expect(text(cell)).toBe(read);
});
