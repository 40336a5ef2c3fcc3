import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { type EraseRequest, eraseObject } from './erase_object.ts';

const size = { width: 160, height: 120 };
const OBJECT = { left: 70, top: 50, width: 24, height: 20 };
const isInside = (x: number, y: number, room = 0) =>
  x >= OBJECT.left - room &&
  x < OBJECT.left + OBJECT.width + room &&
  y >= OBJECT.top - room &&
  y < OBJECT.top + OBJECT.height + room;
const wall = (x: number, y: number) => 150 + 30 * Math.sin(x / 3) + 20 * Math.sin(y / 2);

/** A red box in front of a uniformly textured wall. */
const samples = Uint8Array.from({ length: size.width * size.height * 3 }, (_, at) => {
  const [x, y] = [Math.floor(at / 3) % size.width, Math.floor(at / 3 / size.width)];
  return isInside(x, y) ? [220, 20, 20][at % 3]! : wall(x, y);
});
const picture = () => sharp(samples, { raw: { ...size, channels: 3 } });
const erase = async (bytes: Uint8Array, more: Partial<EraseRequest> = {}) => {
  const erased = await eraseObject({ bytes, boxes: [OBJECT], feather: 0, format: 'png', ...more });
  const { data, info } = await sharp(erased.bytes).raw().toBuffer({ resolveWithObject: true });
  return { ...erased, data, info };
};
const refusal = (bytes: Uint8Array, more: Partial<EraseRequest>) =>
  erase(bytes, more).then(
    () => 'done',
    ({ code, message }) => `${code}: ${message}`,
  );

test('an object on a texture is replaced by the texture, and no other pixel changes', async () => {
  const { data, erasedShare, filledBy, areas } = await erase(await picture().png().toBuffer());
  let [error, count] = [0, 0];
  for (let at = 0; at < data.length; at++) {
    const [x, y] = [Math.floor(at / 3) % size.width, Math.floor(at / 3 / size.width)];
    if (!isInside(x, y)) expect(data[at]).toBe(samples[at]);
    else [error, count] = [error + Math.abs(data[at]! - wall(x, y)), count + 1];
  }
  expect(error / count).toBeLessThan(12);
  expect([filledBy, erasedShare]).toEqual(['patches', (24 * 20) / (160 * 120)]);
  expect(areas).toHaveLength(1);
});

test('a feathered edge extends by the requested distance', async () => {
  const { data } = await erase(await picture().png().toBuffer(), { feather: 5 });
  const changed = [...data.keys()].filter((at) => data[at] !== samples[at]);
  const outside = changed.map(
    (at) => [Math.floor(at / 3) % size.width, Math.floor(at / 3 / size.width)] as const,
  );
  expect(outside.every(([x, y]) => isInside(x, y, 5))).toBe(true);
  expect(outside.some(([x, y]) => !isInside(x, y))).toBe(true);
});

test.each([
  ['16 bits', () => picture().toColourspace('rgb16').png(), 'ushort', 3],
  ['grey', () => picture().toColourspace('b-w').png(), 'uchar', 1],
  ['transparency', () => picture().ensureAlpha(0.5).png(), 'uchar', 4],
] as const)('%s are unchanged outside the hole', async (_, made, depth, channels) => {
  const bytes = await made().toBuffer();
  const erased = await eraseObject({ bytes, boxes: [OBJECT], feather: 0, format: 'png' });
  expect(await sharp(erased.bytes).metadata()).toMatchObject({ depth, channels });
  const whole = (file: Uint8Array) =>
    sharp(file)
      .raw({ depth: depth as 'uchar' })
      .toBuffer();
  const [before, after] = [await whole(bytes), await whole(erased.bytes)];
  const row = before.length / size.height;
  expect(after.subarray(0, 40 * row).equals(before.subarray(0, 40 * row))).toBe(true);
  expect(after.subarray(55 * row, 56 * row).equals(before.subarray(55 * row, 56 * row))).toBe(false);
});

/** A rectangle of one RGBA colour on another. */
const drawn = ({ width, height }: typeof size, box: typeof OBJECT, [fill, ground]: [number[], number[]]) => {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => {
    const [x, y] = [Math.floor(at / 4) % width, Math.floor(at / 4 / width)];
    const isBox = x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height;
    return (isBox ? fill : ground)[at % 4]!;
  });
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
};
const [RED, NOTHING] = [
  [255, 0, 0, 255],
  [0, 0, 0, 0],
];
const [WHITE, BLACK] = [
  [255, 255, 255, 255],
  [0, 0, 0, 255],
];

test('an object erased from transparency leaves transparency', async () => {
  const { data } = await erase(await drawn(size, OBJECT, [RED, NOTHING]), { feather: 2 });
  expect(data.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 0)).toBe(true);
});

test.each([
  ['its white pixels', [WHITE, BLACK]],
  ['its opaque pixels', [BLACK, NOTHING]],
] as const)('a mask of a different size is scaled to cover %s', async (_, colors) => {
  const half = { left: 35, top: 25, width: 12, height: 10 };
  const mask = await drawn({ width: 80, height: 60 }, half, [...colors]);
  const { data, erasedShare } = await erase(await picture().png().toBuffer(), { boxes: [], mask });
  expect(erasedShare).toBeCloseTo(0.025, 2);
  expect(data[(60 * size.width + 80) * 3]!).toBeLessThan(210);
});

test('distant objects are filled separately', async () => {
  const boxes = [
    { left: 4, top: 4, width: 10, height: 10 },
    { left: 140, top: 100, width: 10, height: 10 },
  ];
  expect((await erase(await picture().png().toBuffer(), { boxes })).areas).toHaveLength(2);
});

test.each([
  [
    { boxes: [{ left: 500, top: 0, width: 9, height: 9 }] },
    /invalid_input: where\[0\] is outside.*160 × 120/,
  ],
  [{ boxes: [{ left: 0, top: 0, width: 100, height: 90 }] }, /unsuitable_image: 46.9 % .* limit is 12 %/],
  [{ boxes: [] }, /invalid_input: mask covers nothing/],
])('%j is rejected with an explanation', async (more, expected) => {
  expect(await refusal(await picture().png().toBuffer(), more)).toMatch(expected);
});

test('a mask with a different aspect ratio is rejected by field name', async () => {
  const mask = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  expect(await refusal(await picture().png().toBuffer(), { mask })).toMatch(
    /invalid_input: mask has 50 × 50/,
  );
});
