import { type Box, boxAround } from '../pixels/box.ts';
import type { Size } from '../pixels/plane.ts';

/** Constraints of a crop. All boxes are in image pixels. */
export interface CropRequest {
  readonly picture: Size;
  /** Dimensions of the crop. A missing one follows from the other and `aspect`; without `aspect` it is the full side of the image. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Width divided by height. Alone: the largest crop of that aspect ratio. */
  readonly aspect?: number | undefined;
  /**
   * Faces take priority over everything else; the crop leaves room for hair and chin and places faces above the centre. Only the first 100
   * are used.
   */
  readonly faces?: readonly Box[] | undefined;
  /** Other regions to include, such as lines of text or the subject whose faces these are. Only the first 100 are used. */
  readonly places?: readonly Box[] | undefined;
  /** Room around faces and regions, as a fraction of their sides. */
  readonly padding?: number | undefined;
  /** With `aspect`: the smallest crop around the regions instead of the largest. Implied if neither dimension nor aspect is given. */
  readonly tight?: boolean | undefined;
  /** Position of the crop if no region determines it: 0 is left or top, 1 is right or bottom. */
  readonly anchor?: { readonly x: number; readonly y: number } | undefined;
}

export interface ChosenCrop {
  /** Whole pixels, inside the image. */
  readonly box: Box;
  /** Number of faces and regions that the crop edge cuts through. */
  readonly cut: { readonly faces: number; readonly places: number };
}

export const PADDING = 0.08;
const BOXES_MAX = 100;
/** Parts of the head outside a face box, as fractions of its sides. */
const HEAD = { above: 0.4, beside: 0.15, below: 0.15 } as const;
/** Vertical position of the face centre in a crop with enough room: the eyes are about a third from the top. */
const FACE_LEVEL = 0.4;
/** Fraction of the surplus height that is cut at the top: the upper part of people and objects is more informative. */
const SURPLUS_ABOVE = 1 / 3;

/**
 * Chooses a crop. In order of priority: it contains as many faces as fit (largest first), then other regions; its edge cuts no further ones
 * if that can be avoided; it leaves padding around them; faces are placed high and everything else is centred.
 * @param request dimensions larger than the image are clamped to it
 */
export function chooseCrop(request: CropRequest): ChosenCrop {
  const { picture, anchor = { x: 0.5, y: 0.5 } } = request;
  const within = (boxes: readonly Box[] = []) =>
    boxes.slice(0, BOXES_MAX).map((box) => roundOut(box, picture));
  const seen = { faces: within(request.faces), places: within(request.places) };
  const size = sizeOf(request, seen);
  const room = { width: picture.width - size.width, height: picture.height - size.height };
  const box =
    seen.faces.length + seen.places.length === 0
      ? { ...size, x: share(room.width, anchor.x), y: share(room.height, anchor.y) }
      : windowAround(seen, { picture, size, padding: request.padding ?? PADDING });
  return { box, cut: { faces: countCut(seen.faces, box), places: countCut(seen.places, box) } };
}

const share = (room: number, part: number): number => Math.round(room * Math.min(1, Math.max(0, part)));

const headOf = ({ x, y, width, height }: Box): Box => ({
  x: x - HEAD.beside * width,
  y: y - HEAD.above * height,
  width: (1 + 2 * HEAD.beside) * width,
  height: (1 + HEAD.above + HEAD.below) * height,
});

