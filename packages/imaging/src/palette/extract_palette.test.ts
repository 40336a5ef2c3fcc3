import sharp from 'sharp';
import { expect, test } from 'vitest';
import { scene } from '../../../../tests/support/scene.ts';
import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import { extractPalette } from './extract_palette.ts';

/** Scenes with as many colours as photographs. */
const SCENES = [1, 2, 3];

test('flat art yields exact colours and shares', async () => {
  const bytes = await flag().png().toBuffer();
  const { colors } = await extractPalette({ bytes, colors: 6 });
  expect(colors.map(({ hex, percentage }) => [hex, percentage])).toEqual([
    ['#1144aa', 60],
    ['#ffcc00', 40],
  ]);
});

test('flat art above the pixel counting limit yields exact colours and sampled shares', async () => {
  const bytes = await flag().resize(6000, 3000, { fit: 'fill', kernel: 'nearest' }).png().toBuffer();
  const { colors } = await extractPalette({ bytes, colors: 6 });
  expect(colors.map(({ hex }) => hex)).toEqual(['#1144aa', '#ffcc00']);
  expect(colors[0]!.percentage).toBeCloseTo(60, 0);
});

test.each([
  ['one pixel', 1, 1],
  ['a line', 700, 1],
])('%s yields a palette', async (_, width, height) => {
  const bytes = await plain(width, height).png().toBuffer();
  const { colors } = await extractPalette({ bytes, colors: 3 });
  expect(colors).toEqual([
    {
      hex: '#ff6347',
      rgb: { r: 255, g: 99, b: 71 },
      hsl: { h: 9.1, s: 100, l: 63.9 },
      percentage: 100,
      name: 'tomato',
    },
  ]);
});

test('several images share one palette with equal weight regardless of size', async () => {
  const [red, blue] = await Promise.all(
    [
      { width: 900, height: 900, channels: 3, background: '#ff0000' } as const,
      { width: 30, height: 60, channels: 3, background: '#0000ff' } as const,
    ].map((create) => sharp({ create }).png().toBuffer()),
  );
  const { colors, eachPicture } = await extractPalette({ bytes: red!, more: [blue!], colors: 6 });
  const shares = new Map(colors.map(({ hex, percentage }) => [hex, percentage]));
  expect(shares.get('#ff0000')).toBeCloseTo(50, 0);
  expect(eachPicture).toEqual(
    colors[0]!.hex === '#ff0000'
      ? [
          [100, 0],
          [0, 100],
        ]
      : [
          [0, 100],
          [100, 0],
        ],
  );
});

test('a transparent image among several contributes no colours', async () => {
  const [red, clear] = await Promise.all(
    ['#f00', { r: 0, g: 0, b: 0, alpha: 0 }].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 4, background } })
        .png()
        .toBuffer(),
    ),
  );
  const { eachPicture } = await extractPalette({ bytes: red!, more: [clear!], colors: 3 });
  expect(eachPicture).toEqual([[100], [0]]);
});

test('16-bit and greyscale images yield their displayed colours', async () => {
  const deep = await plain(4, 4).toColourspace('rgb16').png().toBuffer();
  const grey = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#777777' } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
  expect((await extractPalette({ bytes: deep, colors: 3 })).colors[0]!.hex).toBe('#ff6347');
  expect((await extractPalette({ bytes: grey, colors: 3 })).colors[0]!.hex).toBe('#777777');
});

test('a fully transparent image is rejected', async () => {
  const bytes = await sharp({
    create: { width: 8, height: 8, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
  })
    .png()
    .toBuffer();
  await expect(extractPalette({ bytes, colors: 6 })).rejects.toMatchObject({ code: 'unsuitable_image' });
});

test.each(SCENES)('scene %s: the palette is stable under JPEG compression', async (seed) => {
  const bytes = await scene(seed);
  const before = await extractPalette({ bytes, colors: 6 });
  const after = await extractPalette({
    bytes: await sharp(bytes).jpeg({ quality: 85 }).toBuffer(),
    colors: 6,
  });
  expect(meanShift(before.colors, after.colors)).toBeLessThan(0.06);
});

test.each(SCENES)('scene %s: the palette is stable at half size', async (seed) => {
  const bytes = await scene(seed);
  const { width } = await sharp(bytes).metadata();
  const before = await extractPalette({ bytes, colors: 6 });
  const after = await extractPalette({
    bytes: await sharp(bytes)
      .resize(Math.round(width / 2))
      .png()
      .toBuffer(),
    colors: 6,
  });
  expect(meanShift(before.colors, after.colors)).toBeLessThan(0.06);
});

type Rgb = { rgb: { r: number; g: number; b: number } };

/** Mean ΔE_OK from each colour to the nearest one of the other palette. */
function meanShift(one: readonly Rgb[], other: readonly Rgb[]): number {
  const lab = ({ rgb: { r, g, b } }: Rgb) => oklabOf(r, g, b);
  const shifts = one.map((color) => Math.min(...other.map((match) => oklabDistance(lab(color), lab(match)))));
  return shifts.reduce((sum, shift) => sum + shift, 0) / shifts.length;
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ff6347' } });

/** Ten rows: six blue, four yellow. */
function flag() {
  const data = Buffer.concat(
    Array.from({ length: 10 }, (_, row) =>
      Buffer.from(
        Array(10)
          .fill(row < 6 ? [0x11, 0x44, 0xaa] : [0xff, 0xcc, 0])
          .flat(),
      ),
    ),
  );
  return sharp(data, { raw: { width: 10, height: 10, channels: 3 } });
}
