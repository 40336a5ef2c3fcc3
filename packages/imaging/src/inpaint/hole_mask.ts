import { EngineError } from '../errors/engine_error.ts';
import { connectedComponents } from '../pixels/connected_components.ts';
import { distanceInside } from '../pixels/distance_inside.ts';
import type { Size } from '../pixels/plane.ts';
import type { Region } from '../segmentation/letterbox.ts';
import { PARTS_MAX } from './limits.ts';

/** Coverage of each pixel by the hole, 0 to 255, row by row. */
export type Cover = Uint8Array;

/** Rasterises boxes to 0 or 255, including every pixel they touch. @throws EngineError invalid_input naming a box outside the image */
export function coverOfBoxes(boxes: readonly Region[], { width, height }: Size): Cover {
  const cover = new Uint8Array(width * height);
  for (const [at, box] of boxes.entries()) {
    const [left, top] = [Math.max(0, Math.floor(box.left)), Math.max(0, Math.floor(box.top))];
    const right = Math.min(width, Math.ceil(box.left + box.width));
    const bottom = Math.min(height, Math.ceil(box.top + box.height));
    if (right <= left || bottom <= top) throw outside(at, { width, height });
    for (let y = top; y < bottom; y++) cover.fill(255, y * width + left, y * width + right);
  }
  return cover;
}

/** Detected regions as fractions of width and height from the top left, with padding as a fraction of their height. */
export interface DetectedRegions {
  readonly parts: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly room: number;
}

/** Boxes in pixels around detected regions. */
export const boxesAround = ({ parts, room }: DetectedRegions, { width, height }: Size): Region[] =>
  parts.map((part) => {
    const around = room * part.height * height;
    return {
      left: part.x * width - around,
      top: part.y * height - around,
      width: part.width * width + 2 * around,
      height: part.height * height + 2 * around,
    };
  });

function outside(at: number, { width, height }: Size): EngineError {
  const message = `is outside the image, which has ${width} × ${height} pixels`;
  return new EngineError('invalid_input', `where[${at}] ${message}. You were not charged.`, {
    errors: [{ field: 'where', code: 'out_of_range', message }],
  });
}

/** The part of a cover inside a box, fading out over `feather` pixels beyond its edge. */
export function featheredPart(cover: Cover, { width }: Size, box: Region, feather: number): Cover {
  const part = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    const start = (box.top + y) * width + box.left;
    part.set(cover.subarray(start, start + box.width), y * box.width);
  }
  if (feather < 1) return part;
  const away = distanceInside(
    part.map((value) => (value > 127 ? 0 : 1)),
    box.width,
  );
  return part.map((value, at) => Math.max(value, Math.round(255 * (1 - away[at]! / (feather + 1)))));
}

/** Side in pixels of the cells that a hole is divided into, and the limit of cells per side. */
const CELL_PX = 8;
const CELLS_MAX = 256;

/** Bounding boxes, in pixels, of the separate parts of a cover; a single box if there are many. */
export function partsOf(cover: Cover, { width, height }: Size): Region[] {
  const cell = Math.max(CELL_PX, Math.ceil(Math.max(width, height) / CELLS_MAX));
  const columns = Math.ceil(width / cell);
  const cells = new Uint8Array(columns * Math.ceil(height / cell));
  for (let at = 0; at < cover.length; at++)
    if (cover[at])
      cells[Math.floor(Math.floor(at / width) / cell) * columns + Math.floor((at % width) / cell)] = 1;
  const boxes: Box[] = [];
  for (const patch of connectedComponents(cells, columns)) boxes.push(boxOf(patch, columns));
  const merged = boxes.length > CELL_BOXES_MAX ? [around(boxes)] : mergeTouching(boxes);
  return (merged.length > PARTS_MAX ? [around(merged)] : merged).map(({ left, top, right, bottom }) => ({
    left: left * cell,
    top: top * cell,
    width: Math.min(width, right * cell) - left * cell,
    height: Math.min(height, bottom * cell) - top * cell,
  }));
}

/** Limit for pairwise comparison. */
const CELL_BOXES_MAX = 400;

interface Box {
  readonly left: number;
  readonly top: number;
  /** Exclusive. */
  readonly right: number;
  readonly bottom: number;
}

function boxOf(patch: Int32Array, columns: number): Box {
  return around(
    [...patch].map((at) => {
      const [left, top] = [at % columns, Math.floor(at / columns)];
      return { left, top, right: left + 1, bottom: top + 1 };
    }),
  );
}

const around = (boxes: readonly Box[]): Box =>
  boxes.reduce((all, box) => ({
    left: Math.min(all.left, box.left),
    top: Math.min(all.top, box.top),
    right: Math.max(all.right, box.right),
    bottom: Math.max(all.bottom, box.bottom),
  }));

/** Merges boxes that overlap or are within one cell of each other. */
function mergeTouching(boxes: readonly Box[]): Box[] {
  const merged: Box[] = [];
  for (const box of boxes) {
    let grown = box;
    for (
      let at = merged.findIndex((other) => touches(other, grown));
      at >= 0;
      at = merged.findIndex((other) => touches(other, grown))
    )
      grown = around([grown, ...merged.splice(at, 1)]);
    merged.push(grown);
  }
  return merged;
}

const touches = (one: Box, other: Box): boolean =>
  one.left <= other.right + 1 &&
  other.left <= one.right + 1 &&
  one.top <= other.bottom + 1 &&
  other.top <= one.bottom + 1;
