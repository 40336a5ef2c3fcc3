import { expect, test } from 'vitest';
import type { Plane } from '../pixels/plane.ts';
import { scaleSelector, selectSubject, subjectBoxes } from './choose_subject.ts';

const size = { width: 100, height: 60 };
/** A large disc on the left with a soft edge, a small one on the right. */
const mask: Plane = {
  ...size,
  data: Float32Array.from({ length: 6000 }, (_, at) => {
    const [x, y] = [at % 100, Math.floor(at / 100)];
    const inside = Math.max(20 - Math.hypot(x - 30, y - 30), 10 - Math.hypot(x - 80, y - 20));
    return Math.min(1, Math.max(0, inside / 2 + 0.5));
  }),
};
const at = ({ data }: Plane, x: number, y: number) => data[y * 100 + x]!;

test.each([
  ['a point on it', { x: 82, y: 22 }],
  ['a point just beside it', { x: 91, y: 20 }],
  ['a box around it', { left: 66, top: 5, width: 30, height: 30 }],
])('%s keeps one of two parts with its soft edge', (_how, where) => {
  const kept = selectSubject(mask, where)!;
  expect([at(kept, 80, 20), at(kept, 30, 30)]).toEqual([1, 0]);
  expect(at(kept, 90, 20)).toBe(at(mask, 90, 20));
});

test.each([
  ['a point far from both', { x: 55, y: 55 }],
  ['an empty box', { left: 55, top: 45, width: 12, height: 12 }],
  ['a box around less than half of a part', { left: 0, top: 0, width: 25, height: 60 }],
])('%s keeps nothing', (_how, where) => {
  expect(selectSubject(mask, where)).toBeUndefined();
});

test('parts are listed with their boxes, largest first', () => {
  const [large, small, ...others] = subjectBoxes(mask);
  expect(large!.left + large!.width / 2).toBeCloseTo(0.3, 1);
  expect(small!.left + small!.width / 2).toBeCloseTo(0.8, 1);
  expect(others).toEqual([]);
});

test('positions are scaled to another image size', () => {
  const half = { width: 50, height: 30 };
  expect(scaleSelector({ x: 82, y: 22 }, size, half)).toEqual({ x: 41, y: 11 });
  expect(scaleSelector({ left: 10, top: 20, width: 30, height: 40 }, size, half)).toEqual({
    left: 5,
    top: 10,
    width: 15,
    height: 20,
  });
});
