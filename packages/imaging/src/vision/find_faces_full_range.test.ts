import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findFacesFullRange } from './find_faces_full_range.ts';
import { FULL_RANGE_SCORE_MIN } from './limits.ts';

const [SIDE, GRID] = [192, 48];

/** A model that detects one face, a quarter of the width, in the centre of the n-th tile. */
function networkThatFinds(nth: number, probability = 0.9) {
  const shown: Float32Array[] = [];
  return {
    shown,
    async run(data: Float32Array) {
      const boxes = new Float32Array(16 * GRID ** 2);
      const scores = new Float32Array(GRID ** 2).fill(-20);
      const middle = (GRID / 2) * GRID + GRID / 2;
      boxes.set([0, 0, SIDE / 4, SIDE / 4], 16 * middle);
      if (shown.length === nth) scores[middle] = Math.log(probability / (1 - probability));
      shown.push(data);
      return new Map([
        ['output_0', { data: boxes, sides: [1, GRID ** 2, 16] }],
        ['output_1', { data: scores, sides: [1, GRID ** 2, 1] }],
      ]);
    },
  };
}

const picture = (width: number, height: number, background = 'white') =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

test('a face found in the whole image has a box relative to the image', async () => {
  const [face, ...others] = await findFacesFullRange(await picture(400, 200), networkThatFinds(0));
  expect(others).toEqual([]);
  expect(face!.score).toBeCloseTo(0.9, 3);
  expect(face!.width).toBeCloseTo(0.25, 2);
  expect(face!.height).toBeCloseTo(0.5, 2);
  expect(face!.x + face!.width / 2).toBeCloseTo(0.5, 1);
  expect(face!.y + face!.height / 2).toBeCloseTo(0.5, 1);
});

test('a face found in a tile is mapped to the image at half size', async () => {
  const [face] = await findFacesFullRange(await picture(400, 400), networkThatFinds(1));
  expect(face!.width).toBeCloseTo(0.125, 2);
  expect(face!.x + face!.width / 2).toBeCloseTo(0.25, 1);
  expect(face!.y + face!.height / 2).toBeCloseTo(0.25, 1);
});

test('a face below the minimum score is ignored', async () => {
  const network = networkThatFinds(0, FULL_RANGE_SCORE_MIN - 0.01);
  expect(await findFacesFullRange(await picture(400, 400), network)).toEqual([]);
});

test('model input is RGB on black, and tiles overlap by half', async () => {
  const network = networkThatFinds(0);
  await findFacesFullRange(await picture(400, 200, 'red'), network);
  const [whole] = network.shown as [Float32Array];
  const middle = (SIDE / 2) * SIDE + SIDE / 2;
  const levels = [whole[0]!, whole[middle]!, whole[SIDE ** 2 + middle]!].map(Math.round);
  expect(levels).toEqual([-1, 1, -1]);
  expect(network.shown).toHaveLength(1 + 3);
});
