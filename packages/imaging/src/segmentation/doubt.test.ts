import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import type { Plane } from '../pixels/plane.ts';
import { doubtOfColors, doubtOfNetwork, segmentByColor, softShare, UNSURE_FROM } from './segment.ts';

const SIDE = 40;
const mask = (isIn: (x: number, y: number) => boolean): Plane => ({
  width: SIDE,
  height: SIDE,
  data: Float32Array.from({ length: SIDE * SIDE }, (_, at) =>
    isIn(at % SIDE, Math.floor(at / SIDE)) ? 0.9 : 0.1,
  ),
});
const isBlob = (x: number, y: number) => Math.hypot(x - 20, y - 20) < 12;
const blob = mask(isBlob);
const half = mask((x) => x < 20);
const pieces = mask((x, y) => x % 10 > 4 && y % 10 > 4);

test.each([
  ['two equal masks', blob, blob, 0, UNSURE_FROM],
  ['two masks that differ by a seventh', blob, mask((x, y) => isBlob(x, y) && x > 12), UNSURE_FROM, 1],
  ['a mask that extends up a side of the image', half, half, 0.9, 1],
  ['pieces', pieces, pieces, 0.9, 1],
  [
    'a mask that is soft throughout',
    { ...blob, data: blob.data.map((value) => (value > 0.5 ? 0.7 : 0.3)) },
    blob,
    0.9,
    1,
  ],
  ['nothing', mask(() => false), mask(() => false), 0.9, 1],
])('%s', (_what, one, other, minimum, maximum) => {
  const doubt = doubtOfColors(one, other);
  expect(doubt).toBeGreaterThanOrEqual(minimum);
  expect(doubt).toBeLessThanOrEqual(maximum);
});

/** Stripes and patches in the colours of the object. */
const crowd = (x: number, y: number) =>
  [
    90 + 80 * Math.sin(x / 9) * Math.cos(y / 13),
    90 + 70 * Math.sin(y / 8),
    90 + 80 * Math.cos((x + y) / 17),
  ] as const;

test('the colour engine reports low confidence on a busy background and high on a plain one', () => {
  const size = { width: 100, height: 80, opacity: disc(50, 40, 30), noise: 8 };
  const calm = madePicture({
    ...size,
    object: () => [190, 40, 50] as const,
    background: () => [150, 160, 175] as const,
  });
  const crowded = madePicture({
    ...size,
    object: (x, y) => crowd(2 * y, 2 * x),
    background: (x, y) => crowd(2 * x, 2 * y),
  });
  expect(segmentByColor(calm).doubt).toBeLessThan(UNSURE_FROM);
  expect(segmentByColor(crowded).doubt).toBeGreaterThan(UNSURE_FROM);
});

const agreed = { mirrored: 0.01, padded: 0.02, soft: 0.1, weakEdge: 0.02 };

test.each([
  ['the mirrored view gives a different mask', { mirrored: 0.4 }],
  ['the outline follows few edges', { weakEdge: 0.2 }],
  ['most of the mask is soft', { soft: 0.9 }],
])('a confident model result is marked uncertain when %s', (_what, sign) => {
  expect(doubtOfNetwork(agreed)).toBeLessThan(UNSURE_FROM);
  expect(doubtOfNetwork({ ...agreed, ...sign })).toBeGreaterThan(UNSURE_FROM);
});

test('softness is measured relative to the kept area', () => {
  expect(softShare(mask(() => true))).toBe(0);
  expect(softShare({ ...half, data: half.data.map((value) => (value > 0.5 ? 0.7 : 0)) })).toBe(1);
});
