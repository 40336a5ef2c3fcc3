import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { MockupRequest } from '@atelier/imaging/mockup/mockup_image.ts';
import { afterAll, expect, test } from 'vitest';
import { createPixels } from '../../src/core/workers/workers.ts';

const SIDE = 400;
/** A red sheet with a white bar across its middle. */
const ART = await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#c02020' } })
  .composite([
    { input: { create: { width: SIDE, height: 24, channels: 3, background: '#ffffff' } }, left: 0, top: 188 },
  ])
  .png()
  .toBuffer();
const CLEAR = await sharp({ create: { width: SIDE, height: SIDE, channels: 4, background: '#ff000000' } })
  .png()
  .toBuffer();

// In a process of its own, as the service runs it: what the test runner does to imports makes pixels ten times as dear.
const pixels = createPixels({ workers: 2, pixelsInFlightMax: 1e9, queueLengthMax: 64, deadlineMs: 60_000 });
afterAll(() => pixels.close());
const mockupOf = (request: MockupRequest) =>
  pixels.run('mockup', request, { pixels: 1, signal: new AbortController().signal });

const PRODUCTS = ['tshirt', 'poster', 'canvas', 'phone_case', 'mug', 'tote_bag'] as const;
type ProductName = (typeof PRODUCTS)[number];
const made = new Map<ProductName, ReturnType<typeof look>>();
/** The red sheet on a product; made once for all tests. */
function showProduct(product: ProductName) {
  if (!made.has(product)) made.set(product, look({ bytes: ART, product, background: [18, 52, 86] }));
  return made.get(product)!;
}

async function look(request: MockupRequest) {
  const { bytes, ...told } = await mockupOf(request);
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): number[] => [
    ...data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3),
  ];
  const isRed = (x: number, y: number) => at(x, y)[0]! > 1.6 * at(x, y)[1]! && at(x, y)[0]! > 60;
  /** First and last row of a column where the artwork is. */
  const redRows = (x: number) => {
    const rows = Array.from({ length: info.height }, (_, y) => y).filter((y) => isRed(x, y));
    return [rows[0]!, rows.at(-1)!] as const;
  };
  return { bytes, told, info, at, redRows };
}

test.each(PRODUCTS)(
  '%s: large, on exactly the background asked for, the artwork in its own colour and proportions',
  async (product) => {
    const { info, at, redRows } = await showProduct(product);
    expect(Math.min(info.width, info.height)).toBeGreaterThanOrEqual(1600);
    for (const corner of [at(2, 2), at(1997, 2), at(2, 1997)]) expect(corner).toEqual([18, 52, 86]);
    const place = product === 'mug' ? 900 : 1000;
    const [top, bottom] = redRows(place);
    const [red, green, blue] = at(place, Math.round(top + 0.25 * (bottom - top)));
    expect(Math.abs(red! - 192)).toBeLessThan(45);
    expect(Math.abs(green! - blue!)).toBeLessThan(14);
  },
);

test('a poster is straight, a mug bends what is straight downwards in its middle', async () => {
  const [poster, mug] = [await showProduct('poster'), await showProduct('mug')];
  expect(poster.redRows(600)).toEqual(poster.redRows(1000));
  const [middle, side] = [mug.redRows(910), mug.redRows(560)];
  // The camera looks down on the lip less than on the foot.
  expect(middle[0] - side[0]).toBeGreaterThan(10);
  expect(middle[1] - side[1]).toBeGreaterThan(20);
});

test('folds bend what is printed on cloth', async () => {
  const { redRows } = await showProduct('tshirt');
  const tops = [700, 800, 900, 1000, 1100, 1200, 1300].map((x) => redRows(x)[0]);
  expect(new Set(tops).size).toBeGreaterThan(2);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(30);
});

