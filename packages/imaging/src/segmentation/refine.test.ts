import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import { refineMask } from './refine.ts';

const size = { width: 80, height: 60 };
const isBody = disc(40, 30, 20);
const isNose = disc(40, 30, 8);
/** A red disc with a nose as dark as the background. */
const picture = madePicture({
  ...size,
  opacity: isBody,
  object: (x, y) => (isNose(x, y) > 0.5 ? [20, 30, 20] : [190, 60, 50]),
  background: () => [20, 30, 20],
});
const maskWith = (nose: number) => ({
  ...size,
  data: Float32Array.from({ length: 4800 }, (_, at) => {
    const [x, y] = [at % 80, Math.floor(at / 80)];
    return isNose(x, y) > 0.5 ? nose : isBody(x, y);
  }),
});
const segmented = { certainty: 0.05, edgePart: 0.01, edges: 'hair_only' } as const;

test('a decisive mask without hair is unchanged', () => {
  const mask = maskWith(1);
  expect(refineMask(picture, { ...segmented, mask })).toEqual(mask);
});

test('confident foreground is kept even if it matches the background colour', () => {
  const alpha = refineMask(picture, { ...segmented, mask: maskWith(0.9) });
  expect(alpha.data[30 * 80 + 40]).toBeGreaterThanOrEqual(0.9 - 1e-6);
});
