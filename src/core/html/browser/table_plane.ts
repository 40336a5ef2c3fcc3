/** Positions of images on the table and the visible area. Lengths in table px (at zoom 1). */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Visible area: upper left corner in table px, and screen px per table px. */
export interface View extends Point {
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Position of an image on the table. */
export interface Placement {
  readonly id: string;
  /** Unset: the first free slot. */
  readonly at?: Point | undefined;
}

/** Side of the square an image is fitted into, and the height of its caption. */
export const CELL_PX = 240;
export const CAPTION_PX = 32;
/** Distance between slots. */
const PITCH: Point = { x: CELL_PX + 32, y: CELL_PX + CAPTION_PX + 24 };
const COLUMNS = 6;
export const ZOOM_MIN = 0.05;
export const ZOOM_MAX = 4;
/** Margin around all images. */
const MARGIN_PX = 24;

export const TILE: Size = { width: CELL_PX, height: CELL_PX + CAPTION_PX };

/**
 * Position of each image: its own, or the first slot not covered by an earlier image. Rows have six slots regardless of the window
 * size, so that every viewer sees the same layout.
 */
export function placesOf(items: readonly Placement[]): ReadonlyMap<string, Point> {
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

/** The slots covered by an image at a point. */
function slotsUnder({ x, y }: Point): number[] {
  const columns = [Math.floor(x / PITCH.x), Math.ceil(x / PITCH.x)];
  const rows = [Math.floor(y / PITCH.y), Math.ceil(y / PITCH.y)];
  return rows.flatMap((row) =>
    columns.flatMap((column) => (row < 0 || column < 0 || column >= COLUMNS ? [] : row * COLUMNS + column)),
  );
}

/** Zooms the view by a factor around a fixed screen point. */
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

/** Position of an image in its cell: bottom centre. Unknown sides count as 1. */
export function cellOf({ width, height }: { readonly width: number | null; readonly height: number | null }) {
  const longer = Math.max(width ?? 1, height ?? 1);
  const fitted = (side: number | null) => Math.max(1, Math.round(((side ?? 1) / longer) * CELL_PX));
  const size: Size = { width: fitted(width), height: fitted(height) };
  return { ...size, left: (CELL_PX - size.width) / 2, top: CELL_PX - size.height };
}

/** Bounding box of all positions, with a margin. */
export function frameOf(places: Iterable<Point>) {
  const all = [...places];
  const left = Math.min(...all.map(({ x }) => x)) - MARGIN_PX;
  const top = Math.min(...all.map(({ y }) => y)) - MARGIN_PX;
  const width = Math.max(...all.map(({ x }) => x)) + TILE.width + MARGIN_PX - left;
  const height = Math.max(...all.map(({ y }) => y)) + TILE.height + MARGIN_PX - top;
  return { left, top, width, height };
}

/** View that shows all images, at most 1:1. @param screen size of the table element */
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

/** View of the full width, from the top if the images are higher than the window. */
export function homeView(places: Iterable<Point>, screen: Size): View {
  const all = [...places];
  const whole = fitView(all, screen);
  const wide = fitView(all, { width: screen.width, height: Number.POSITIVE_INFINITY });
  if (all.length === 0 || whole.zoom >= wide.zoom) return whole;
  return { ...wide, y: Math.min(...all.map(({ y }) => y)) - MARGIN_PX };
}

/** Smallest pan that shows the whole image at a position. */
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

/** Images that intersect a rectangle of the table. */
export const idsWithin = (places: ReadonlyMap<string, Point>, from: Point, to: Point): string[] => {
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  return [...places].flatMap(([id, { x, y }]) =>
    x < right && x + TILE.width > left && y < bottom && y + TILE.height > top ? [id] : [],
  );
};

/** Weight of sideways distance, which favours images straight ahead. */
const ASIDE = 3;

/** Nearest image in an arrow-key direction; undefined at the edge. @param step −1, 0 or 1 each */
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
