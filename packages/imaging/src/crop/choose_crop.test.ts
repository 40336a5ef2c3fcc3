import { expect, test } from 'vitest';
import type { Box } from '../pixels/box.ts';
import { chooseCrop } from './choose_crop.ts';

const picture = { width: 1600, height: 900 };
const box = (x: number, y: number, width: number, height = width): Box => ({ x, y, width, height });
const right = (one: Box) => one.x + one.width;
const bottom = (one: Box) => one.y + one.height;
const holds = (window: Box, place: Box) =>
  window.x <= place.x &&
  window.y <= place.y &&
  right(window) >= right(place) &&
  bottom(window) >= bottom(place);

test('an aspect ratio alone gives the largest centred crop', () => {
  expect(chooseCrop({ picture, aspect: 1 }).box).toEqual(box(350, 0, 900));
  expect(chooseCrop({ picture, aspect: 2 }).box).toEqual(box(0, 50, 1600, 800));
});

test('dimensions are exact, and an anchor positions the crop', () => {
  expect(chooseCrop({ picture, width: 301, height: 99, anchor: { x: 1, y: 0 } }).box).toEqual(
    box(1299, 0, 301, 99),
  );
});

test('one dimension and an aspect ratio determine the other dimension', () => {
  expect(chooseCrop({ picture, width: 400, aspect: 4 / 3 }).box).toEqual(box(600, 300, 400, 300));
});

test('dimensions larger than the image are clamped to it', () => {
  expect(chooseCrop({ picture, width: 5000, height: 100 }).box).toEqual(box(0, 400, 1600, 100));
});

test('without dimensions or aspect ratio, the crop is the padded box', () => {
  expect(chooseCrop({ picture, places: [box(500, 400, 200, 100)] }).box).toEqual(box(484, 392, 232, 116));
  expect(chooseCrop({ picture, places: [box(0, 0, 100)], padding: 0.5 }).box).toEqual(box(0, 0, 150));
});

test('a tight crop with an aspect ratio is the smallest around the box', () => {
  const { box: window } = chooseCrop({
    picture,
    aspect: 1,
    tight: true,
    padding: 0,
    places: [box(500, 400, 200, 100)],
  });
  expect(window).toEqual(box(500, 350, 200));
});

test('an object is centred in the crop if there is room', () => {
  expect(chooseCrop({ picture, aspect: 1, places: [box(1000, 300, 200)] }).box).toEqual(box(650, 0, 900));
});

test('a face at the image edge is not cropped', () => {
  const face = box(1450, 100, 150, 200);
  const { box: window, cut } = chooseCrop({ picture, aspect: 9 / 16, faces: [face] });
  expect(holds(window, face)).toBe(true);
  expect(cut.faces).toBe(0);
});

test('a face gets headroom and is placed above the centre', () => {
  const tall = { width: 900, height: 1600 };
  const { box: window } = chooseCrop({ picture: tall, aspect: 1, faces: [box(400, 900, 100)] });
  expect((950 - window.y) / window.height).toBeCloseTo(0.4, 2);
});

test('a head taller than the crop keeps more hair than neck', () => {
  const { box: window } = chooseCrop({
    picture: { width: 900, height: 1600 },
    aspect: 1.5,
    faces: [box(250, 600, 400)],
  });
  expect([600 - window.y, bottom(window) - 1000]).toEqual([145, 55]);
});

test('if not all faces fit, the crop keeps whole faces and cuts none in two', () => {
  const faces = [box(100, 300, 100), box(700, 300, 100), box(900, 300, 100), box(1100, 300, 100)];
  const { box: window, cut } = chooseCrop({ picture, width: 620, height: 600, faces });
  expect(faces.map((face) => holds(window, face))).toEqual([false, true, true, true]);
  expect(cut.faces).toBe(0);
});

test('padding is reduced before another face is cropped', () => {
  const faces = [box(500, 300, 200), box(720, 300, 180)];
  const { box: window, cut } = chooseCrop({ picture, width: 210, height: 400, faces });
  expect(holds(window, faces[0]!)).toBe(true);
  expect(right(window)).toBeLessThanOrEqual(720);
  expect(cut.faces).toBe(0);
});

test('a face larger than the crop is centred and reported as cropped', () => {
  const { box: window, cut } = chooseCrop({ picture, width: 100, height: 100, faces: [box(600, 300, 300)] });
  expect(window).toEqual(box(700, 367, 100));
  expect(cut.faces).toBe(1);
});

test('faces take priority over a subject that does not fit', () => {
  const tall = { width: 600, height: 1800 };
  const face = box(250, 120, 100, 120);
  const body = box(100, 60, 400, 1700);
  const { box: window, cut } = chooseCrop({ picture: tall, aspect: 1, places: [body], faces: [face] });
  expect(holds(window, face)).toBe(true);
  expect(window.y).toBeLessThan(60);
  expect(cut).toEqual({ faces: 0, places: 1 });
});

test('a subject taller than the crop loses more at the bottom than at the top', () => {
  const tall = { width: 600, height: 1800 };
  const { box: window } = chooseCrop({ picture: tall, aspect: 1, places: [box(100, 300, 400, 1200)] });
  expect(window).toEqual(box(0, 500, 600));
});

test('for any input, the crop has whole pixels inside the image', () => {
  let seed = 1;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed / 2 ** 32) * below;
  };
  for (let round = 0; round < 400; round++) {
    const size = { width: 1 + Math.floor(next(300)), height: 1 + Math.floor(next(300)) };
    const some = () =>
      Array.from({ length: Math.floor(next(5)) }, () =>
        box(next(400) - 50, next(400) - 50, next(200), next(200)),
      );
    const { box: window } = chooseCrop({
      picture: size,
      ...(next(2) < 1 ? { aspect: 0.01 + next(5) } : {}),
      ...(next(2) < 1 ? { width: next(400) } : {}),
      ...(next(2) < 1 ? { height: next(400) } : {}),
      faces: some(),
      places: some(),
      padding: next(1),
      tight: next(2) < 1,
      anchor: { x: next(2) - 0.5, y: next(1) },
    });
    expect(Object.values(window).every(Number.isInteger)).toBe(true);
    expect(window.width > 0 && window.height > 0 && holds(box(0, 0, size.width, size.height), window)).toBe(
      true,
    );
  }
});

test('a single face that fits is never cropped at any position', () => {
  for (let x = 0; x <= 1300; x += 37)
    for (const aspect of [0.4, 1, 1.9, 3]) {
      const face = box(x, (x * 7) % 600, 280, 300);
      expect(holds(chooseCrop({ picture, aspect, faces: [face] }).box, face)).toBe(true);
    }
});
