import { expect, test } from 'vitest';
import { closest } from './closest.ts';

const TOOLS = ['resize_image', 'extract_palette', 'save_asset'];

test.each([
  ['resize-image', 'resize_image'],
  ['resize_imgae', 'resize_image'],
  ['ResizeImage', 'resize_image'],
  ['resize', 'resize_image'],
  ['saveasset', 'save_asset'],
])('%s suggests %s', (word, expected) => {
  expect(closest(word, TOOLS)[0]).toBe(expected);
});

test('of two equally close names, the one of similar length comes first', () => {
  expect(closest('prot', ['otel_protocol', 'port'])).toEqual(['port', 'otel_protocol']);
});

test.each(['', 'zzz', '!!!', 'x'.repeat(10_000)])('%s has no close names', (word) => {
  expect(closest(word, TOOLS)).toEqual([]);
});
