import { expect, test } from 'vitest';
import { scene } from '../../../../tests/support/scene.ts';
import { sharp } from '../codecs/sharp.ts';
import { isDrawing } from './is_drawing.ts';

/** Outlined discs of one colour each on a light ground, as in a comic. */
function drawLines(): Promise<Buffer> {
  const [width, height] = [640, 480];
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const disc = Math.floor(x / 80) + 8 * Math.floor(y / 80);
    const distance = Math.hypot((x % 80) - 40, (y % 80) - 40) - (18 + (disc % 4) * 5);
    const color =
      distance > 3 ? [250, 245, 230] : distance > -3 ? [16, 16, 16] : [90 + disc, 200 - disc, 160];
    data.set(color, 3 * pixel);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

test.each([
  ['outlines on paper', true, drawLines],
  [
    'the same saved as JPEG',
    true,
    async () =>
      sharp(await drawLines())
        .jpeg({ quality: 80 })
        .toBuffer(),
  ],
  ['soft discs of many sizes', false, () => scene(1)],
  ['dark lines on noise', false, async () => addNoise(await drawLines())],
])('%s: %s', async (_what, truth, made) => {
  expect(await isDrawing(await made())).toBe(truth);
});

async function addNoise(picture: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let state = 1;
  const grain = Uint8ClampedArray.from(data, (sample) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return sample + (state / 2 ** 32 - 0.5) * 60;
  });
  const { width, height, channels } = info;
  return sharp(grain, { raw: { width, height, channels } }).png().toBuffer();
}
