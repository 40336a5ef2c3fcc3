import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { detectWatermark } from '@atelier/imaging/watermark/detect_watermark.ts';
import { embedWatermark } from '@atelier/imaging/watermark/embed_watermark.ts';
import { keyedRandom } from '@atelier/imaging/watermark/keyed_random.ts';
import { beforeAll, expect, test } from 'vitest';
import { clouds, pngOf } from '../support/clouds.ts';

/** Marks after what happens to pictures. */

const ID = '0123456789ab';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const draw = keyedRandom(3);
const LONG = Array.from({ length: 240 }, () => LETTERS[draw() % LETTERS.length]).join('');

const request = { strength: 0.5, id: ID };
let marked: Awaited<ReturnType<typeof embedWatermark>>;
beforeAll(async () => {
  marked = await embedWatermark({ ...request, bytes: await pngOf(clouds(720, 540)), payload: LONG });
});

test.each([
  [
    'squeezed to another shape',
    (picture: ReturnType<typeof sharp>) => picture.resize(500, 500, { fit: 'fill' }),
    { mirrored: false },
  ],
  ['turned by 40°', (picture: ReturnType<typeof sharp>) => picture.rotate(40), { rotationDegrees: 40 }],
  [
    'sheared by 5 %',
    (picture: ReturnType<typeof sharp>) => picture.affine([1, 0.05, 0, 1], { background: '#808080' }),
    { mirrored: false },
  ],
  [
    'stretched one way, squeezed the other and turned',
    (picture: ReturnType<typeof sharp>) =>
      picture.affine([0.896, -0.096, 0.078, 1.096], { background: '#808080' }),
    { mirrored: false },
  ],
])('a watermark is read from an image that was %s', async (_name, change, moved) => {
  const found = await detectWatermark({
    bytes: await change(sharp(marked.bytes)).jpeg({ quality: 85 }).toBuffer(),
  });
  expect(found).toMatchObject({ read: 'payload', payload: LONG, id: ID, moved });
});

test('a watermark is read from an image in perspective', async () => {
  const { data, info } = await sharp(marked.bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const seen = Buffer.alloc(data.length, 90);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x - width / 2) / 0.85, (y - height / 2) / 0.88];
      const depth = 1 - 0.00014 * u - 0.00006 * v;
      const column = Math.round(u / depth + width / 2);
      const row = Math.round(v / depth + height / 2);
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const from = (row * width + column) * channels;
      data.copy(seen, (y * width + x) * channels, from, from + channels);
    }
  }
  const bytes = await sharp(seen, { raw: { width, height, channels } }).jpeg({ quality: 85 }).toBuffer();
  expect(await detectWatermark({ bytes })).toMatchObject({ id: ID, moved: { mirrored: false } });
});

test('the second of two watermarks in an image is read', async () => {
  const second = await embedWatermark({
    ...request,
    bytes: marked.bytes,
    payload: 'second',
    id: 'ffffffffffff',
  });
  const found = await detectWatermark(second);
  expect(found).toMatchObject({ read: 'payload', payload: 'second', id: 'ffffffffffff' });
});

test('sixteen letters and digits that fill their class to the last bit are accepted', async () => {
  const payload = 'we2kym8trvpb5667';
  const made = await embedWatermark({ ...request, bytes: await pngOf(clouds(400, 300)), payload });
  expect(await detectWatermark(made)).toMatchObject({ payload });
});

test.each([
  ['CMYK', async (png: Buffer) => sharp(png).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
  [
    'an animation, of which the first frame is marked,',
    async (png: Buffer) =>
      sharp([png, await sharp(png).negate().png().toBuffer()], { join: { animated: true } })
        .gif()
        .toBuffer(),
  ],
  ['one plain grey', async (png: Buffer) => sharp(png).linear(0, 128).png().toBuffer()],
])(
  '%s is marked and read',
  async (_name, change) => {
    const marked = await embedWatermark({
      ...request,
      bytes: await change(await pngOf(clouds(256, 256))),
      payload: 'short',
    });
    expect(await detectWatermark(marked)).toMatchObject({ payload: 'short' });
  },
  240_000,
);
