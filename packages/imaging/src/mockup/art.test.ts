import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { classifyOpacity, downsampleArt2x, loadArt } from './art.ts';

const dotted = (alpha: number) =>
  sharp(
    Uint8Array.from({ length: 4 * 64 }, (_, at) => (at % 4 === 3 ? alpha : at % 8 < 4 ? 0 : 255)),
    { raw: { width: 8, height: 8, channels: 4 } },
  )
    .png()
    .toBuffer();
const AS_IT_IS = { box: { width: 8, height: 8 }, fit: 'contain', density: 1, focus: { x: 0, y: 0 } } as const;

test('half an artwork of black and white columns is mid grey in linear light', async () => {
  const art = downsampleArt2x(await loadArt(await dotted(255), AS_IT_IS));
  expect([art.width, art.height, art.isOpaque]).toEqual([4, 4, true]);
  expect([...art.samples.slice(4 * 7, 4 * 8)]).toEqual([32768, 32768, 32768, 65535]);
});

test.each([
  [255, 'whole'],
  [128, 'part'],
  [0, 'none'],
])('an image with opacity %i of 255 counts as %s', async (alpha, opacity) => {
  expect(await classifyOpacity(await dotted(alpha))).toBe(opacity);
});
