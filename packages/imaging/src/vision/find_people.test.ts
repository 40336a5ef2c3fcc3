import sharp from 'sharp';
import { expect, test } from 'vitest';
import { maskPeople, peopleIn } from './find_people.ts';

/** A model that detects people in the left part of the image. */
const networkThatSees = (share: number, sure: number) => ({
  async run(_: Float32Array, [, , height, width]: readonly number[]) {
    const people = Float32Array.from({ length: width! * height! }, (__, at) =>
      at % width! < share * width! ? sure : 0.01,
    );
    const data = new Float32Array(2 * people.length);
    data.set(people.map((part) => 1 - part));
    data.set(people, people.length);
    return new Map([['save_infer_model/scale_0.tmp_1', { data, sides: [1, 2, height!, width!] }]]);
  },
});

const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'grey' } })
  .png()
  .toBuffer();
const faceAt = (x: number, score = 0.9) => ({ x, y: 0.2, width: 0.1, height: 0.2, score });

test('the share of people is the share covered by the mask', async () => {
  const mask = await maskPeople(bytes, networkThatSees(0.5, 0.95));
  expect(peopleIn(mask, [faceAt(0.2)])).toEqual({
    share: 0.5,
    confidence: expect.closeTo(0.95, 5),
    by: 'pp_humanseg',
  });
});

test.each([
  ['no face', 0.5, 0.95, []],
  ['a face outside the mask', 0.5, 0.95, [faceAt(0.2), faceAt(0.7)]],
  ['an unsure face', 0.5, 0.95, [faceAt(0.2, 0.8)]],
  ['an unsure mask', 0.5, 0.8, [faceAt(0.2)]],
  ['small figures', 0.15, 0.95, [faceAt(0)]],
  ['no person', 0, 0.95, [faceAt(0)]],
] as const)('with %s no people are reported', async (_, share, sure, faces) => {
  expect(peopleIn(await maskPeople(bytes, networkThatSees(share, sure)), faces)).toBeUndefined();
});
