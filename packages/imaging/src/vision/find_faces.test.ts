import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findFaces } from './find_faces.ts';
import { FACE_SCORE_MIN, FACES_MAX } from './limits.ts';

/** Model outputs for the grid with cells of 32 pixels; the finer grids are empty. */
function networkThatFinds(finds: readonly { cell: number; score: number; box?: number[] }[]) {
  const asked: { data: Float32Array; sides: readonly number[] }[] = [];
  return {
    asked,
    async run(data: Float32Array, sides: readonly number[]) {
      asked.push({ data, sides });
      const [, , height, width] = sides as [number, number, number, number];
      const answers = new Map<string, { data: Float32Array; sides: readonly number[] }>();
      for (const stride of [8, 16, 32]) {
        const cells = (width / stride) * (height / stride);
        const scores = new Float32Array(cells);
        const boxes = new Float32Array(4 * cells);
        for (const { cell, score, box = [0.5, 0.5, 0, 0] } of stride === 32 ? finds : []) {
          scores[cell] = score;
          boxes.set(box, 4 * cell);
        }
        answers.set(`cls_${stride}`, { data: scores, sides: [] });
        answers.set(`obj_${stride}`, { data: scores, sides: [] });
        answers.set(`bbox_${stride}`, { data: boxes, sides: [] });
      }
      return answers;
    },
  };
}

const picture = (width: number, height: number, background = 'white') =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

test('a box is relative to the image, not to the padded input', async () => {
  const faces = await findFaces(await picture(128, 100), networkThatFinds([{ cell: 5, score: 0.9 }]));
  expect(faces).toMatchObject([{ x: 0.25, y: 0.32, width: 0.25, height: 0.32 }]);
  expect(faces[0]!.score).toBeCloseTo(0.9, 5);
});

test('model input is BGR, padded with black to a multiple of the grid', async () => {
  const network = networkThatFinds([]);
  await findFaces(await picture(128, 100, 'red'), network);
  const [{ data, sides }] = network.asked as [{ data: Float32Array; sides: number[] }];
  expect(sides).toEqual([1, 3, 128, 128]);
  expect([data[0], data[2 * 128 * 128], data.at(-1)]).toEqual([0, 255, 0]);
});

test('a large image is reduced to 640 pixels for detection', async () => {
  const network = networkThatFinds([]);
  await findFaces(await picture(2000, 1000), network);
  expect(network.asked[0]!.sides).toEqual([1, 3, 320, 640]);
});

test('overlapping boxes keep the higher score, and low scores are dropped', async () => {
  const faces = await findFaces(
    await picture(320, 320),
    networkThatFinds([
      { cell: 11, score: 0.8 },
      { cell: 12, score: 0.9, box: [-0.4, 0.5, 0, 0] },
      { cell: 50, score: FACE_SCORE_MIN - 0.01 },
    ]),
  );
  expect(faces.map(({ score }) => score)).toEqual([expect.closeTo(0.9, 5)]);
});

test('NaN scores are ignored, and the number of faces is limited', async () => {
  const cells = Array.from({ length: 400 }, (_, cell) => ({ cell, score: 0.9, box: [0.5, 0.5, -1, -1] }));
  const network = networkThatFinds([...cells.slice(1), { cell: 0, score: Number.NaN }]);
  expect(await findFaces(await picture(640, 640), network)).toHaveLength(FACES_MAX);
});
