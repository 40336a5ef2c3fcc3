import { expect, test } from 'vitest';
import { fillIn, handleOf, referencesIn, valueAt } from './references.ts';

test.each([
  ['$photo', [{ text: '$photo', name: 'photo', path: [] }]],
  [
    '$palette.colors.0.hex',
    [{ text: '$palette.colors.0.hex', name: 'palette', path: ['colors', '0', 'hex'] }],
  ],
  [{ a: ['x', { b: '$cut' }] }, [{ text: '$cut', name: 'cut', path: [] }]],
  ['$5.00', []],
  ['$$photo', []],
  ['a $photo', []],
  ['$photo and more', []],
  [null, []],
])('%j refers to %j', (value, references) => {
  expect(referencesIn(value)).toEqual(references);
});

test('references are replaced at any depth, and other values are unchanged', () => {
  const filled = fillIn({ a: '$n', b: ['$n', '$$n', 7], c: '$5' }, ({ name }) => `<${name}>`);
  expect(filled).toEqual({ a: '<n>', b: ['<n>', '$n', 7], c: '$5' });
});

test.each([
  [['a', '0', 'b'], 1],
  [['a', '1'], undefined],
  [['length'], undefined],
  [['constructor'], undefined],
  [['__proto__', 'toString'], undefined],
])('%j resolves only to own properties of the response', (path, value) => {
  expect(valueAt({ a: [{ b: 1 }] }, path)).toBe(value);
});

test.each([
  [{ result: 'result:x.png', width: 1 }, 'result:x.png'],
  [{ key: 'notes/a', size: 1 }, 'asset:notes/a'],
  [{ artifact_id: 'met_1' }, 'artwork:met_1'],
  [{ width: 1 }, undefined],
])('%j is passed on as %j', (output, handle) => {
  expect(handleOf(output)).toBe(handle);
});
