import { expect, test } from 'vitest';
import { decodingCost } from './decoding_cost.ts';
import { sharp } from './sharp.ts';

const flat = (channels: 3 | 4 = 3) =>
  sharp({ create: { width: 40, height: 30, channels, background: '#6699cc' } });
const deep = () => flat(4).toColourspace('rgb16');

test.each([
  ['a JPEG', () => flat().jpeg(), 0],
  ['a PNG of 16 bits', () => deep().png(), 0],
  ['an interlaced PNG of 8 bits', () => flat().png({ progressive: true }), 0],
  ['an interlaced PNG of 16 bits', () => deep().png({ progressive: true }), 1200],
  ['an AVIF', () => flat().avif({ effort: 0 }), 4 * 1200],
])('%s costs %s extra pixels to decode', async (_, make, extra) => {
  expect(decodingCost(await make().toBuffer())).toBe(extra);
});

test('bytes that are not an image cost nothing', () => {
  expect(decodingCost(Buffer.from('no picture'))).toBe(0);
});
