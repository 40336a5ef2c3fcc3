import { expect, test } from 'vitest';
import { itemsIn, lengthOf, listText, valueAt, withValue } from './browser/item_values.ts';

test('a value at a path can be set, read and removed together with empty parent objects', () => {
  const set = withValue({ op: 'text' }, 'shadow.blur', 4);
  expect([set, valueAt(set, 'shadow.blur')]).toEqual([{ op: 'text', shadow: { blur: 4 } }, 4]);
  expect(withValue(set, 'shadow.blur', undefined)).toEqual({ op: 'text' });
});

test('a list is parsed from its serialised text', () => {
  const items = [{ op: 'crop', aspect: '1:1' }, { op: 'flip' }];
  expect([itemsIn(listText(items)), listText([]), itemsIn('')]).toEqual([items, '', []]);
});

test.each(['{', '{}', '[1]', 'null'])('%s is not a list of items', (text) => {
  expect(itemsIn(text)).toBeUndefined();
});

test.each([
  ['12', 12],
  [' -1.5 ', -1.5],
  ['12%', '12%'],
  ['', undefined],
])('the length %o is sent as %o', (text, length) => {
  expect(lengthOf(text)).toBe(length);
});
