import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { showDrawing } from './show_drawing.ts';

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20"><path d="M0 0h20v20h-20z" fill="#ff0000"/></svg>',
);

test('a preview has the requested size and a transparent background', async () => {
  const { bytes } = await showDrawing({ bytes: SVG, width: 80, height: 40, quality: 80 });
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray(4 * (y * info.width + x)).subarray(0, 4)];

  expect([info.width, info.height]).toEqual([80, 40]);
  expect(at(10, 20)[0]).toBeGreaterThan(240);
  expect([at(10, 20)[3], at(70, 20)[3]]).toEqual([255, 0]);
});

test('an SVG cannot make the server load external resources, before or after a preview', async () => {
  await showDrawing({ bytes: SVG, width: 8, height: 4, quality: 80 });
  await expect(sharp(SVG).png().toBuffer()).rejects.toThrow();
});
