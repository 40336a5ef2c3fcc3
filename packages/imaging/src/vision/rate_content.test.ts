import sharp from 'sharp';
import { expect, test } from 'vitest';
import { rateContent } from './rate_content.ts';

/** Drawing, hentai, neutral, porn, sexy. */
function networkThatRates(...scores: number[]) {
  const asked: Float32Array[] = [];
  return {
    asked,
    async run(data: Float32Array) {
      asked.push(data);
      return new Map([['scores', { data: Float32Array.from(scores), sides: [1, 5] }]]);
    },
  };
}

const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
  .png()
  .toBuffer();
const face = { x: 0.2, y: 0.2, width: 0.1, height: 0.2, score: 0.9 };
const mask = { share: 0.3, sure: 0.8, covers: () => true };

test('all nudity classes count if a body is present', async () => {
  const network = networkThatRates(0.2, 0.2, 0.2, 0.2, 0.2);
  expect(await rateContent(bytes, network, { faces: [face] })).toEqual({
    hint: 'nudity or sexual content',
    confidence: expect.closeTo(0.6, 5),
    by: 'nsfw_mobilenet_v2',
  });
  expect(await rateContent(bytes, network, { mask })).toBeDefined();
  expect([network.asked[0]![0], network.asked[0]!.at(-1)]).toEqual([1, 0]);
});

test.each([
  ['a low total score', [0.3, 0.1, 0.3, 0.2, 0.1], { faces: [face] }],
  ['no person', [0, 0, 0, 1, 0], {}],
  ['a mask too small for a body', [0, 0, 0, 1, 0], { mask: { ...mask, share: 0.01 } }],
  ['a face that fills the image', [0, 0, 0, 1, 0], { mask, faces: [{ ...face, height: 0.7 }] }],
])('with %s there is no hint', async (_, scores, others) => {
  expect(await rateContent(bytes, networkThatRates(...scores), others)).toBeUndefined();
});
