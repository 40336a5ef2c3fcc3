import { expect, test } from 'vitest';
import { closest } from './closest.ts';

const TOOLS = ['resize_image', 'extract_palette', 'save_asset'];

test.each([
  ['resize-image', 'resize_image'],
  ['resize_imgae', 'resize_image'],
  ['ResizeImage', 'resize_image'],
  ['resize', 'resize_image'],
  ['saveasset', 'save_asset'],
])('%s is near %s', (word, expected) => {
  expect(closest(word, TOOLS)[0]).toBe(expected);
});

test('of two as near, the one of about its length comes first', () => {
  expect(closest('prot', ['otel_protocol', 'port'])).toEqual(['port', 'otel_protocol']);
});

test.each(['', 'zzz', '!!!', 'x'.repeat(10_000)])('%s is near nothing', (word) => {
  expect(closest(word, TOOLS)).toEqual([]);
});
