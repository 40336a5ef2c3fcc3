import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import type { Plane } from '../pixels/plane.ts';
import { assessRuns, rerunWhenWeak, weakShare } from './rerun_weak.ts';
import { UNSURE_FROM } from './segment.ts';

const size = { width: 60, height: 40 };
const isIn = disc(30, 20, 12);
const picture = madePicture({
  ...size,
  opacity: isIn,
  object: () => [200, 60, 50],
  background: () => [90, 120, 140],
});

/** A model that sees the disc with this alpha in the first run, and with that alpha in the padded view. */
const network = (first: number, padded: number) => {
  const calls: number[] = [];
  const ask = async ({ width, height }: { width: number; height: number }): Promise<Plane> => {
    calls.push(width);
    const [left, top] = [(width - 60) / 2, (height - 40) / 2];
    const seen = calls.length === 1 ? first : padded;
    return {
      width,
      height,
      data: Float32Array.from(
        { length: width * height },
        (_, at) => seen * isIn((at % width) - left, Math.floor(at / width) - top),
      ),
    };
  };
  return { calls, ask };
};

test('a decisive result is confident, not repeated and keeps its edges', async () => {
  const { calls, ask } = network(1, 1);
  const looks = await rerunWhenWeak(picture, ask);
  expect(calls).toEqual([60]);
  expect(looks.mask).toBe(looks.first);
  const { doubt, edges } = assessRuns(looks);
  expect([edges, doubt! < UNSURE_FROM]).toEqual(['hair_only', true]);
});

test('a weak result is repeated with padding, and both results are merged', async () => {
  const { calls, ask } = network(0.4, 1);
  const looks = await rerunWhenWeak(picture, ask);
  expect(calls).toEqual([60, 84]);
  expect([weakShare(looks.first) > 0.9, weakShare(looks.mask) < 0.1]).toEqual([true, true]);
  expect(assessRuns(looks)).toMatchObject({ edges: 'anew' });
  expect(assessRuns(looks).doubt).toBeGreaterThan(UNSURE_FROM);
});

test('an equally weak second result adds nothing', async () => {
  const looks = await rerunWhenWeak(picture, network(0.45, 0.5).ask);
  expect(looks.mask.data[20 * 60 + 30]).toBeCloseTo((0.45 - 0.1) / 0.5, 5);
});

test('an empty result is entirely weak and has low confidence', async () => {
  const looks = await rerunWhenWeak(picture, network(0, 0).ask);
  expect(weakShare(looks.first)).toBe(1);
  expect(assessRuns(looks).doubt).toBeGreaterThan(0.9);
});
