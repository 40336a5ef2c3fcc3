import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findWriting } from './find_writing.ts';
import { WRITING_MIN } from './limits.ts';

/** A bar in the model's output plane, in fractions of its sides. */
interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly sure: number;
}

/** A model that returns the first bars in the first pass and the second ones in the second. */
function networkThatFinds(first: readonly Bar[], second: readonly Bar[] = first) {
  const asked: { data: Float32Array; sides: readonly number[] }[] = [];
  return {
    asked,
    async run(data: Float32Array, sides: readonly number[]) {
      const bars = asked.length === 0 ? first : second.map((bar) => ({ ...bar, x: 1 - bar.x - bar.width }));
      asked.push({ data, sides });
      const [, , height, width] = sides as [number, number, number, number];
      const plane = new Float32Array(width * height);
      for (const bar of bars)
        for (let y = Math.round(bar.y * height); y < Math.round((bar.y + bar.height) * height); y++)
          plane.fill(
            bar.sure,
            y * width + Math.round(bar.x * width),
            y * width + Math.round((bar.x + bar.width) * width),
          );
      return new Map([['sigmoid_0.tmp_0', { data: plane, sides: [1, 1, height, width] }]]);
    },
  };
}

const LINE: Bar = { x: 0.1, y: 0.5, width: 0.5, height: 0.02, sure: 0.98 };
const picture = (width = 640, height = 480, background = 'white') =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

test('a line confirmed in both passes has a slightly enlarged box', async () => {
  const lines = await findWriting(await picture(), networkThatFinds([LINE]));
  expect(lines).toMatchObject([{ score: expect.closeTo(0.98, 2) }]);
  const [{ x, y, width, height }] = lines as [Bar & { score: number }];
  expect([x < 0.1, y < 0.5, x + width > 0.6, y + height > 0.52]).toEqual([true, true, true, true]);
  expect(height).toBeLessThan(0.06);
});

test.each([
  ['unsure', { ...LINE, sure: WRITING_MIN.first - 0.02 }],
  ['too short for a line', { ...LINE, width: 0.06 }],
  ['too thick for one', { ...LINE, height: 0.1, width: 0.9 }],
])('a candidate that is %s is dropped without a second pass', async (_, bar) => {
  const network = networkThatFinds([bar]);
  expect(await findWriting(await picture(), network)).toEqual([]);
  expect(network.asked).toHaveLength(1);
});

test('a line not confirmed in the second pass is dropped', async () => {
  expect(await findWriting(await picture(), networkThatFinds([LINE], []))).toEqual([]);
});

test('the second pass is larger and mirrored', async () => {
  const left = { input: await picture(320, 480, 'black'), left: 0, top: 0 };
  const halved = await sharp(await picture())
    .composite([left])
    .png()
    .toBuffer();
  const network = networkThatFinds([LINE]);
  await findWriting(halved, network);
  const [first, second] = network.asked.map(({ data, sides }) => ({
    sides,
    isDarkFirst: data[0]! < data[sides[3]! - 1]!,
  }));
  expect([first, second]).toEqual([
    { sides: [1, 3, 480, 640], isDarkFirst: true },
    { sides: [1, 3, 640, 832], isDarkFirst: false },
  ]);
});

test('a large image is reduced to 960 pixels, and the largest line comes first', async () => {
  const network = networkThatFinds([LINE, { ...LINE, y: 0.7, width: 0.8 }]);
  const lines = await findWriting(await picture(3000, 1500), network);
  expect(network.asked[0]!.sides).toEqual([1, 3, 480, 960]);
  expect(lines.map(({ y }) => Math.round(10 * y))).toEqual([7, 5]);
});
