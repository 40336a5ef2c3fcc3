import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import type { Plane } from '../pixels/plane.ts';
import { completeMask } from './complete_mask.ts';
import { UNSURE_FROM } from './segment.ts';

const size = { width: 120, height: 100 };
const isHead = (x: number, y: number) => Math.hypot(x - 60, y - 40) < 18;
const isWing = (x: number, y: number) => Math.hypot((x - 60) / 45, (y - 62) / 14) < 1;
const object = (x: number, y: number) => (isHead(x, y) || isWing(x, y) ? 1 : 0);
/** A red head with pink wings in front of a grainy grey wall. */
const picture = madePicture({
  ...size,
  opacity: object,
  object: (x, y) => (isHead(x, y) ? [190, 40, 50] : [230, 60, 120]),
  background: (x, y) => [120 + 0.2 * x, 130 + 0.1 * y, 140],
  noise: 6,
});
const plane = (value: (x: number, y: number) => number): Plane => ({
  ...size,
  data: Float32Array.from({ length: size.width * size.height }, (_, at) =>
    value(at % size.width, Math.floor(at / size.width)),
  ),
});
const [head, whole] = [plane((x, y) => (isHead(x, y) ? 0.95 : 0)), plane((x, y) => 0.95 * object(x, y))];
const kept = ({ data }: Plane) => data.reduce((sum, value) => sum + (value > 0.5 ? 1 : 0), 0);

test('parts detected only in the mirrored view are added and lower the confidence', () => {
  const { mask, doubt } = completeMask(picture, { plain: head, mirrored: whole, padded: head });
  expect(kept(mask) / kept(whole)).toBeCloseTo(1, 1);
  expect(doubt).toBeGreaterThan(UNSURE_FROM);
});

test('parts that no view detects are not added', () => {
  const { mask } = completeMask(picture, { plain: head, mirrored: head, padded: head });
  expect(kept(mask) / kept(head)).toBeCloseTo(1, 1);
});

test('if all views agree, the mask is unchanged and confident', () => {
  const alone = madePicture({
    ...size,
    opacity: (x, y) => (isHead(x, y) ? 1 : 0),
    object: () => [190, 40, 50],
    background: (x, y) => [120 + 0.2 * x, 130 + 0.1 * y, 140],
    noise: 6,
  });
  const { mask, doubt } = completeMask(alone, { plain: head, mirrored: head, padded: head });
  expect(kept(mask) / kept(head)).toBeCloseTo(1, 1);
  expect(doubt).toBeLessThan(0.5);
});

test('background detected by one view is dropped if its outline follows no edge', () => {
  const wrong = plane((x, y) => (object(x, y) || x > 70 ? 0.95 : 0));
  const { mask } = completeMask(picture, { plain: whole, mirrored: wrong, padded: whole });
  expect(kept(mask) / kept(whole)).toBeCloseTo(1, 1);
});

test('an empty mask stays empty with low confidence', () => {
  const none = plane(() => 0);
  const { mask, doubt } = completeMask(
    madePicture({
      ...size,
      opacity: disc(60, 50, 20),
      object: () => [9, 9, 9],
      background: () => [200, 200, 200],
    }),
    {
      plain: none,
      mirrored: none,
      padded: none,
    },
  );
  expect(kept(mask)).toBe(0);
  expect(doubt).toBeGreaterThan(UNSURE_FROM);
});
