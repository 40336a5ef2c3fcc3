import type { MockupRequest } from '@atelier/engines/mockup/mockup_image.ts';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import { afterAll, expect, test } from 'vitest';
import { createPixels } from '../../src/workers/create_pixels.ts';

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
  const { bytes } = await mockupOf(request);
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
  return { bytes, info, at, redRows };
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
  expect(middle[0] - side[0]).toBeGreaterThan(20);
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

test('the same request gives the same picture', async () => {
  const again = await look({ bytes: ART, product: 'mug', background: [18, 52, 86] });
  expect(Buffer.compare(again.bytes, (await showProduct('mug')).bytes)).toBe(0);
});

test.each([
  [1, 1],
  [800, 40],
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