/** The smallest whole-pixel box around a box, inside the image and at least one pixel large. */
export function roundOut({ x, y, width, height }: Box, picture: Size): Box {
  const [left, right] = spanWithin(x, x + width, picture.width);
  const [top, bottom] = spanWithin(y, y + height, picture.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function spanWithin(from: number, to: number, side: number): [number, number] {
  const start = Math.min(side - 1, Math.max(0, Math.floor(from)));
  return [start, Math.max(start + 1, Math.min(side, Math.ceil(to)))];
}

function grow({ x, y, width, height }: Box, part: number, picture: Size): Box {
  const [across, down] = [part * width, part * height];
  return roundOut(
    { x: x - across, y: y - down, width: width + 2 * across, height: height + 2 * down },
    picture,
  );
}

const clampSide = (value: number, most: number): number => Math.min(most, Math.max(1, Math.round(value)));

interface Seen {
  readonly faces: readonly Box[];
  readonly places: readonly Box[];
}

/** Dimensions of the crop. */
function sizeOf({ picture, width, height, aspect, tight, padding = PADDING }: CropRequest, seen: Seen): Size {
  const across = width ?? (height !== undefined && aspect ? height * aspect : undefined);
  const down = height ?? (width !== undefined && aspect ? width / aspect : undefined);
  if (across !== undefined || down !== undefined)
    return {
      width: clampSide(across ?? picture.width, picture.width),
      height: clampSide(down ?? picture.height, picture.height),
    };
  const boxes = [...seen.faces.map(headOf), ...seen.places];
  const around = boxes.length > 0 ? grow(boxAround(boxes), padding, picture) : { ...picture };
  if (aspect === undefined) return { width: around.width, height: around.height };
  const largest = Math.min(picture.width, picture.height * aspect);
  const wide = tight ? Math.min(largest, Math.max(around.width, around.height * aspect)) : largest;
  return { width: clampSide(wide, picture.width), height: clampSide(wide / aspect, picture.height) };
}

interface Frame {
  readonly picture: Size;
  readonly size: Size;
  readonly padding: number;
}

/** The window around the faces, if any, extended to the other regions if they fit; otherwise around the regions. */
function windowAround({ faces, places }: Seen, { picture, size, padding }: Frame): Box {
  const hasFaces = faces.length > 0;
  const all = hasFaces ? faces : places;
  const chosen = new Set(mostIn(all, size, picture));
  const held = all.filter((_, at) => chosen.has(at));
  const others = all.filter((_, at) => !chosen.has(at));
  const bare = boxAround(held);
  const head = hasFaces ? roundOut(headsAround(held), picture) : bare;
  const whole = hasFaces && places.length > 0 ? boxAround([head, ...places]) : head;
  const rooms = [grow(whole, padding, picture), whole, grow(head, padding, picture), head, bare];
  const ideal = {
    x: middleOf(whole.width <= size.width ? whole : bare, 'x') - size.width / 2,
    y:
      hasFaces && (whole === head || whole.height > size.height)
        ? topAbove({ face: bare, head }, size.height)
        : middleOf(whole, 'y') - size.height / 2,
  };
  const windows = rooms.map((_, first) => {
    const x = rangeOf(rooms.slice(first), 'x', { picture, size });
    const y = rangeOf(rooms.slice(first), 'y', { picture, size });
    return placeWindow({ x, y }, { ideal, size, others });
  });
  const fewest = Math.min(...windows.map((window) => countCut(others, window)));
  return windows.find((window) => countCut(others, window) === fewest)!;
}

/** Best top edge of a window of a given height above faces. If a head is taller than the window, more hair is kept than neck. */
function topAbove({ face, head }: { face: Box; head: Box }, height: number): number {
  if (head.height <= height) return middleOf(face, 'y') - FACE_LEVEL * height;
  return face.y - ((height - face.height) * HEAD.above) / (HEAD.above + HEAD.below);
}

const headsAround = (faces: readonly Box[]): Box => boxAround(faces.map(headOf));

const middleOf = (box: Box, axis: 'x' | 'y'): number =>
  box[axis] + box[axis === 'x' ? 'width' : 'height'] / 2;

/** Indices of the boxes that fit one window together, with the largest total side length. If none fits: the largest box. */
function mostIn(places: readonly Box[], size: Size, picture: Size): number[] {
  const lengths = places.map(({ width, height }) => Math.sqrt(width * height));
  let best: { held: number[]; length: number } = { held: [lengths.indexOf(Math.max(...lengths))], length: 0 };
  // A window can be moved right and down until its edges meet a box it contains or the image border.
  const lefts = new Set(places.map(({ x }) => Math.min(x, picture.width - size.width)));
  const tops = new Set(places.map(({ y }) => Math.min(y, picture.height - size.height)));
  for (const x of lefts)
    for (const y of tops) {
      let length = 0;
      for (const [at, place] of places.entries())
        if (isInside(place, { x, y, ...size })) length += lengths[at]!;
      if (length <= best.length) continue;
      const held = [...places.keys()].filter((at) => isInside(places[at]!, { x, y, ...size }));
      best = { held, length };
    }
  return best.held;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** Range of start positions along one axis for which the window contains the first box that fits; for larger boxes a single position. */
function rangeOf(
  boxes: readonly Box[],
  axis: 'x' | 'y',
  { picture, size }: { picture: Size; size: Size },
): Range {
  const side = axis === 'x' ? 'width' : 'height';
  const room = picture[side] - size[side];
  for (const box of boxes) {
    const least = Math.max(0, box[axis] + box[side] - size[side]);
    const most = Math.min(room, box[axis]);
    if (least <= most) return { least, most };
  }
  const last = boxes.at(-1)!;
  const before = (last[side] - size[side]) * (axis === 'x' ? 0.5 : SURPLUS_ABOVE);
  const only = Math.min(room, Math.max(0, Math.round(last[axis] + before)));
  return { least: only, most: only };
}

/** Chooses the window within two ranges that cuts the fewest other boxes; ties go to the one nearest to the ideal position. */
function placeWindow(
  ranges: { readonly x: Range; readonly y: Range },
  { ideal, size, others }: { ideal: { x: number; y: number }; size: Size; others: readonly Box[] },
): Box {
  let window = { x: clampTo(ranges.x, ideal.x), y: clampTo(ranges.y, ideal.y), ...size };
  for (const [axis, side] of [
    ['x', 'width'],
    ['y', 'height'],
  ] as const) {
    const aim = window[axis];
    const edges = others.flatMap((other) => [other[axis] - size[side], other[axis] + other[side]]);
    const starts = [aim, ...edges.map((start) => clampTo(ranges[axis], start))];
    const windows = starts.map((start) => ({ ...window, [axis]: start }));
    window = windows.reduce((best, one) => {
      const [fewer, nearer] = [
        countCut(others, one) - countCut(others, best),
        Math.abs(one[axis] - aim) - Math.abs(best[axis] - aim),
      ];
      return fewer < 0 || (fewer === 0 && nearer < 0) ? one : best;
    });
  }
  return window;
}

const clampTo = ({ least, most }: Range, value: number): number =>
  Math.min(most, Math.max(least, Math.round(value)));

const countCut = (places: readonly Box[], window: Box): number =>
  places.reduce((count, place) => count + (isCut(place, window) ? 1 : 0), 0);

const isInside = (place: Box, window: Box): boolean =>
  place.x >= window.x &&
  place.y >= window.y &&
  place.x + place.width <= window.x + window.width &&
  place.y + place.height <= window.y + window.height;

const isCut = (place: Box, window: Box): boolean =>
  place.x < window.x + window.width &&
  place.y < window.y + window.height &&
  place.x + place.width > window.x &&
  place.y + place.height > window.y &&
  !isInside(place, window);
