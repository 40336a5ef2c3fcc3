import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawVectors } from '../../../../tests/support/draw_vectors.ts';
import { countOutlines } from './count_outlines.ts';

// The engines' sharp reads no SVG; these tests do.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

const SIDE = 240;

/** An opaque image computed pixel by pixel. */
const paint = (colorAt: (x: number, y: number) => readonly [number, number, number]) =>
  sharp(
    Buffer.from(
      Array.from({ length: SIDE * SIDE }, (_, pixel) =>
        colorAt(pixel % SIDE, Math.floor(pixel / SIDE)),
      ).flat(),
    ),
    { raw: { width: SIDE, height: SIDE, channels: 3 } },
  )
    .png()
    .toBuffer();

/** Glowing evening sky: brightness falls off around a point. */
const sky = (x: number, y: number): [number, number, number] => {
  const near = Math.exp(-((x - 90) ** 2 + (y - 170) ** 2) / 9000);
  return [Math.round(90 + 140 * near), Math.round(90 + 70 * near), Math.round(130 - 50 * near)];
};

/** Largest step between neighbouring pixels of the rendered drawing, away from the image border. */
async function largestStep(svg: string, left: number, right: number): Promise<number> {
  const shown = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
  let largest = 0;
  for (let y = 4; y < SIDE - 4; y++)
    for (let x = left; x < right; x++)
      for (let channel = 0; channel < 3; channel++) {
        const at = 3 * (y * SIDE + x) + channel;
        largest = Math.max(largest, Math.abs(shown[at]! - shown[at + 3]!));
      }
  return largest;
}

test('smooth shading is one area under translucent radial gradients, without contours', async () => {
  const { svg, error } = await drawVectors(await paint(sky));
  expect(svg).toContain('<radialGradient');
  expect(await largestStep(svg, 4, SIDE - 5)).toBeLessThanOrEqual(6);
  expect(error.psnrDb).toBeGreaterThan(36);
});

test('fading discs and their clip paths are not counted as outlines', async () => {
  const { svg, pathCount } = await drawVectors(await paint(sky));
  expect(svg).toContain('<clipPath');
  expect(countOutlines(svg)).toBe(pathCount);
});

test('an edge across smooth shading stays', async () => {
  const { svg } = await drawVectors(
    await paint((x, y) => (x < 120 ? sky(x, y) : ([200, 220, 160] as const))),
  );
  expect(await largestStep(svg, 116, 124)).toBeGreaterThan(30);
});

test('drawings without gradients have no radial ones', async () => {
  const { svg } = await drawVectors(await paint(sky), { gradients: false });
  expect(svg).not.toContain('Gradient');
});
