/** Where images lie on the table and what of it is seen. Lengths in px of the table at zoom 1. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What of the table is seen: its upper left corner, and px of the screen for each px of the table. */
export interface View extends Point {
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** An image of the table, as far as its place goes. */
export interface Lying {
  readonly id: string;
  /** Absent: it takes the first free slot. */
  readonly at?: Point | undefined;
}

/** Side of the square an image is fitted into, and the height of its caption. */
export const CELL_PX = 240;
export const CAPTION_PX = 32;
/** From one slot to the next. */
const PITCH: Point = { x: CELL_PX + 32, y: CELL_PX + CAPTION_PX + 24 };
const COLUMNS = 6;
export const ZOOM_MIN = 0.05;
export const ZOOM_MAX = 4;
/** Around the images when all of them are shown. */
const MARGIN_PX = 24;

export const TILE: Size = { width: CELL_PX, height: CELL_PX + CAPTION_PX };

/**
 * The place of each image: its own, or the first slot that no image before it lies over. Slots are counted in rows of six, whatever the
 * size of the window, so that everyone sees the same table.
 */
export function placesOf(items: readonly Lying[]): ReadonlyMap<string, Point> {
  const taken = new Set<number>();
  for (const { at } of items) if (at) for (const slot of slotsUnder(at)) taken.add(slot);
  const places = new Map<string, Point>();
  let next = 0;
  for (const { id, at } of items) {
    if (!at) {
      while (taken.has(next)) next += 1;
      taken.add(next);
    }
    places.set(id, at ?? pointOf(next));
  }
  return places;
}

const pointOf = (slot: number): Point => ({
  x: (slot % COLUMNS) * PITCH.x,
  y: Math.floor(slot / COLUMNS) * PITCH.y,
});

/** The slots that an image at a point lies over. */
function slotsUnder({ x, y }: Point): number[] {
  const columns = [Math.floor(x / PITCH.x), Math.ceil(x / PITCH.x)];
  const rows = [Math.floor(y / PITCH.y), Math.ceil(y / PITCH.y)];
  return rows.flatMap((row) =>
    columns.flatMap((column) => (row < 0 || column < 0 || column >= COLUMNS ? [] : row * COLUMNS + column)),
  );
}

/** The view zoomed by a factor around a point of the screen, which stays where it is. */
export function zoomAround(view: View, factor: number, on: Point): View {
  const zoom = Math.max(ZOOM_MIN, Math.min(ZOOM_MAX, view.zoom * factor));
  return {
    zoom,
    x: view.x + on.x / view.zoom - on.x / zoom,
    y: view.y + on.y / view.zoom - on.y / zoom,
  };
}

export const onTable = (view: View, { x, y }: Point): Point => ({
  x: view.x + x / view.zoom,
  y: view.y + y / view.zoom,
});

/** Where an image lies in its square: at the bottom, in the middle. Sides that are not known count as one. */
export function cellOf({ width, height }: { readonly width: number | null; readonly height: number | null }) {
  const longer = Math.max(width ?? 1, height ?? 1);
  const fitted = (side: number | null) => Math.max(1, Math.round(((side ?? 1) / longer) * CELL_PX));
  const size: Size = { width: fitted(width), height: fitted(height) };
  return { ...size, left: (CELL_PX - size.width) / 2, top: CELL_PX - size.height };
}

/** The rectangle around all places, with a margin. */
export function frameOf(places: Iterable<Point>) {
  const all = [...places];
  const left = Math.min(...all.map(({ x }) => x)) - MARGIN_PX;
  const top = Math.min(...all.map(({ y }) => y)) - MARGIN_PX;
  const width = Math.max(...all.map(({ x }) => x)) + TILE.width + MARGIN_PX - left;
  const height = Math.max(...all.map(({ y }) => y)) + TILE.height + MARGIN_PX - top;
  return { left, top, width, height };
}

/** The view that shows all places, no larger than 1:1. @param screen size of the window on the table */
export function fitView(places: Iterable<Point>, screen: Size): View {
  const all = [...places];
  if (all.length === 0) return { x: -MARGIN_PX, y: -MARGIN_PX, zoom: 1 };
  const { left, top, width, height } = frameOf(all);
  const zoom = Math.max(ZOOM_MIN, Math.min(1, screen.width / width, screen.height / height));
  return {
    zoom,
    x: left - (screen.width / zoom - width) / 2,
    y: top - (screen.height / zoom - height) / 2,
  };
}

/** The view that shows the whole width, from the top where the images are higher than the window. */
export function homeView(places: Iterable<Point>, screen: Size): View {
  const all = [...places];
  const whole = fitView(all, screen);
  const wide = fitView(all, { width: screen.width, height: Number.POSITIVE_INFINITY });
  if (all.length === 0 || whole.zoom >= wide.zoom) return whole;
  return { ...wide, y: Math.min(...all.map(({ y }) => y)) - MARGIN_PX };
}

/** The view moved as little as shows the image at a place whole. */
export function viewWith(view: View, { x, y }: Point, screen: Size): View {
  const [width, height] = [screen.width / view.zoom, screen.height / view.zoom];
  const shift = (from: number, length: number, start: number, side: number): number => {
    if (start < from) return start - MARGIN_PX;
    return start + side > from + length ? start + side + MARGIN_PX - length : from;
  };
  return {
    zoom: view.zoom,
    x: shift(view.x, width, x, TILE.width),
    y: shift(view.y, height, y, TILE.height),
  };
}

/** Images that lie in a rectangle of the table. */
export const idsWithin = (places: ReadonlyMap<string, Point>, from: Point, to: Point): string[] => {
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  return [...places].flatMap(([id, { x, y }]) =>
    x < right && x + TILE.width > left && y < bottom && y + TILE.height > top ? [id] : [],
  );
};

/** Sideways distance counts more: the next image in a direction is the one that lies straight ahead. */
const ASIDE = 3;

/** The image next to another in a direction, as arrow keys go; undefined at the edge. @param step −1, 0 or 1 each */
export function neighbourOf(
  places: ReadonlyMap<string, Point>,
  id: string,
  [dx, dy]: readonly [number, number],
): string | undefined {
  const from = places.get(id);
  if (!from) return places.keys().next().value;
  let best: { readonly id: string; readonly far: number } | undefined;
  for (const [other, { x, y }] of places) {
    const ahead = (x - from.x) * dx + (y - from.y) * dy;
    if (other === id || ahead <= 0) continue;
    const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    const far = ahead + ASIDE * aside;
    if (!best || far < best.far) best = { id: other, far };
  }
  return best?.id;
}
