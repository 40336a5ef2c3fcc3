import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { intersectionOverUnion } from '@atelier/imaging/pixels/intersection_over_union.ts';
import { codeMark, sealMessage } from '@atelier/imaging/watermark/coded_mark.ts';
import { detectWatermark, readParts } from '@atelier/imaging/watermark/detect_watermark.ts';
import { encodePayload } from '@atelier/imaging/watermark/payload_code.ts';
import { markPixels } from '@atelier/imaging/watermark/write_mark.ts';
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';

const PLACES = {
  aaaaaaaaaaaa: { x: 0, y: 0, width: 480, height: 360 },
  bbbbbbbbbbbb: { x: 480, y: 360, width: 480, height: 360 },
};

async function marked(seed: number, id: string): Promise<Buffer> {
  const plain = await sharp(await scene(seed, 480, 360))
    .raw()
    .toBuffer();
  const { messageClass, bits } = sealMessage(encodePayload(`of ${id}`))!;
  const raster = { width: 480, height: 360, channels: 3 as const, data: plain };
  const { data } = markPixels(raster, codeMark({ id, messageClass }, bits), 0.5).raster;
  return sharp(data as Uint8Array, { raw: { width: 480, height: 360, channels: 3 } })
    .png()
    .toBuffer();
}

/** Two marked pictures of one size on a page: their pilots share a phase. */
async function page(): Promise<Buffer> {
  const parts = Object.entries(PLACES).map(async ([id, { x, y }], at) => ({
    input: await marked(at + 1, id),
    left: x,
    top: y,
  }));
  const create = { width: 960, height: 720, channels: 3 as const, background: '#f4f1ea' };
  return sharp({ create })
    .composite(await Promise.all(parts))
    .jpeg({ quality: 92 })
    .toBuffer();
}

test('every watermark on a page is read with its position', { timeout: 240_000 }, async () => {
  const { marks = [], moved } = await detectWatermark({ bytes: await page(), parts: true });
  expect(moved).toMatchObject({ rotationDegrees: 0, scale: 0.5 });
  expect(marks.map(({ payload, id }) => [id, payload]).sort()).toEqual(
    Object.keys(PLACES).map((id) => [id, `of ${id}`]),
  );
  for (const { id, where } of marks)
    expect(intersectionOverUnion(where, PLACES[id as keyof typeof PLACES])).toBeGreaterThan(0.85);
});

test('a watermark read only by the full search is attributed to the whole image', {
  timeout: 240_000,
}, async () => {
  const bytes = await sharp(await marked(1, 'aaaaaaaaaaaa'))
    .rotate(40)
    .png()
    .toBuffer();
  const { width, height } = await sharp(bytes).metadata();
  const { marks } = await detectWatermark({ bytes, parts: true });
  expect(marks).toMatchObject([{ id: 'aaaaaaaaaaaa', where: { x: 0, y: 0, width, height } }]);
});

test('an unmarked image has no watermark in any part and stays unchanged', async () => {
  const data = await sharp(await scene(5, 400, 300))
    .raw()
    .toBuffer();
  const before = Buffer.from(data);
  expect(readParts({ width: 400, height: 300, channels: 3, data })).toEqual([]);
  expect(data.equals(before)).toBe(true);
});
