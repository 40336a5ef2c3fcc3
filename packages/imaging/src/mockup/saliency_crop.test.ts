import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { cropBySaliency } from './mockup_image.ts';

const BOX = { width: 418, height: 850 };
const NOTHING = { left: 0, top: 0, width: 0, height: 0 };

/** Red discs with a white rim on grey, centred at these x positions in an image of 600 × 300. */
async function discsAt(...positions: number[]): Promise<Buffer> {
  const pixels = new Uint8Array(600 * 300 * 3);
  for (let at = 0; at < 600 * 300; at += 1) {
    const away = Math.min(...positions.map((x) => Math.hypot((at % 600) - x, Math.floor(at / 600) - 150)));
    pixels.set(away < 48 ? [192, 32, 42] : away < 57 ? [255, 255, 255] : [138, 144, 150], 3 * at);
  }
  return await sharp(pixels, { raw: { width: 600, height: 300, channels: 3 } })
    .png()
    .toBuffer();
}

/** First and last column of the crop, of 600. */
const keptOf = (x: number) => {
  const width = (300 * BOX.width) / BOX.height;
  return [x * (600 - width), x * (600 - width) + width] as const;
};

test.each([90, 300, 470])('a salient disc at x = %i is kept whole', async (position) => {
  const { focus, lostPercent } = await cropBySaliency(await discsAt(position), BOX, NOTHING);
  const [from, to] = keptOf(focus.x);
  expect(from).toBeLessThan(position - 50);
  expect(to).toBeGreaterThan(position + 50);
  expect(lostPercent).toBeLessThan(10);
});

test('cropping one of two distant objects reports the lost share', async () => {
  const { lostPercent } = await cropBySaliency(await discsAt(80, 520), BOX, NOTHING);
  expect(lostPercent).toBeGreaterThan(40);
});

test('an object inside the hidden area counts as lost', async () => {
  const { lostPercent } = await cropBySaliency(await discsAt(300), BOX, {
    left: 0,
    top: 0.2,
    width: 1,
    height: 0.6,
  });
  expect(lostPercent).toBeGreaterThan(80);
});

test('an image without a salient object is cropped to its centre', async () => {
  const bytes = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#777' } })
    .png()
    .toBuffer();
  expect(await cropBySaliency(bytes, BOX, NOTHING)).toEqual({ focus: { x: 0.5, y: 0.5 }, lostPercent: 0 });
});
