import { expect, test } from 'vitest';
import { linkDots, textureTest } from './link_dots.ts';

test('dots in a row form one stroke from end to end', () => {
  const row = [0, 8, 4, 12].map((x): [number, number] => [x, 0]);
  const { strokes, single } = linkDots(row, () => true);
  expect([strokes.map((stroke) => stroke.map((at) => row[at]![0])), single]).toEqual([[[0, 4, 8, 12]], []]);
});

test('a stroke neither reverses nor crosses forbidden segments', () => {
  const hook: [number, number][] = [
    [0, 0],
    [5, 0],
    [1, 2],
  ];
  expect(linkDots(hook, () => true)).toMatchObject({ strokes: [{ length: 2 }], single: { length: 1 } });
  expect(linkDots(hook, () => false)).toEqual({ strokes: [], single: [0, 1, 2] });
});

test('an isolated dot is not classified as texture', () => {
  const isTexture = textureTest([
    [0, 0],
    [7, 0],
    [60, 60],
  ]);
  expect([isTexture([0, 0]), isTexture([60, 60])]).toEqual([true, false]);
});
