import sharp from 'sharp';
import { expect, test } from 'vitest';
import { apply, quadMatrix } from '../../editor/geometry.ts';
import { mockupInPhoto } from './mockup_in_photo.ts';
import { estimateAspect, type Point, type Quad } from './quad.ts';

const PHOTO = { width: 640, height: 480 };
const SHEET: Quad = [
  [180.3, 90.7],
  [470.6, 130.2],
  [455.1, 370.8],
  [195.9, 400.4],
];
const WALL = [120, 110, 100];
const PAPER = [236, 233, 226];
const LEAF = [40, 100, 50];

type Paint = (x: number, y: number) => readonly number[];

const isIn = (quad: Quad, x: number, y: number) =>
  quad.every(([fromX, fromY], side) => {
    const [toX, toY] = quad[(side + 1) % 4]!;
    return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX) >= 0;
  });

/** Renders a photo with 16 samples per pixel. */
function drawn(paint: Paint) {
  const { width, height } = PHOTO;
  const data = Buffer.alloc(3 * width * height);
  const positions = [0.125, 0.375, 0.625, 0.875];
  for (let at = 0; at < width * height; at += 1) {
    const sums = [0, 0, 0];
    for (const dx of positions)
      for (const dy of positions) {
        const color = paint((at % width) + dx, Math.floor(at / width) + dy);
        for (let channel = 0; channel < 3; channel += 1) sums[channel]! += color[channel]!;
      }
    for (let channel = 0; channel < 3; channel += 1) data[3 * at + channel] = Math.round(sums[channel]! / 16);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const sheetOnWall = (quad: Quad) => drawn((x, y) => (isIn(quad, x, y) ? PAPER : WALL));

const plain = (background: string, width = 300, height = 250) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

const samplesOf = async (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();

const away = (found: Quad, true_: Quad): number =>
  Math.max(
    ...found.map(([x, y], at) =>
      Math.hypot(x * PHOTO.width - true_[at]![0], y * PHOTO.height - true_[at]![1]),
    ),
  );

const turned = (quad: Quad, degrees: number): Quad => {
  const angle = (degrees * Math.PI) / 180;
  return quad.map(([x, y]): Point => {
    const [dx, dy] = [x - 320, y - 240];
    return [
      320 + dx * Math.cos(angle) - dy * Math.sin(angle),
      240 + dx * Math.sin(angle) + dy * Math.cos(angle),
    ];
  }) as unknown as Quad;
};

test.each([0, 7, -12])('a blank sheet rotated by %i° is located to within half a pixel', async (degrees) => {
  const quad = turned(SHEET, degrees);
  const { corners, foundBy } = await mockupInPhoto({
    bytes: await plain('red'),
    photo: await sheetOnWall(quad),
  });
  expect(foundBy).toBe('frame');
  expect(away(corners, quad)).toBeLessThan(0.5);
});

test('points of the artwork land within one pixel of their perspective projection', async () => {
  const dots: Point[] = [
    [0.25, 0.25],
    [0.75, 0.3],
    [0.7, 0.8],
  ];
  const [width, height, radius] = [400, 300, 9];
  const art = Buffer.alloc(3 * width * height, 255);
  for (const [u, v] of dots)
    for (let at = 0; at < width * height; at += 1)
      if (Math.hypot((at % width) + 0.5 - u * width, Math.floor(at / width) + 0.5 - v * height) < radius)
        art.fill(0, 3 * at, 3 * at + 3);
  const bytes = await sharp(art, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  const corners = SHEET.map(([x, y]): Point => [x / PHOTO.width, y / PHOTO.height]) as unknown as Quad;

  const made = await mockupInPhoto({ bytes, photo: await sheetOnWall(SHEET), corners, fit: 'fill' });

  const forth = quadMatrix({ width: 1, height: 1 }, SHEET)!;
  const samples = await samplesOf(made.bytes);
  for (const [u, v] of dots) {
    const [x, y] = apply(forth, u, v);
    const found = darkCentre(samples, x, y);
    expect(Math.hypot(found[0] - x, found[1] - y)).toBeLessThan(1);
  }
});

/** Centroid of the dark pixels near a position. */
function darkCentre(samples: Uint8Array, nearX: number, nearY: number): Point {
  let [sum, sumX, sumY] = [0, 0, 0];
  for (let y = Math.round(nearY) - 20; y < nearY + 20; y += 1)
    for (let x = Math.round(nearX) - 20; x < nearX + 20; x += 1) {
      const dark = Math.max(0, 200 - samples[3 * (y * PHOTO.width + x)]!);
      sum += dark;
      sumX += dark * (x + 0.5);
      sumY += dark * (y + 0.5);
    }
  return [sumX / sum, sumY / sum];
}

test('white artwork on white paper leaves the photo unchanged', async () => {
  const photo = await sheetOnWall(SHEET);
  const made = await mockupInPhoto({ bytes: await plain('white'), photo });
  const [before, after] = [await samplesOf(photo), await samplesOf(made.bytes)];
  const changes = before.map((sample, at) => Math.abs(sample - after[at]!));
  expect(changes.reduce((maximum, change) => Math.max(maximum, change), 0)).toBeLessThanOrEqual(1);
});

test('a leaf that overlaps the sheet stays in front of the artwork', async () => {
  const isLeaf = (x: number, y: number) => ((x - 470) / 70) ** 2 + ((y - 330) / 26) ** 2 < 1;
  const photo = await drawn((x, y) => (isLeaf(x, y) ? LEAF : isIn(SHEET, x, y) ? PAPER : WALL));
  const made = await mockupInPhoto({ bytes: await plain('blue'), photo });
  const samples = await samplesOf(made.bytes);
  const at = (x: number, y: number) => [
    ...samples.subarray(3 * (y * PHOTO.width + x), 3 * (y * PHOTO.width + x) + 3),
  ];
  expect(made.hiddenPercent).toBeGreaterThan(1);
  expect(at(430, 330)).toEqual(LEAF);
  expect(at(380, 330)[2]).toBeGreaterThan(150);
});

test('black areas of the mask hide the artwork', async () => {
  const mask = await sharp(await plain('black', 320, 480))
    .extend({ right: 320, background: 'white' })
    .png()
    .toBuffer();
  const photo = await sheetOnWall(SHEET);
  const made = await mockupInPhoto({ bytes: await plain('blue'), photo, mask });
  const samples = await samplesOf(made.bytes);
  expect([...samples.subarray(3 * (240 * 640 + 250), 3 * (240 * 640 + 250) + 3)]).toEqual(PAPER);
  expect(samples[3 * (240 * 640 + 400)]).toBeLessThan(20);
});

test('on a cylinder the middle of the upper edge lies below its ends', async () => {
  const corners: Quad = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ];
  const photo = await plain('white', 640, 480);
  const made = await mockupInPhoto({ bytes: await plain('black'), photo, corners, surface: 'cylinder' });
  const samples = await samplesOf(made.bytes);
  const firstDark = (x: number) =>
    Array.from({ length: 480 }, (_, y) => y).find((y) => samples[3 * (y * 640 + x)]! < 128);
  expect(firstDark(161)).toBeLessThanOrEqual(121);
  // A twentieth of 240 pixels.
  expect(firstDark(320)).toBe(132);
});

test('a photo of one colour is rejected because no surface is detected', async () => {
  const made = mockupInPhoto({ bytes: await plain('red'), photo: await plain('grey', 640, 480) });
  await expect(made).rejects.toMatchObject({ code: 'subject_unclear' });
});

test.each([
  [
    'in the wrong order',
    [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ],
  ],
  [
    'that are collinear',
    [
      [0, 0],
      [0.5, 0.5],
      [1, 1],
      [0, 1],
    ],
  ],
  [
    'far outside the photo',
    [
      [0, 0],
      [9, 0],
      [9, 9],
      [0, 9],
    ],
  ],
  [
    'that coincide',
    [
      [0.5, 0.5],
      [0.501, 0.5],
      [0.501, 0.501],
      [0.5, 0.501],
    ],
  ],
])('corners %s are rejected', async (_, corners) => {
  const request = {
    bytes: await plain('red'),
    photo: await plain('grey', 640, 480),
    corners: corners as unknown as Quad,
  };
  await expect(mockupInPhoto(request)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('the aspect ratio of a sheet is recovered from an oblique view', () => {
  // A camera whose focal length equals the image width sees a sheet of 3 by 2, rotated about both axes.
  const [cos, sin] = [Math.cos(0.6), Math.sin(0.6)];
  const quad = (
    [
      [-1.5, -1],
      [1.5, -1],
      [1.5, 1],
      [-1.5, 1],
    ] as const
  ).map(([x, y]): Point => {
    const [yTurned, depth] = [y * Math.cos(0.4), 6 + x * sin + y * Math.sin(0.4)];
    return [500 + (1000 * x * cos) / depth, 400 + (1000 * yTurned) / depth];
  }) as unknown as Quad;
  const aspect = estimateAspect(quad, { width: 1000, height: 800 });
  expect(aspect).toBeGreaterThan(1.4);
  expect(aspect).toBeLessThan(1.6);
});