test('where the artwork is transparent the thing itself is seen, in the colour asked for', async () => {
  const { at } = await look({
    bytes: CLEAR,
    product: 'tote_bag',
    background: [255, 255, 255],
    color: [40, 120, 60],
  });
  const [red, green, blue] = at(1000, 1300);
  expect(green).toBeGreaterThan(1.6 * red!);
  expect(green).toBeGreaterThan(1.4 * blue!);
});

test.each(PRODUCTS)(
  '%s at an angle: another picture of the same artwork, on the same background',
  async (product) => {
    const [front, { bytes, at, redRows }] = await Promise.all([
      showProduct(product),
      look({ bytes: ART, product, background: [18, 52, 86], view: 'angle' }),
    ]);
    for (const corner of [at(2, 2), at(1997, 2), at(2, 1997)]) expect(corner).toEqual([18, 52, 86]);
    const [top, bottom] = redRows(product === 'mug' ? 850 : 1000);
    expect(bottom - top).toBeGreaterThan(250);
    expect(Buffer.compare(bytes, front.bytes)).not.toBe(0);
  },
);

test.each([
  [
    [20, 20, 22],
    [0, 110],
  ],
  [
    [176, 137, 104],
    [90, 235],
  ],
  [
    [250, 250, 248],
    [150, 255],
  ],
] as const)('a mug of %j is as light as its colour, and never a flat area', async (color, [least, most]) => {
  const { at } = await look({ bytes: CLEAR, product: 'mug', background: [245, 245, 245], color });
  const greens = [560, 640, 720, 800, 900, 1000, 1100, 1200, 1280].map((x) => at(x, 1000)[1]!);
  expect(Math.min(...greens)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...greens)).toBeLessThanOrEqual(most);
  expect(Math.max(...greens) - Math.min(...greens)).toBeGreaterThan(12);
});

test('the glaze of a mug has no hard bands: from one pixel to the next its light changes by next to nothing', async () => {
  const { at } = await look({
    bytes: CLEAR,
    product: 'mug',
    background: [245, 245, 245],
    color: [20, 20, 22],
  });
  const meanAt = (x: number) =>
    Array.from({ length: 24 }, (_, row) => at(x, 980 + row)[1]!).reduce((sum, value) => sum + value, 0) / 24;
  const line = Array.from({ length: 700 }, (_, step) => meanAt(560 + step));
  const steps = line.slice(1).map((value, index) => Math.abs(value - line[index]!));
  expect(Math.max(...steps)).toBeLessThan(2.5);
});

test('twice as many pixels show the same scene', async () => {
  const large = await look({ bytes: ART, product: 'canvas', background: [18, 52, 86], side: 4000 });
  const { redRows } = await showProduct('canvas');
  expect(large.info).toMatchObject({ width: 4000, height: 4000 });
  for (const [at, row] of redRows(1000).entries())
    expect(Math.abs(large.redRows(2000)[at]! - 2 * row)).toBeLessThan(8);
});

test('what is wholly transparent or enlarged is told', async () => {
  const tiny = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c02020' } })
    .png()
    .toBuffer();
  const background = [245, 245, 245] as const;
  const [clear, small] = await Promise.all([
    look({ bytes: CLEAR, product: 'poster', background, side: 500 }),
    look({ bytes: tiny, product: 'poster', background, side: 500 }),
  ]);
  expect(clear.told).toMatchObject({ isBlank: true, lostPercent: 0 });
  expect(small.told).toMatchObject({ isBlank: false, lostPercent: 0 });
  expect(small.told.enlarged).toBeGreaterThan(20);
});

test('the same request gives the same picture', async () => {
  const again = await look({ bytes: ART, product: 'mug', background: [18, 52, 86] });
  expect(Buffer.compare(again.bytes, (await showProduct('mug')).bytes)).toBe(0);
});

test.each([
  [1, 1],
  [800, 40],
  [1, 10_000],
])('art of %i × %i pixels is refused and the bounds are named', async (width, height) => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  await expect(mockupOf({ bytes, product: 'mug', background: [0, 0, 0] })).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringContaining('8 times'),
    details: { errors: [{ field: 'image' }] },
  });
});
