import { expect, test } from 'vitest';
import { madePicture } from '../../../../tests/support/made_pictures.ts';
import { runThreeViews } from './model_views.ts';

const size = { width: 60, height: 40 };
/** White on the left third. */
const picture = madePicture({
  ...size,
  opacity: (x) => (x < 20 ? 1 : 0),
  object: () => [255, 255, 255],
  background: () => [0, 0, 0],
});

test('all three views map back to the same position in the image', async () => {
  const calls: { width: number; height: number }[] = [];
  const views = await runThreeViews(picture, async ({ width, height, channels, data }) => {
    calls.push({ width, height });
    return {
      width,
      height,
      data: Float32Array.from({ length: width * height }, (_, at) => data[at * channels]! / 255),
    };
  });
  expect(calls).toEqual([size, size, { width: 84, height: 56 }]);
  for (const { width, data } of Object.values(views))
    expect([data[5 * width + 10], data[5 * width + 50]]).toEqual([1, 0]);
});
