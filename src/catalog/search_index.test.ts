import { expect, test } from 'vitest';
import { searchTools } from './search_index.ts';

const tools = [
  { name: 'resize_image', title: 'Resize a picture', summary: 'Fit, fill or stretch to a size.' },
  { name: 'remove_background', title: 'Remove the background', summary: 'Cut the subject out of a picture.' },
  { name: 'save_asset', title: 'Save a file', summary: 'Keep bytes under a name.' },
];
const names = (query: string) => searchTools(tools, query).map(({ name }) => name);

test('an empty query returns every tool in order', () => {
  expect(names('  ')).toEqual(['resize_image', 'remove_background', 'save_asset']);
});

test.each(['background remove', 'REMOVE Background', 'remove_background', 'remvoe bakground', 'backgr'])(
  '"%s" finds remove_background',
  (query) => expect(names(query)).toEqual(['remove_background']),
);

test('a match in the name outweighs a match in the summary', () => {
  expect(names('picture size')).toEqual(['resize_image']);
  expect(names('name')).toEqual(['save_asset']);
});

test('if no tool matches every word, the tools with the most matches are returned', () => {
  expect(names('please resize my holiday pictures')).toEqual(['resize_image']);
});

test('a nonsense query of any length returns no results', () => {
  expect(names('xyzzyplugh')).toEqual([]);
  expect(names('qqq '.repeat(10_000))).toEqual([]);
});
