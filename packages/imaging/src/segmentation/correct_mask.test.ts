import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import { sharp } from '../codecs/sharp.ts';
import { planeOf } from '../pixels/plane.ts';
import { correctMask, drawStrokes, type Stroke } from './correct_mask.ts';
import { removeBackground } from './remove_background.ts';

const size = { width: 160, height: 120 };
const [isLeft, isRight] = [disc(45, 60, 25), disc(115, 60, 25)];
/** Two blue discs on a non-uniform background. */
const two = madePicture({
  ...size,
  opacity: (x, y) => Math.max(isLeft(x, y), isRight(x, y)),
  object: (x) => [30, 60 + x / 8, 170],
  background: (x, y) => [190 + 20 * Math.sin(x / 9), 170 + 20 * Math.sin(y / 7), 120],
  noise: 6,
});
const maskOf = (...shown: ((x: number, y: number) => number)[]) => {
  const mask = planeOf(size);
  for (let at = 0; at < mask.data.length; at++)
    mask.data[at] = Math.max(0, ...shown.map((is) => is((at % 160) + 0.5, Math.floor(at / 160) + 0.5)));
  return mask;
};
const overlap = (one: Float32Array, other: Float32Array) => {
  let [both, either] = [0, 0];
  for (let at = 0; at < one.length; at++) {
    if (one[at]! > 0.5 && other[at]! > 0.5) both++;
    if (one[at]! > 0.5 || other[at]! > 0.5) either++;
  }
  return both / either;
};
const stroke = (x: number, y: number, keep: boolean): Stroke => ({
  points: [
    [x - 5, y],
    [x + 5, y],
  ],
  radius: 4,
  keep,
});
const correct = (mask: ReturnType<typeof maskOf>, ...strokes: Stroke[]) =>
  correctMask(two, mask, drawStrokes(strokes, size, size)).mask.data;

test('a foreground stroke adds the whole missing object up to its edge', () => {
  expect(overlap(correct(maskOf(isLeft), stroke(115, 60, true)), two.truth)).toBeGreaterThan(0.95);
});

test('a background stroke removes the whole extra object', () => {
  const left = correct(maskOf(isLeft, isRight), stroke(115, 60, false));
  expect(overlap(left, maskOf(isLeft).data)).toBeGreaterThan(0.95);
});

test('regions without strokes are unchanged', () => {
  const wrong = maskOf(isLeft, disc(80, 12, 6));
  const corrected = correct(wrong, stroke(115, 60, true));
  for (const at of [12 * 160 + 80, 60 * 160 + 45, 110 * 160 + 10]) expect(corrected[at]).toBe(wrong.data[at]);
});

test('strokes override colours, and later strokes override earlier ones', () => {
  const corrected = correct(
    maskOf(isLeft, isRight),
    stroke(80, 110, true),
    stroke(45, 60, false),
    stroke(45, 60, true),
  );
  expect([corrected[110 * 160 + 80], corrected[60 * 160 + 45]]).toEqual([1, 1]);
});

test('lines have the given width, scale with the image and can extend beyond it', () => {
  const line: Stroke = {
    points: [
      [-50, 20],
      [400, 20],
    ],
    radius: 6,
    keep: true,
  };
  const drawn = drawStrokes([line], size, { width: 80, height: 60 });
  const column = Array.from({ length: 60 }, (_, y) => drawn[y * 80 + 40]!);
  expect([column.indexOf(1), column.lastIndexOf(1)]).toEqual([7, 13]);
});

const png = () =>
  sharp(two.data, { raw: { ...size, channels: 3 } })
    .png()
    .toBuffer();
const cut = async (more: object) => {
  const result = await removeBackground({
    bytes: await png(),
    format: 'png',
    look: { kind: 'mask' },
    ...more,
  });
  const alpha = await sharp(result.bytes).toColourspace('b-w').raw().toBuffer();
  return { ...result, alpha: Float32Array.from(alpha, (value) => value / 255) };
};

test('without a model, a stroke on the subject is enough to segment it', async () => {
  const { alpha, foundBy } = await cut({ strokes: [stroke(45, 60, true), stroke(115, 60, true)] });
  expect(foundBy).toBe('colors');
  expect(overlap(alpha, two.truth)).toBeGreaterThan(0.9);
});

test('a supplied mask replaces segmentation and can be corrected with strokes', async () => {
  const { data } = maskOf(isLeft);
  const mask = await sharp(
    Uint8Array.from(data, (value) => 255 * value),
    { raw: { ...size, channels: 1 } },
  )
    .png()
    .toBuffer();
  const asSent = await cut({ mask });
  expect([asSent.foundBy, overlap(asSent.alpha, data) > 0.98]).toEqual(['mask', true]);
  const { alpha } = await cut({ mask, strokes: [stroke(115, 60, true)] });
  expect(overlap(alpha, two.truth)).toBeGreaterThan(0.95);
});
