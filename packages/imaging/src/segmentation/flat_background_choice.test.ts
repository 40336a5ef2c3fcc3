import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import type { Raster } from '../pixels/raster.ts';
import { cutOutObject, type SubjectFinder } from './remove_background.ts';
import { UNSURE_FROM } from './segment.ts';

const size = { width: 160, height: 120 };
const tree = disc(80, 70, 28);
const sky = [120, 170, 230] as const;
const sand = (x: number, y: number) => [200 + 20 * Math.sin(x / 5), 150 + 20 * Math.sin(y / 3), 90] as const;
/** A disc in front of a clear sky, with or without sand below, which the sky colour leaves in the foreground. */
const picture = (horizon: number): Raster =>
  madePicture({
    ...size,
    opacity: tree,
    object: () => [40, 90, 30],
    background: (x, y) => (y < horizon ? sky : sand(x, y)),
  });
const knows = (isIn: (x: number, y: number) => number): SubjectFinder => ({
  kind: 'network',
  segment: () => ({
    mask: {
      ...size,
      data: Float32Array.from({ length: size.width * size.height }, (_, at) =>
        isIn(at % size.width, Math.floor(at / size.width)),
      ),
    },
    certainty: 0.2,
    edgePart: 0.01,
    edges: 'anew',
    doubt: 0.05,
  }),
});

test('the segmenter overrides a flat-background result that includes the ground, marked uncertain', async () => {
  const { by, figures } = await cutOutObject(picture(90), knows(tree));
  expect(by).toBe('segmenter');
  expect(figures.objectShare).toBeLessThan(0.2);
  expect(figures.doubt).toBeGreaterThan(UNSURE_FROM);
});

test('a subject at the lower edge uses the flat background if the segmenter agrees', async () => {
  const { by, figures } = await cutOutObject(
    picture(90),
    knows((x, y) => (y >= 90 ? 1 : tree(x, y))),
  );
  expect(by).toBe('flat_background');
  expect(figures.doubt).toBeUndefined();
});

test('an object surrounded by background does not call the segmenter', async () => {
  const segment = () => {
    throw new Error('asked');
  };
  const { by } = await cutOutObject(picture(200), { kind: 'network', segment });
  expect(by).toBe('flat_background');
});
