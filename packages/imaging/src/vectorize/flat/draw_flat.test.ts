import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawVectors } from '../../../../../tests/support/draw_vectors.ts';
import { scene } from '../../../../../tests/support/scene.ts';

// The engines' sharp reads no SVG; these tests do.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

describe('pixel art', () => {
  const sprite = draw(
    '<rect x="1" y="0" width="3" height="1" fill="#e43b44"/><rect x="0" y="1" width="5" height="2" fill="#e43b44"/><rect x="1" y="1" width="1" height="1" fill="#fff"/><rect x="2" y="3" width="1" height="2" fill="#181425"/>',
    { side: 5, scale: 1 },
  );

  test('is reproduced pixel for pixel', async () => {
    const { svg, error } = await drawVectors(await sprite);
    expect(await pixelsOf(Buffer.from(svg))).toEqual(await pixelsOf(await sprite));
    expect(error.psnrDb).toBe(99);
  });

  test('stays sharp at eight times its size', async () => {
    const { svg } = await drawVectors(await sprite);
    const large = Buffer.from(svg.replace('width="5" height="5"', 'width="40" height="40"'));
    const blocks = await sharp(await sprite)
      .resize(40, 40, { kernel: 'nearest' })
      .png()
      .toBuffer();
    expect(await pixelsOf(large)).toEqual(await pixelsOf(blocks));
  });

  test('uses one element per colour', async () => {
    const { pathCount, svg } = await drawVectors(await sprite);
    expect([pathCount, svg.match(/<g id="color-/g)?.length]).toEqual([3, 3]);
  });
});

describe('antialiased simple shapes become SVG primitives', () => {
  test.each([
    [
      '<circle cx="40.5" cy="39" r="22"/>',
      /<circle cx="40\.5" cy="39(\.00\d)?" r="2[12]\.\d+"\/>|<circle cx="40\.5" cy="39" r="22"\/>/,
    ],
    ['<ellipse cx="40" cy="40" rx="30.5" ry="18"/>', /<ellipse /],
    [
      '<rect x="10.5" y="12" width="60" height="44" rx="9"/>',
      /<rect x="10\.5" y="12" width="60" height="44" rx="\d/,
    ],
    ['<rect x="10" y="12" width="60" height="44"/>', /<rect x="10" y="12" width="60" height="44"\/>/],
  ])('%s', async (shape, written) => {
    const { svg } = await drawVectors(
      await draw(`<rect width="80" height="80" fill="#fff"/>${shape}`, { side: 80 }),
    );
    expect(svg).toMatch(written);
  });

  test('a polygon has no nodes besides its corners', async () => {
    const triangle = '<rect width="90" height="90" fill="#fc0"/><path d="M20 70L45 15L75 62Z" fill="#036"/>';
    const { svg, nodeCount } = await drawVectors(await draw(triangle, { side: 90 }));
    expect([nodeCount, /[cC]/.test(svg.match(/ d="([^"]+)"/)![1]!)]).toEqual([4 + 3, false]);
  });
});

test('a ring over transparency keeps its hole', async () => {
  const ring = await draw('<circle cx="50" cy="50" r="30" stroke="#24c" stroke-width="14" fill="none"/>', {
    side: 100,
  });
  const { svg } = await drawVectors(ring);
  const { data } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([data[4 * (50 * 100 + 50) + 3], data[4 * (50 * 100 + 80) + 3]]).toEqual([0, 255]);
});

test('concentric discs become two circles', async () => {
  const target =
    '<rect width="80" height="80" fill="#fff"/><circle cx="40" cy="40" r="30" fill="#d00"/><circle cx="40" cy="40" r="14" fill="#036"/>';
  const { svg, pathCount } = await drawVectors(await draw(target, { side: 80 }));
  expect([pathCount, svg.match(/<circle/g)?.length]).toEqual([3, 2]);
});

test('a photograph is not classified as flat artwork', async () => {
  const photo = await sharp(await scene(23))
    .resize(120)
    .png()
    .toBuffer();
  expect((await drawVectors(photo)).svg).not.toContain('<g id="color-');
});

/** Renders shapes as PNG, `side` units per side, with a number of pixels per unit. */
async function draw(shapes: string, { side, scale = 1 }: { side: number; scale?: number }): Promise<Buffer> {
  const size = side * scale;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}">${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const pixelsOf = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture).ensureAlpha().toColourspace('srgb').raw().toBuffer();
