import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Raster } from '../pixels/raster.ts';
import { computeVisualDescriptor } from './compute_visual_descriptor.ts';
import { LAYOUT_DISTANCE_MAX, layoutDistance, layoutOf, matchLayouts } from './layout.ts';

type Color = readonly [red: number, green: number, blue: number];
const DISC: Color = [243, 226, 176];
const GROUND: Color = [38, 48, 63];
const BAND: Color = [125, 138, 160];

interface Scene {
  readonly width?: number;
  readonly height?: number;
  readonly color?: (color: Color) => Color;
  /** Maps a position in the image, 0 to 1, to one in the scene. */
  readonly place?: (x: number, y: number) => readonly [x: number, y: number];
}

/** A bright disc at the lower left on dark ground, and a paler band above. */
function scene({
  width = 240,
  height = 180,
  color = (same) => same,
  place = (x, y) => [x, y],
}: Scene = {}): Raster {
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const [x, y] = place((column + 0.5) / width, (row + 0.5) / height);
      const isDisc = ((x - 0.28) / 0.18) ** 2 + ((y - 0.68) / 0.22) ** 2 < 1;
      data.set(color(isDisc ? DISC : y < 0.22 ? BAND : GROUND), 4 * (row * width + column));
    }
  return { data, width, height, channels: 4 };
}

function compare(one: Raster, other: Raster) {
  const match = matchLayouts(layoutOf(one), layoutOf(other))!;
  return { ...match, distance: layoutDistance(match) };
}

test('colour and exposure do not change the layout', () => {
  const recoloured = scene({ color: ([red, green, blue]) => [blue, green, red] });
  const darker = scene({ color: ([red, green, blue]) => [red / 2, green / 2, blue / 2] });
  expect(compare(scene(), recoloured).distance).toBeLessThan(0.05);
  expect(compare(scene(), darker).distance).toBeLessThan(0.05);
});

test('a mirrored copy is recognised as one', () => {
  const mirrored = scene({ place: (x, y) => [1 - x, y] });
  expect(compare(scene(), mirrored)).toMatchObject({ isMirrored: true, similarity: expect.closeTo(1, 2) });
});

test('an edge crop stays similar, an upside-down copy does not', () => {
  const cropped = scene({ place: (x, y) => [0.05 + 0.9 * x, 0.06 + 0.92 * y] });
  const turned = scene({ place: (x, y) => [x, 1 - y] });
  expect(compare(scene(), cropped).distance).toBeLessThan(0.25);
  expect(compare(scene(), turned).distance).toBeGreaterThan(LAYOUT_DISTANCE_MAX);
});

test('aspect ratio difference is measured as a base-2 logarithm', () => {
  expect(compare(scene(), scene({ width: 120 }))).toMatchObject({
    similarity: expect.closeTo(1, 1),
    shape: 1,
  });
});

test('a flat image has no layout, and 1-pixel sides are accepted', () => {
  const flat = { width: 1, height: 900, data: new Uint8Array(3600).fill(120) };
  expect(matchLayouts(layoutOf(flat), layoutOf(scene()))).toBeUndefined();
  expect([...layoutOf(flat)].at(-1)).toBe(0);
});

test('concatenated layouts are compared at their offset', () => {
  const kept = Buffer.concat([layoutOf(scene({ width: 90 })), layoutOf(scene())]);
  expect(matchLayouts(layoutOf(scene()), kept, kept.length / 2)).toMatchObject({
    similarity: expect.closeTo(1, 3),
    shape: 0,
  });
});

test('a visual descriptor includes the layout of the image', async () => {
  const { data, ...size } = scene();
  const bytes = await sharp(data, { raw: size }).png().toBuffer();
  expect((await computeVisualDescriptor({ bytes })).layout).toEqual(layoutOf(scene()));
});
