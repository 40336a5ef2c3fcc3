import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { MockupRequest } from '@atelier/imaging/mockup/mockup_image.ts';
import { layOutBoard } from '@atelier/imaging/mockup/products/billboard.ts';
import { roadsideView } from '@atelier/imaging/mockup/products/roadside.ts';
import { pointOnPanel } from '@atelier/imaging/mockup/slab.ts';
import { afterAll, expect, test } from 'vitest';
import { createPixels } from '../../src/core/workers/workers.ts';
import { mockupImage as mockupImageTool } from '../../src/features/images/tools/mockup_image.ts';

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

const PRODUCTS = mockupImageTool.input.shape.product.unwrap().options;
/** Columns where the artwork is, and nothing lies over it; else 1000. */
const PLACES: Partial<Record<ProductName, { front: number; angle: number; part?: number }>> = {
  mug: { front: 900, angle: 850 },
  cap: { front: 1000, angle: 640 },
  // Of several sheets the first, above its white bar.
  business_card: { front: 840, angle: 840, part: 0.1 },
  sticker: { front: 1000, angle: 1000, part: 0.1 },
};
type ProductName = (typeof PRODUCTS)[number];
/** Places that show the background: a billboard stands on the ground, which fills the picture below. */
const cornersOf = (product: ProductName): [number, number][] => [
  [2, 2],
  [1997, 2],
  [2, product === 'billboard' ? 700 : 1997],
];
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

const oddArtworks = () =>
  Promise.all([
    sharp({ create: { width: 4000, height: 500, channels: 3, background: '#2060c0' } })
      .png()
      .toBuffer(),
    sharp({ create: { width: 500, height: 4000, channels: 3, background: '#2060c0' } })
      .png()
      .toBuffer(),
    sharp({ create: { width: 8, height: 8, channels: 3, background: '#2060c0' } })
      .png()
      .toBuffer(),
    CLEAR,
  ]);

test.each(PRODUCTS)(
  '%s: large, on the requested background, with the artwork’s colour and proportions',
  async (product) => {
    const { info, at, redRows } = await showProduct(product);
    expect(Math.min(info.width, info.height)).toBeGreaterThanOrEqual(1600);
    for (const corner of cornersOf(product)) expect(at(...corner)).toEqual([18, 52, 86]);
    const { front: place, part = 0.25 } = PLACES[product] ?? { front: 1000 };
    const [top, bottom] = redRows(place);
    const [red, green, blue] = at(place, Math.round(top + part * (bottom - top)));
    expect(Math.abs(red! - 192)).toBeLessThan(45);
    expect(Math.abs(green! - blue!)).toBeLessThan(14);
  },
);

test('straight lines stay straight on a poster and bow downwards on a mug', async () => {
  const [poster, mug] = [await showProduct('poster'), await showProduct('mug')];
  expect(poster.redRows(600)).toEqual(poster.redRows(1000));
  const [middle, side] = [mug.redRows(910), mug.redRows(560)];
  // The camera looks down on the lip less than on the foot.
  expect(middle[0] - side[0]).toBeGreaterThan(10);
  expect(middle[1] - side[1]).toBeGreaterThan(20);
});

test('folds bend artwork on cloth', async () => {
  const { redRows } = await showProduct('tshirt');
  const tops = [700, 800, 900, 1000, 1100, 1200, 1300].map((x) => redRows(x)[0]);
  expect(new Set(tops).size).toBeGreaterThan(2);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(30);
});

test('transparent artwork shows the product in the requested colour', async () => {
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
  '%s at an angle: a different view of the same artwork on the same background',
  async (product) => {
    const [front, { bytes, at, redRows }] = await Promise.all([
      showProduct(product),
      look({ bytes: ART, product, background: [18, 52, 86], view: 'angle' }),
    ]);
    for (const corner of cornersOf(product)) expect(at(...corner)).toEqual([18, 52, 86]);
    const [top, bottom] = redRows(PLACES[product]?.angle ?? 1000);
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
] as const)('a mug of %j is as light as its colour and never flat', async (color, [least, most]) => {
  const { at } = await look({ bytes: CLEAR, product: 'mug', background: [245, 245, 245], color });
  const greens = [560, 640, 720, 800, 900, 1000, 1100, 1200, 1280].map((x) => at(x, 1000)[1]!);
  expect(Math.min(...greens)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...greens)).toBeLessThanOrEqual(most);
  expect(Math.max(...greens) - Math.min(...greens)).toBeGreaterThan(12);
});

