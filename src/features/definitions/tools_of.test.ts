import { expect, test } from 'vitest';
import { toolsOf } from './tools_of.ts';

test('all, none or some tools are named', () => {
  expect(['all', 'none', 'upscale_image, resize_image'].map((text) => toolsOf(text, 'JOBS_HERE'))).toEqual([
    undefined,
    [],
    ['upscale_image', 'resize_image'],
  ]);
});

test('what is no tool is refused with the nearest one', () => {
  expect(() => toolsOf('upscale_imag', 'JOBS_HERE')).toThrow(
    'JOBS_HERE: unknown tool upscale_imag. Did you mean upscale_image?',
  );
});
