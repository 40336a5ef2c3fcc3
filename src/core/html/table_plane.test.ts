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

describe('table layout', () => {
  test('images without a position are laid out in rows of six without overlap', () => {
    const places = [...placesOf(items(14)).values()];
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(14);
    expect(new Set(places.map(({ x }) => x)).size).toBe(6);
  });

  test('a moved image keeps its position, and other images do not overlap it', () => {
    const places = placesOf([{ id: 'a' }, { id: 'b', at: { x: 10, y: 10 } }, { id: 'c' }]);
    expect(places.get('b')).toEqual({ x: 10, y: 10 });
    for (const id of ['a', 'c']) {
      const { x, y } = places.get(id)!;
      expect(Math.abs(x - 10) >= TILE.width || Math.abs(y - 10) >= TILE.height).toBe(true);
    }
  });

  test('adding an image moves no other image', () => {
    const before = placesOf(items(9));
    const after = placesOf(items(10));
    for (const [id, place] of before) expect(after.get(id)).toEqual(place);
  });

  test('arrow keys reach every image from the first and stop at the edges', () => {
    const places = placesOf(items(8));
    expect(neighbourOf(places, 'i0', [1, 0])).toBe('i1');
    expect(neighbourOf(places, 'i1', [0, 1])).toBe('i7');
    expect(neighbourOf(places, 'i7', [0, -1])).toBe('i1');
    expect(neighbourOf(places, 'i0', [-1, 0])).toBeUndefined();
    expect(neighbourOf(places, 'gone', [1, 0])).toBe('i0');
  });

  test('a rectangle selects the images it intersects', () => {
    const places = placesOf(items(8));
    expect(idsWithin(places, { x: 300, y: 100 }, { x: 200, y: 0 })).toEqual(['i0', 'i1']);
  });
});

describe('table viewport', () => {
  test('zooming keeps the point under the pointer fixed', () => {
    const view = { x: 40, y: -30, zoom: 0.7 };
    const pointer = { x: 321, y: 123 };
    const zoomed = zoomAround(view, 2.5, pointer);
    expect(onTable(zoomed, pointer).x).toBeCloseTo(onTable(view, pointer).x, 6);
    expect(onTable(zoomed, pointer).y).toBeCloseTo(onTable(view, pointer).y, 6);
  });

  test('the fitted view shows every image completely', () => {
    const places = placesOf(items(200));
    const view = fitView(places.values(), SCREEN);
    for (const { x, y } of places.values()) {
      expect((x - view.x) * view.zoom).toBeGreaterThanOrEqual(0);
      expect((y + TILE.height - view.y) * view.zoom).toBeLessThanOrEqual(SCREEN.height + 1e-6);
    }
  });

  test('the view moves only if the image is not fully visible', () => {
    const view = { x: 0, y: 0, zoom: 1 };
    expect(viewWith(view, { x: 100, y: 100 }, SCREEN)).toEqual(view);
    expect(viewWith(view, { x: 1000, y: 100 }, SCREEN)).toEqual({ x: 364, y: 0, zoom: 1 });
  });
});