test('mug glaze is shaded smoothly, without hard bands', async () => {
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

test('room lighting does not change colours on a screen', async () => {
  const angle = await look({ bytes: ART, product: 'laptop', background: [18, 52, 86], view: 'angle' });
  for (const { at } of [await showProduct('laptop'), angle]) {
    const [red, green, blue] = at(800, 700);
    expect(Math.abs(red! - 192)).toBeLessThan(8);
    expect(Math.abs(green! - 32)).toBeLessThan(14);
    expect(Math.abs(blue! - 32)).toBeLessThan(14);
  }
});

test('a billboard has a blue sky unless a background is given', async () => {
  const { at } = await look({ bytes: ART, product: 'billboard', side: 500 });
  const [red, , blue] = at(250, 20);
  expect(blue).toBeGreaterThan(red!);
  expect((await showProduct('billboard')).at(1000, 40)).toEqual([18, 52, 86]);
});

test.each(['front', 'angle'] as const)(
  '%s: dots on a billboard lie within 1 px of their expected positions',
  async (view) => {
    const [width, height] = [800, 400];
    const dots = [
      [80, 60],
      [720, 60],
      [720, 340],
      [80, 340],
    ] as const;
    const input = { create: { width: 16, height: 16, channels: 3, background: '#fff' } } as const;
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#600' } })
      .composite(dots.map(([x, y]) => ({ input, left: x - 8, top: y - 8 })))
      .png()
      .toBuffer();
    const { at } = await look({ bytes, product: 'billboard', view });
    const camera = roadsideView(view);
    const { face } = layOutBoard({ width, height });
    for (const [x, y] of dots) {
      const [u, v] = [(x / width - 0.5) * face.width, (y / height - 0.5) * face.height];
      const place = camera.project(...pointOnPanel(face, u, v)).map((value) => 2 * value - 0.5);
      const [dx, dy] = centreAround(at, place.map(Math.round) as [number, number], place);
      expect(Math.hypot(dx, dy)).toBeLessThan(1);
    }
  },
);

/** How far the middle of what is light around a place lies from where it should. */
function centreAround(at: (x: number, y: number) => number[], [x, y]: [number, number], place: number[]) {
  let [sum, across, down] = [0, 0, 0];
  for (let dy = -40; dy <= 40; dy += 1)
    for (let dx = -40; dx <= 40; dx += 1) {
      const weight = Math.max(0, at(x + dx, y + dy)[1]! - 60);
      sum += weight;
      across += weight * (x + dx - place[0]!);
      down += weight * (y + dy - place[1]!);
    }
  return [across / sum, down / sum] as const;
}

test('a product that artwork fills shows all of it on request', async () => {
  const wide = await sharp({ create: { width: 800, height: 200, channels: 3, background: '#c02020' } })
    .png()
    .toBuffer();
  const request = { bytes: wide, product: 'cushion', background: [245, 245, 245], side: 500 } as const;
  const [filled, whole] = [await look(request), await look({ ...request, fit: 'contain' })];
  const heightOf = ([top, bottom]: readonly [number, number]) => bottom - top;
  expect(heightOf(filled.redRows(250))).toBeGreaterThan(280);
  expect(heightOf(whole.redRows(250))).toBeLessThan(90);
});

test('stickers are cut around opaque areas, with a white border', async () => {
  const dot = await sharp({ create: { width: 300, height: 300, channels: 4, background: '#00000000' } })
    .composite([
      {
        input: { create: { width: 60, height: 60, channels: 3, background: '#c02020' } },
        left: 120,
        top: 120,
      },
    ])
    .png()
    .toBuffer();
  const { at, redRows } = await look({
    bytes: dot,
    product: 'sticker',
    background: [245, 245, 245],
    color: [40, 60, 90],
  });
  const top = redRows(1000)[0];
  const [border, sheet] = [at(1000, top - 16), at(1000, top - 90)];
  expect(Math.min(...border)).toBeGreaterThan(200);
  expect(sheet[0]!).toBeLessThan(80);
});

test.each([
  'framed_print',
  'cushion',
  'book',
  'business_card',
  'sticker',
  'bottle',
  'box',
  'billboard',
] as const)('%s accepts very long, very small and empty artwork', async (product) => {
  for (const bytes of await oddArtworks()) {
    const { width, height } = await mockupOf({ bytes, product, background: [245, 245, 245], side: 500 });
    expect([width, height]).toEqual([500, 500]);
  }
});

test('an image with more pixels shows the same scene', async () => {
  const large = await look({ bytes: ART, product: 'canvas', background: [18, 52, 86], side: 4000 });
  const { redRows } = await showProduct('canvas');
  expect(large.info).toMatchObject({ width: 4000, height: 4000 });
  for (const [at, row] of redRows(1000).entries())
    expect(Math.abs(large.redRows(2000)[at]! - 2 * row)).toBeLessThan(8);
});

test('fully transparent or enlarged artwork gives a warning', async () => {
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
  expect(small.told.magnification).toBeGreaterThan(20);
});

test('the same request returns the same image', async () => {
  const again = await look({ bytes: ART, product: 'mug', background: [18, 52, 86] });
  expect(Buffer.compare(again.bytes, (await showProduct('mug')).bytes)).toBe(0);
});

test.each([
  [1, 1],
  [800, 40],
  [1, 10_000],
])('artwork of %i × %i pixels is refused with the size limits', async (width, height) => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  await expect(mockupOf({ bytes, product: 'mug', background: [0, 0, 0] })).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringContaining('aspect ratio of at most 8'),
    details: { errors: [{ field: 'image' }] },
  });
});
