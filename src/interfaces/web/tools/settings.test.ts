import { expect, test } from 'vitest';
import { tools } from '../../../features/tools.ts';
import { paramsOf, readableSettings } from './settings.ts';
import { fieldsOf } from './tool_fields.ts';

const compose = fieldsOf(tools.find(({ name }) => name === 'compose_image')!);
const lossless = compose.filter(({ name }) => name === 'lossless');

test('a box without a tick is no part of the call', () => {
  expect(paramsOf(lossless, { lossless: 'false' })).toEqual({});
});

test('a tick is', () => {
  expect(paramsOf(lossless, { lossless: 'true' })).toEqual({ lossless: true });
});

test('nor is the lack of one, unless a tick is what is meant otherwise', () => {
  const meant = lossless.map((field) => ({ ...field, otherwise: true }));
  expect(paramsOf(meant, { lossless: 'false' })).toEqual({ lossless: false });
});

test.each([
  ['words', 'the cat', { where: 'the cat' }],
  ['a list', '[{"x":1}]', { where: '[{"x":1}]' }],
  ['a list that is still being written', '[{"x":', {}],
])('a field for words or JSON with %s can be quoted', (_name, text, readable) => {
  const erase = fieldsOf(tools.find(({ name }) => name === 'erase_object')!);
  expect(readableSettings(erase, { where: text })).toEqual(readable);
});
