import { describe, expect, test } from 'vitest';
import {
  fitView,
  idsWithin,
  neighbourOf,
  onTable,
  placesOf,
  TILE,
  viewWith,
  zoomAround,
} from './browser/table_plane.ts';

const items = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `i${at}` }));
const SCREEN = { width: 900, height: 600 };

describe('places on the table', () => {
  test('images without a place lie in rows of six, none over another', () => {
    const places = [...placesOf(items(14)).values()];
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(14);
    expect(new Set(places.map(({ x }) => x)).size).toBe(6);
  });

  test('an image that was moved keeps its place, and the others leave it free', () => {
    const places = placesOf([{ id: 'a' }, { id: 'b', at: { x: 10, y: 10 } }, { id: 'c' }]);
    expect(places.get('b')).toEqual({ x: 10, y: 10 });
    for (const id of ['a', 'c']) {
      const { x, y } = places.get(id)!;
      expect(Math.abs(x - 10) >= TILE.width || Math.abs(y - 10) >= TILE.height).toBe(true);
    }
  });

  test('another image changes no place', () => {
    const before = placesOf(items(9));
    const after = placesOf(items(10));
    for (const [id, place] of before) expect(after.get(id)).toEqual(place);
  });

  test('arrow keys reach every image from the first, and end at the edges', () => {
    const places = placesOf(items(8));
    expect(neighbourOf(places, 'i0', [1, 0])).toBe('i1');
    expect(neighbourOf(places, 'i1', [0, 1])).toBe('i7');
    expect(neighbourOf(places, 'i7', [0, -1])).toBe('i1');
    expect(neighbourOf(places, 'i0', [-1, 0])).toBeUndefined();
    expect(neighbourOf(places, 'gone', [1, 0])).toBe('i0');
  });

  test('a rectangle selects what it touches', () => {
    const places = placesOf(items(8));
    expect(idsWithin(places, { x: 300, y: 100 }, { x: 200, y: 0 })).toEqual(['i0', 'i1']);
  });
});

describe('the view of the table', () => {
  test('zooming keeps the point under the pointer', () => {
    const view = { x: 40, y: -30, zoom: 0.7 };
    const pointer = { x: 321, y: 123 };
    const zoomed = zoomAround(view, 2.5, pointer);
    expect(onTable(zoomed, pointer).x).toBeCloseTo(onTable(view, pointer).x, 6);
    expect(onTable(zoomed, pointer).y).toBeCloseTo(onTable(view, pointer).y, 6);
  });

  test('the fitted view shows every image whole', () => {
    const places = placesOf(items(200));
    const view = fitView(places.values(), SCREEN);
    for (const { x, y } of places.values()) {
      expect((x - view.x) * view.zoom).toBeGreaterThanOrEqual(0);
      expect((y + TILE.height - view.y) * view.zoom).toBeLessThanOrEqual(SCREEN.height + 1e-6);
    }
  });

  test('a view is moved only where the image is not seen whole', () => {
    const view = { x: 0, y: 0, zoom: 1 };
    expect(viewWith(view, { x: 100, y: 100 }, SCREEN)).toEqual(view);
    expect(viewWith(view, { x: 1000, y: 100 }, SCREEN)).toEqual({ x: 364, y: 0, zoom: 1 });
  });
});
