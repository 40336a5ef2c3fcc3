import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { clouds, pngOf } from '../../../../tests/support/clouds.ts';
import { sharp } from '../codecs/sharp.ts';
import { detectWatermark } from './detect_watermark.ts';
import { embedWatermark } from './embed_watermark.ts';
import { keyedRandom } from './keyed_random.ts';

const ID = '0123456789ab';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const draw = keyedRandom(3);
const LONG = Array.from({ length: 240 }, () => LETTERS[draw() % LETTERS.length]).join('');

const request = { strength: 0.5, id: ID };
let marked: Awaited<ReturnType<typeof embedWatermark>>;
beforeAll(async () => {
  marked = await embedWatermark({ ...request, bytes: await pngOf(clouds(720, 540)), payload: LONG });
});

test('a long text is embedded invisibly, reports its robustness and can be read', () => {
  expect(marked).toMatchObject({ width: 720, height: 540, contentType: 'image/png' });
  expect(marked.attacks).toMatchObject({ jpeg_75: 'payload', resize_50: 'payload', crop_10: 'payload' });
  expect(marked.psnrDb).toBeGreaterThan(42);
  expect(marked.falsePositiveProbability).toBeLessThan(1e-9);
});

test('the mark is read after a 90° rotation, mirroring and JPEG', async () => {
  const bytes = await sharp(marked.bytes).rotate(90).flop().jpeg({ quality: 85 }).toBuffer();
  const found = await detectWatermark({ bytes });
  expect(found).toMatchObject({ read: 'payload', payload: LONG, id: ID, moved: { mirrored: true } });
});

test.each(['version_1.jpg', 'version_1_cut_and_turned.jpg'])(
  'a mark written by an earlier version is read: %s',
  async (name) => {
    const bytes = readFileSync(new URL(`../../../../tests/fixtures/watermark/${name}`, import.meta.url));
    expect(await detectWatermark({ bytes })).toMatchObject({ payload: 'Written by version 1', id: ID });
  },
);

test('the id can be read even if the text is lost', async () => {
  const bytes = await sharp(marked.bytes).jpeg({ quality: 25 }).toBuffer();
  expect(await detectWatermark({ bytes })).toMatchObject({ read: 'id', id: ID });
});

test('no mark is detected in unmarked images', async () => {
  const bytes = await pngOf(clouds(300, 420));
  expect(await detectWatermark({ bytes })).toMatchObject({ falsePositiveProbability: 1 });
  expect(await detectWatermark({ bytes: await pngOf(clouds(2000, 9)) })).not.toHaveProperty('read');
});

test('no mark is read from a flat image', async () => {
  const flat = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
  expect((await detectWatermark({ bytes: flat })).read).toBeUndefined();
});

test('transparency, greyscale and 16-bit depth are preserved', async () => {
  const layered = clouds(520, 512, 4);
  for (let at = 3; at < layered.data.length; at += 4)
    layered.data[at] = at % 4 === 3 && at < 300_000 ? 0 : 255;
  const deep = await sharp(await pngOf(clouds(512, 512, 1)))
    .toColourspace('grey16')
    .png()
    .toBuffer();
  for (const [bytes, kind] of [
    [await pngOf(layered), { channels: 4, depth: 'uchar' }],
    [deep, { space: 'grey16', depth: 'ushort' }],
  ] as const) {
    const { bytes: result } = await embedWatermark({ ...request, bytes, payload: 'short' });
    expect(await sharp(result).metadata()).toMatchObject(kind);
    expect(await detectWatermark({ bytes: result })).toMatchObject({ payload: 'short' });
  }
});

test.each([
  ['too small', { width: 100, height: 300 }, /at least 128/],
  ['too narrow', { width: 2000, height: 200 }, /at most 8 to 1/],
])('an image that is %s is rejected', async (_name, size, message) => {
  const bytes = await pngOf(clouds(size.width, size.height));
  const refused = embedWatermark({ ...request, bytes, payload: 'x' });
  await expect(refused).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringMatching(message),
  });
});

test('a text that does not fit is rejected with what would fit', async () => {
  const text = Array.from({ length: 256 }, (_, at) =>
    String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
  ).join('');
  const refused = embedWatermark({ ...request, bytes: await pngOf(clouds(128, 128)), payload: text });
  await expect(refused).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringMatching(/About \d+ letters or digits would fit/),
  });
});

/** Clouds in a central circle, transparent around it. */
async function cutOut(side: number, radius: number) {
  const raster = clouds(side, side, 4);
  const middle = side / 2;
  for (let at = 0; at < side * side; at += 1)
    raster.data[4 * at + 3] =
      Math.hypot((at % side) - middle, Math.floor(at / side) - middle) > radius ? 0 : 255;
  return pngOf(raster);
}

test('a small cutout is rejected with a fix and accepts the watermark once trimmed', async () => {
  const bytes = await cutOut(800, 140);
  await expect(embedWatermark({ ...request, bytes, payload: 'a1b2c3d4' })).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringMatching(/90% of the image is transparent and cannot hold a watermark: trim/),
  });
  const trimmed = await sharp(bytes)
    .extract({ left: 260, top: 260, width: 280, height: 280 })
    .png()
    .toBuffer();
  const made = await embedWatermark({ ...request, bytes: trimmed, payload: 'a1b2c3d4' });
  expect(await detectWatermark({ bytes: made.bytes })).toMatchObject({ payload: 'a1b2c3d4' });
});
