import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  disc,
  hairyDisc,
  type MadePicture,
  madePicture,
  meanDifference,
} from '../../../../tests/support/made_pictures.ts';
import type { Raster } from '../pixels/raster.ts';
import { compose } from './compose.ts';
import { cutOutObject, type SubjectFinder } from './remove_background.ts';
import { segmentByColor } from './segment.ts';

/** Declared as a network, so that uncertain results by colour are not rejected. */
const byColors: SubjectFinder = { kind: 'network', segment: segmentByColor };
const by = (mask: Float32Array): SubjectFinder => ({
  kind: 'network',
  segment: () => ({ mask: { ...whole, data: mask }, certainty: 0.45, edgePart: 0, edges: 'anew' }),
});

const cut = async (picture: Raster) => {
  const found = await cutOutObject(picture, byColors);
  const { data } = compose(found.cutOut, { kind: 'transparent' });
  return {
    ...found,
    rgba: data,
    alpha: Float32Array.from({ length: data.length / 4 }, (_, at) => data[at * 4 + 3]! / 255),
  };
};

const red = () => [190, 40, 50] as const;
const white = () => [255, 255, 255] as const;
/** Illumination that varies over the image. */
const wall = (x: number, y: number) => [150 + 0.2 * x, 160 + 0.15 * y, 175 - 0.1 * x] as const;
/** Texture without smooth areas. */
const meadow = (x: number, y: number) =>
  [60 + 40 * Math.sin(x / 5), 120 + 50 * Math.sin(y / 7 + x / 11), 50 + 20 * Math.cos(y / 4)] as const;
const whole = { width: 200, height: 160 };

const MADE: [string, MadePicture, number][] = [
  [
    'a disc on white',
    madePicture({ ...whole, opacity: disc(100, 80, 50), object: red, background: white }),
    0.002,
  ],
  [
    'a disc with a soft edge on a lit wall with grain',
    madePicture({ ...whole, opacity: disc(90, 80, 50, 3), object: red, background: wall, noise: 4 }),
    0.008,
  ],
  [
    'strokes like hair over a gradient',
    madePicture({ ...whole, opacity: hairyDisc(100, 80, 40), object: red, background: wall }),
    0.015,
  ],
  [
    'a disc on a meadow',
    madePicture({ ...whole, opacity: disc(110, 80, 45, 2), object: red, background: meadow, noise: 6 }),
    0.01,
  ],
];

test.each(MADE)('%s: opacity matches the ground truth', async (_, picture, maximum) => {
  const { alpha } = await cut(picture);
  expect(meanDifference(alpha, picture.truth)).toBeLessThan(maximum);
});

test.each(MADE)('%s: edges contain no background colour', async (_, picture) => {
  const { rgba, figures } = await cut(picture);
  let [off, count] = [0, 0];
  for (let pixel = 0; pixel < picture.truth.length; pixel++) {
    const alpha = rgba[pixel * 4 + 3]!;
    if (alpha < 60 || alpha > 200) continue;
    off +=
      Math.abs(rgba[pixel * 4]! - 190) +
      Math.abs(rgba[pixel * 4 + 1]! - 40) +
      Math.abs(rgba[pixel * 4 + 2]! - 50);
    count += 3;
  }
  expect(off / count).toBeLessThan(25);
  expect(figures.haloScore).toBeLessThan(0.15);
});

test('a hole showing a flat background is removed, and a highlight of the same colour is kept', async () => {
  const body = disc(100, 80, 60);
  const hole = disc(80, 80, 12);
  const picture = madePicture({
    ...whole,
    opacity: (x, y) => body(x, y) * (1 - hole(x, y)),
    object: (x, y) => {
      const fade = Math.max(0, Math.min(1, (Math.hypot(x - 130, y - 80) - 5) / 15));
      return [255 - 65 * fade, 255 - 215 * fade, 255 - 205 * fade];
    },
    background: white,
  });
  const { alpha, holes, by } = await cut(picture);
  expect([by, holes]).toEqual(['flat_background', 1]);
  expect(meanDifference(alpha, picture.truth)).toBeLessThan(0.004);
});

test('the halo score distinguishes a rim from a clean edge', async () => {
  const picture = MADE[3]![1];
  const clean = await cut(picture);
  // The mask is 1.5 times as wide as the object, so the meadow appears as a rim.
  const tooWide = madePicture({
    ...whole,
    opacity: disc(110, 80, 51),
    object: red,
    background: meadow,
  }).truth;
  const rimmed = await cutOutObject(picture, by(tooWide));
  expect(rimmed.figures.haloScore).toBeGreaterThan(3 * clean.figures.haloScore);
});

test('any image is rejected or yields bounded opacity at the same size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 16, max: 40 }),
      fc.integer({ min: 16, max: 40 }),
      fc.uint8Array({ minLength: 48, maxLength: 48 }),
      async (width, height, tile) => {
        const data = Uint8Array.from(
          { length: width * height * 3 },
          (_, at) => tile[(at * 7) % tile.length]!,
        );
        const found = await cutOutObject({ width, height, channels: 3, data }, byColors).catch(
          ({ code }) => code,
        );
        if (found === 'unsuitable_image' || found === 'subject_unclear') return;
        const { alpha, sides } = found.cutOut;
        expect(alpha.data.every((value: number) => value >= 0 && value <= 1)).toBe(true);
        expect([...sides.foreground, ...sides.background].every((value) => value >= 0 && value <= 255)).toBe(
          true,
        );
        expect(
          [found.figures.haloScore, found.figures.uncertaintyShare].every(
            (value) => value >= 0 && value <= 1,
          ),
        ).toBe(true);
      },
    ),
    { numRuns: 8 },
  );
});

test('an ambiguous mask is rejected with the ambiguous share', async () => {
  const unsure = by(Float32Array.from(MADE[3]![1].truth, (value, at) => (at % 2 ? 0.5 : value)));
  await expect(cutOutObject(MADE[3]![1], unsure)).rejects.toMatchObject({
    code: 'subject_unclear',
    message: expect.stringContaining('% of the image could be either'),
  });
});

test('an image above the working resolution keeps its size and fine edges', async () => {
  const picture = madePicture({
    width: 1600,
    height: 1200,
    opacity: disc(800, 600, 380),
    object: red,
    background: white,
  });
  const { alpha, cutOut } = await cut(picture);
  expect(cutOut.alpha.width).toBe(1024);
  expect(meanDifference(alpha, picture.truth)).toBeLessThan(0.0005);
});
