import { expect, test } from 'vitest';
import { toolsOf } from './tools_of.ts';

test('all, none or selected tools can be configured', () => {
  expect(['all', 'none', 'upscale_image, resize_image'].map((text) => toolsOf(text, 'JOBS_HERE'))).toEqual([
    undefined,
    [],
    ['upscale_image', 'resize_image'],
  ]);
});

test('an unknown tool is rejected with the closest name', () => {
  expect(() => toolsOf('upscale_imag', 'JOBS_HERE')).toThrow(
    'JOBS_HERE: unknown tool upscale_imag. Did you mean upscale_image?',
  );
});
