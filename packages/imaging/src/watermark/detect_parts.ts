import type { DeepRaster } from '../pixels/raster.ts';
import { ASPECT_MAX, canonicalFrame } from './canonical_frame.ts';
import { type FoundMark, findUprightMark, UPRIGHT_CHANCE } from './find_mark.ts';
import { type SeenBlocks, seenBlocks } from './likeness.ts';
import { type Area, markArea } from './mark_area.ts';
import { type Header, openMessage } from './message_class.ts';
import { decodePayload } from './payload_code.ts';
import { align, type Placement } from './placement.ts';

/** A mark that lies in a part of a picture, or in all of it. */
export interface PartMark {
  readonly read: 'payload' | 'id';
  readonly payload?: string | undefined;
  /** 12 hex digits; may be missing where the payload was read. */
  readonly id?: string | undefined;
  readonly falsePositiveProbability: number;
  /** Roughly where its bits were found: flat margins may be missing. */
  readonly where: Area;
  /** What is shown there, in the coordinates of the mark. */
  readonly seen?: SeenBlocks | undefined;
  /** How it lies, in pixels of the picture. */
  readonly placement: Placement;
}

/** Where is looked: all, four halves, and nine squares of half its sides that overlap by halves; as shares of the picture. */
const WINDOWS: readonly (readonly [x: number, y: number, width: number, height: number])[] = [
  [0, 0, 1, 1],
  ...[0, 0.5].flatMap((at) => [[at, 0, 0.5, 1] as const, [0, at, 1, 0.5] as const]),
  ...[0, 0.25, 0.5].flatMap((y) => [0, 0.25, 0.5].map((x) => [x, y, 0.5, 0.5] as const)),
];
/** Marks that are answered; each costs one more reading. */
const MARKS_MAX = 8;
const READINGS = WINDOWS.length + MARKS_MAX;
/** How probable it is that chance passes one of all checks of all readings. */
export const PARTS_CHANCE = {
  payload: READINGS * UPRIGHT_CHANCE.payload,
  id: READINGS * UPRIGHT_CHANCE.id,
} as const;
/** Fewer pixels in the shorter side of a window show no mark. */
const WINDOW_SIDE_MIN = 96;
/** How often it is looked whether a mark goes on, half as far again to each side. */
const EXTENSIONS = 2;

/** A mark as it lies in the picture, and where. */
interface PlacedMark {
  readonly mark: FoundMark & { readonly header: Header };
  /** In pixels of the picture. */
  readonly placement: Placement;
  readonly area: Area;
}

/**
 * Every mark of a picture put together of several, or with one laid on it: upright, mirrored or turned by quarters, and at least a
 * quarter of the shorter side. Of one mark that is there twice the surer one. Costs up to some times as much as a whole search.
 */
export function readParts(raster: DeepRaster): PartMark[] {
  const found = new Map<string, { first: PlacedMark; areas: Area[] }>();
  for (const window of WINDOWS.map((shares) => windowOf(raster, shares))) {
    const seen = lookAt(raster, window);
    if (!seen) continue;
    const key = seen.mark.header.id;
    const known = found.get(key);
    if (known) known.areas.push(seen.area);
    else if (found.size < MARKS_MAX) found.set(key, { first: seen, areas: [seen.area] });
  }
  return [...found.values()].map(({ first, areas }) => {
    let where = around(areas);
    for (let round = 0; round < EXTENSIONS; round++) where = around([where, extend(raster, first, where)]);
    // Without what lies around it more of it is read, and only its own picture is seen.
    const again = lookAt(raster, where);
    return answerOf(again?.mark.header.id === first.mark.header.id ? again : first, where);
  });
}

function lookAt(raster: DeepRaster, window: Area): PlacedMark | undefined {
  if (!isRoomy(window)) return undefined;
  const frame = canonicalFrame(cut(raster, window));
  const found = findUprightMark(frame);
  if (!found?.header) return undefined;
  const mark = { ...found, header: found.header };
  const { toPicture } = scalesOf(window, frame);
  return { mark, placement: toPicture(mark.placement), area: areaOf(window, frame, markArea(mark)) };
}

