import { expect, test } from 'vitest';
import { straighten } from '../../vectorize/curve.ts';
import { type ContourOptions, cutContour } from './cut_contour.ts';

const PX_PER_MM = 12;
const SIDE_MM = 48;
const WISH: ContourOptions = { offsetMm: 2, smoothingMm: 0.2, islands: 'separate', cutsHoles: false };

/** Signed distance of a point to the edge of a shape in millimetres, negative inside. */
type Shape = (x: number, y: number) => number;
type Corner = readonly [x: number, y: number];

const disc =
  (cx: number, cy: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - cx, y - cy) - radius;
const either =
  (...shapes: Shape[]): Shape =>
  (x, y) =>
    Math.min(...shapes.map((shape) => shape(x, y)));

function polygon(corners: readonly Corner[]): Shape {
  return (x, y) => {
    let [nearest, isInside] = [Infinity, false];
    for (const [at, [x1, y1]] of corners.entries()) {
      const [x2, y2] = corners[(at + 1) % corners.length]!;
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
      const [dx, dy] = [x2 - x1, y2 - y1];
      const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
      nearest = Math.min(nearest, Math.hypot(x - x1 - along * dx, y - y1 - along * dy));
    }
    return isInside ? -nearest : nearest;
  };
}

const MIDDLE = SIDE_MM / 2;
const DISC = disc(MIDDLE, MIDDLE, 12);
const SQUARE = polygon([
  [10.33, 10.33],
  [33.61, 10.33],
  [33.61, 33.61],
  [10.33, 33.61],
]);
const STAR = polygon(
  Array.from({ length: 10 }, (_, at): Corner => {
    const [radius, angle] = [at % 2 === 0 ? 18 : 10, (at * Math.PI) / 5];
    return [MIDDLE + radius * Math.sin(angle), MIDDLE - radius * Math.cos(angle)];
  }),
);

/** Rasterises a shape with antialiasing: edge pixels by their coverage, in 8 bits. */
function opacityOf(shape: Shape) {
  const side = SIDE_MM * PX_PER_MM;
  const coverage = new Float32Array(side * side);
  for (let at = 0; at < coverage.length; at += 1) {
    const [x, y] = [at % side, Math.floor(at / side)];
    const away = shape((x + 0.5) / PX_PER_MM, (y + 0.5) / PX_PER_MM) * PX_PER_MM;
    if (Math.abs(away) > 1) {
      coverage[at] = away < 0 ? 1 : 0;
      continue;
    }
    const places = [0.125, 0.375, 0.625, 0.875];
    const inside = places.flatMap((dx) =>
      places.filter((dy) => shape((x + dx) / PX_PER_MM, (y + dy) / PX_PER_MM) < 0),
    );
    coverage[at] = Math.round((255 * inside.length) / 16) / 255;
  }
  return { width: side, height: side, pixelsPerMm: PX_PER_MM, coverage };
}

const contourOf = (shape: Shape, options: Partial<ContourOptions> = {}) =>
  cutContour(opacityOf(shape), { ...WISH, ...options });

test.each([
  ['a disc', DISC, 2],
  ['a square', SQUARE, 2],
  ['a star', STAR, 2],
  ['a star', STAR, 5],
  ['a square cut into', SQUARE, -1],
  ['a disc cut at its edge', DISC, 0],
])('the cut contour around %s keeps its offset to within 0.1 mm', (_, shape, offsetMm) => {
  const { curves } = contourOf(shape, { offsetMm });
  expect(curves).toHaveLength(1);
  const points = straighten(curves[0]!, 0.005);
  for (let at = 0; at < points.length; at += 2) {
    const off = shape(points[at]!, points[at + 1]!) - offsetMm;
    expect(Math.abs(off)).toBeLessThan(0.1);
  }
});

test.each([
  ['a disc', DISC, 12],
  ['a star', STAR, 60],
])('the cut contour around %s has few nodes', (_, shape, most) => {
  expect(contourOf(shape).nodes).toBeLessThanOrEqual(most);
});

const RING: Shape = (x, y) => Math.max(disc(MIDDLE, MIDDLE, 16)(x, y), -disc(MIDDLE, MIDDLE, 9)(x, y));
const ISLANDS = either(disc(11, 24, 6), disc(37, 24, 6));

test('a hole is cut only on request and shrinks by the offset', () => {
  expect(contourOf(RING).curves).toHaveLength(1);
  const { curves, holes } = contourOf(RING, { cutsHoles: true });
  expect([curves.length, holes]).toEqual([2, 1]);
  const [x, y] = [curves[1]![0]!, curves[1]![1]!];
  expect(Math.hypot(x - MIDDLE, y - MIDDLE)).toBeCloseTo(7, 1);
});

test('artwork inside an uncut hole gets no contour of its own', () => {
  expect(contourOf(either(RING, disc(MIDDLE, MIDDLE, 3))).curves).toHaveLength(1);
});

test('separate parts get separate contours, or one bridged contour with join', () => {
  expect(contourOf(ISLANDS).curves).toHaveLength(2);
  const { curves } = contourOf(ISLANDS, { islands: 'join' });
  const xs = straighten(curves[0]!, 0.05).filter((_, at) => at % 2 === 0);
  expect([curves.length, Math.min(...xs) < 4, Math.max(...xs) > 44]).toEqual([1, true, true]);
});

test('a speck gets no contour and is counted', () => {
  const { curves, specks } = contourOf(either(disc(14, 14, 8), disc(36, 36, 0.1)));
  expect([curves.length, specks]).toEqual([1, 1]);
});

test('noise is rejected', () => {
  const side = 700;
  const coverage = Float32Array.from({ length: side * side }, (_, at) => ((at * 7919) % 97 < 30 ? 1 : 0));
  const noise = { width: side, height: side, pixelsPerMm: 20, coverage };
  expect(() => cutContour(noise, { ...WISH, offsetMm: 0, smoothingMm: 0 })).toThrow(/No cut contour/);
});
