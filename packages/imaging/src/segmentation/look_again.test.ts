import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import type { Plane } from '../pixels/plane.ts';
import { judgeLooks, lookAgainWhenWeak, weakPart } from './look_again.ts';
import { UNSURE_FROM } from './segment.ts';

const size = { width: 60, height: 40 };
const isIn = disc(30, 20, 12);
const picture = madePicture({
  ...size,
  opacity: isIn,
  object: () => [200, 60, 50],
  background: () => [90, 120, 140],
});

/** A network that sees the disc so well the first time, and so well with more room around it. */
const network = (first: number, widened: number) => {
  const asked: number[] = [];
  const ask = async ({ width, height }: { width: number; height: number }): Promise<Plane> => {
    asked.push(width);
    const [left, top] = [(width - 60) / 2, (height - 40) / 2];
    const seen = asked.length === 1 ? first : widened;
    return {
      width,
      height,
      data: Float32Array.from(
        { length: width * height },
        (_, at) => seen * isIn((at % width) - left, Math.floor(at / width) - top),
      ),
    };
  };
  return { asked, ask };
};

test('a decided answer is not asked again, is sure, and its edges stay', async () => {
  const { asked, ask } = network(1, 1);
  const looks = await lookAgainWhenWeak(picture, ask);
  expect(asked).toEqual([60]);
  expect(looks.mask).toBe(looks.first);
  const { doubt, edges } = judgeLooks(looks);
  expect([edges, doubt! < UNSURE_FROM]).toEqual(['hair_only', true]);
});

test('a weak answer is asked again with more room, and what either shows is taken', async () => {
  const { asked, ask } = network(0.4, 1);
  const looks = await lookAgainWhenWeak(picture, ask);
  expect(asked).toEqual([60, 84]);
  expect([weakPart(looks.first) > 0.9, weakPart(looks.mask) < 0.1]).toEqual([true, true]);
  expect(judgeLooks(looks)).toMatchObject({ edges: 'anew' });
  expect(judgeLooks(looks).doubt).toBeGreaterThan(UNSURE_FROM);
});

test('a second answer that is as weak adds nothing', async () => {
  const looks = await lookAgainWhenWeak(picture, network(0.45, 0.5).ask);
  expect(looks.mask.data[20 * 60 + 30]).toBeCloseTo((0.45 - 0.1) / 0.5, 5);
});

test('an answer that shows nothing is weak throughout, and doubted', async () => {
  const looks = await lookAgainWhenWeak(picture, network(0, 0).ask);
  expect(weakPart(looks.first)).toBe(1);
  expect(judgeLooks(looks).doubt).toBeGreaterThan(0.9);
});