/** Where a mark is in the surroundings of a part that it is known to be in. */
function extend(raster: DeepRaster, { mark, placement }: PlacedMark, known: Area): Area {
  const window = grown(known, raster);
  if (!isRoomy(window)) return known;
  const frame = canonicalFrame(cut(raster, window));
  const laid = scalesOf(window, frame).toFrame(placement);
  const aligned = align(frame, laid);
  return aligned ? areaOf(window, frame, markArea({ ...mark, placement: laid, aligned })) : known;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Between a frame and the part of the picture it was made of. */
function scalesOf(window: Area, { width, height }: Size) {
  const [x, y] = [window.width / width, window.height / height];
  return {
    toPicture: (at: Placement): Placement => ({
      ...{ xx: at.xx * x, xy: at.xy * x, yx: at.yx * y, yy: at.yy * y },
      ...{ left: at.left * x + window.x, top: at.top * y + window.y },
    }),
    toFrame: (at: Placement): Placement => ({
      ...{ xx: at.xx / x, xy: at.xy / x, yx: at.yx / y, yy: at.yy / y },
      ...{ left: (at.left - window.x) / x, top: (at.top - window.y) / y },
    }),
  };
}

/** An area of a frame as one of the picture, no larger than the window. */
function areaOf(window: Area, frame: Size, area: Area): Area {
  const [across, down] = [window.width / frame.width, window.height / frame.height];
  const place = (value: number, most: number) => Math.round(Math.max(0, Math.min(most, value)));
  const [x, y] = [place(area.x * across, window.width - 1), place(area.y * down, window.height - 1)];
  return {
    x: window.x + x,
    y: window.y + y,
    width: Math.max(1, place((area.x + area.width) * across, window.width) - x),
    height: Math.max(1, place((area.y + area.height) * down, window.height) - y),
  };
}

function answerOf({ mark, placement }: PlacedMark, where: Area): PartMark {
  // Whole bits that are no text were written by somebody else, in our format: then only the id says something.
  const payload = mark.message && decodePayload(openMessage(mark.message.bits));
  return {
    read: payload === undefined ? 'id' : 'payload',
    ...(payload !== undefined && { payload }),
    id: mark.header.id,
    falsePositiveProbability: payload === undefined ? PARTS_CHANCE.id : PARTS_CHANCE.payload,
    where,
    seen: seenBlocks(mark.aligned),
    placement,
  };
}

function isRoomy({ width, height }: Area): boolean {
  const shorter = Math.min(width, height);
  return shorter >= WINDOW_SIDE_MIN && Math.max(width, height) <= ASPECT_MAX * shorter;
}

const windowOf = (
  { width, height }: Size,
  [x, y, wide, high]: readonly [number, number, number, number],
): Area => ({
  x: Math.floor(x * width),
  y: Math.floor(y * height),
  width: Math.floor(wide * width),
  height: Math.floor(high * height),
});

/** By half its size on each side, as far as the picture goes. */
function grown({ x, y, width, height }: Area, picture: Size): Area {
  const [left, top] = [Math.max(0, x - (width >> 1)), Math.max(0, y - (height >> 1))];
  return {
    x: left,
    y: top,
    width: Math.min(picture.width, x + width + (width >> 1)) - left,
    height: Math.min(picture.height, y + height + (height >> 1)) - top,
  };
}

/** The smallest area that holds all. */
function around(areas: readonly Area[]): Area {
  const [x, y] = [Math.min(...areas.map((area) => area.x)), Math.min(...areas.map((area) => area.y))];
  return {
    x,
    y,
    width: Math.max(...areas.map((area) => area.x + area.width)) - x,
    height: Math.max(...areas.map((area) => area.y + area.height)) - y,
  };
}

function cut(raster: DeepRaster, { x, y, width, height }: Area): DeepRaster {
  if (width === raster.width && height === raster.height) return raster;
  const line = width * raster.channels;
  // Not `slice`, which of a Buffer is no copy.
  const data = new (raster.data instanceof Uint16Array ? Uint16Array : Uint8Array)(line * height);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * raster.width + x) * raster.channels;
    data.set(raster.data.subarray(from, from + line), row * line);
  }
  return { ...raster, width, height, data };
}
