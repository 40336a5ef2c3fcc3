import { expect, test } from 'vitest';
import { tools } from '../../../features/tools.ts';
import { paramsOf, readableSettings, settingsAmong } from './settings.ts';
import { fieldsOf } from './tool_fields.ts';

const compose = fieldsOf(tools.find(({ name }) => name === 'compose_image')!);
const lossless = compose.filter(({ name }) => name === 'lossless');

test('an unticked checkbox is omitted from the call', () => {
  expect(paramsOf(lossless, { lossless: 'false' })).toEqual({});
});

test('a ticked checkbox is sent as true', () => {
  expect(paramsOf(lossless, { lossless: 'true' })).toEqual({ lossless: true });
});

test('an unticked checkbox is sent as false when its default is true', () => {
  const meant = lossless.map((field) => ({ ...field, otherwise: true }));
  expect(paramsOf(meant, { lossless: 'false' })).toEqual({ lossless: false });
});

test.each([
  ['words', 'the cat', { where: 'the cat' }],
  ['a list', '[{"x":1}]', { where: '[{"x":1}]' }],
  ['an incomplete list', '[{"x":', {}],
])('a text-or-JSON field with %s gives readable settings', (_name, text, readable) => {
  const erase = fieldsOf(tools.find(({ name }) => name === 'erase_object')!);
  expect(readableSettings(erase, { where: text })).toEqual(readable);
});

const print = fieldsOf(tools.find(({ name }) => name === 'print_ready')!);
const called = (sent: Record<string, string>) => paramsOf(print, settingsAmong(print, sent));

test.each([
  [
    'numbers and words',
    { 'layout.kind': 'n_up', 'layout.copies': '4', 'layout.sheet': 'a3' },
    { layout: { kind: 'n_up', copies: 4, sheet: 'a3' } },
  ],
  [
    'images',
    { 'layout.kind': 'booklet', 'layout.images': 'upload:a upload:b' },
    { layout: { kind: 'booklet', images: ['upload:a', 'upload:b'] } },
  ],
  [
    'what belongs to another kind',
    { 'layout.kind': 'tiles', 'layout.copies': '4' },
    { layout: { kind: 'tiles' } },
  ],
  ['no kind', { 'layout.kind': '', 'layout.copies': '4' }, {}],
  [
    'a tick and its defaults',
    { cut: '{}', 'cut.offset_mm': '2', 'cut.holes': 'cut' },
    { cut: { holes: 'cut' } },
  ],
  ['no tick', { cut: '', 'cut.offset_mm': '5' }, {}],
  ['JSON in a link', { layout: '{"kind":"n_up"}' }, { layout: { kind: 'n_up' } }],
])('an object is assembled from its form fields: %s', (_name, sent, params) => {
  expect(called(sent)).toEqual(params);
});
