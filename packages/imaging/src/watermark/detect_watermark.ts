import { readRaster } from '../codecs/read_raster.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { ASPECT_MAX, canonicalFrame, FRAME_SIDE_PX } from './canonical_frame.ts';
import { headerCarrier, TILE_CELLS } from './carrier.ts';
import { codeHeader, type Header, KNOWN_VALUES, openMessage } from './coded_mark.ts';
import { CHANCE, type FoundMark, findMark, findUprightMark, UPRIGHT_CHANCE } from './find_mark.ts';
import { type SeenBlocks, seenBlocks } from './likeness.ts';
import { decodePayload } from './payload_code.ts';
import { type AlignedFrame, align, inPicture, type Placement } from './placement.ts';
import { CELL_PX, detailsOf } from './wavelet.ts';

/** The version changes when marks written before can no longer be read. */
export const WATERMARK_ENGINE = { name: 'atelier-watermark', version: '1' } as const;

/** In pixels, from the upper left. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Sides of what one value of the header lies in, in cells. */
const BLOCK_CELLS = 2;
/** How well values agree where a mark is, before it is known; and how often that is refined. */
const LEVEL = 0.4;
const ROUNDS = 4;
/** Shown in other pixels than it was read in, details are more or less softened. */
const STEP_RATIOS = Array.from({ length: 25 }, (_, index) => 1.01 ** (index - 16));

/** A mark that was read, laid on a frame it may be in. */
interface LaidMark {
  readonly header: Header;
  /** Of a value of the header, in grey levels × 8. */
  readonly step: number;
  readonly placement: Placement;
  readonly aligned: AlignedFrame;
}

/**
 * The part of a frame that says the header of a mark, in pixels of the frame: of all rectangles of blocks that in which they agree the
 * most, each block less half of what blocks in it agree. Another mark that lies beside it with the same pilot says other bits.
 */
function markArea({ header, step, aligned, placement }: LaidMark): Area {
  const blocks = agreementOf(aligned, codeHeader(header), step);
  let best = { x: 0, y: 0, width: blocks.columns, height: blocks.rows };
  for (let round = 0, level = LEVEL; round < ROUNDS; round++) {
    best = bestArea(blocks, level / 2);
    level = Math.max(LEVEL / 2, meanOf(blocks, best));
  }
  const side = BLOCK_CELLS * CELL_PX;
  const at = (column: number, row: number) =>
    inPicture(placement, (blocks.firstColumn + column) * side, (blocks.firstRow + row) * side);
  const [x0, y0] = at(best.x, best.y);
  const [x1, y1] = at(best.x + best.width, best.y + best.height);
  return { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
}

interface Blocks {
  readonly firstColumn: number;
  readonly firstRow: number;
  readonly columns: number;
  readonly rows: number;
  /** 1 where a value says what the header would, -1 where the opposite, on average 0 where no mark is. */
  readonly values: Float32Array;
}

function agreementOf({ frame, grid, usable }: AlignedFrame, bits: Uint8Array, step: number): Blocks {
  const { diagonal } = detailsOf(frame);
  const { placeOf, signs, offsets, perValue } = headerCarrier();
  const firstColumn = Math.ceil(grid.firstColumn / BLOCK_CELLS);
  const firstRow = Math.ceil(grid.firstRow / BLOCK_CELLS);
  const columns = Math.floor((grid.firstColumn + grid.columns) / BLOCK_CELLS) - firstColumn;
  const rows = Math.floor((grid.firstRow + grid.rows) / BLOCK_CELLS) - firstRow;
  const details = new Float32Array(columns * rows);
  const points = new Float32Array(columns * rows).fill(Number.NaN);
  for (let block = 0; block < details.length; block++) {
    const left = (firstColumn + (block % columns)) * BLOCK_CELLS;
    const top = (firstRow + Math.floor(block / columns)) * BLOCK_CELLS;
    let [sum, isKnown, place] = [0, true, 0];
    for (let row = top; row < top + BLOCK_CELLS; row++) {
      for (let column = left; column < left + BLOCK_CELLS; column++) {
        const cell = (row - grid.firstRow) * grid.columns + column - grid.firstColumn;
        const tile = (row & (TILE_CELLS - 1)) * TILE_CELLS + (column & (TILE_CELLS - 1));
        sum += signs[tile]! * diagonal[cell]!;
        isKnown &&= usable[cell] === 1;
        place = placeOf[tile]!;
      }
    }
    // What every mark says tells none from another.
    if (!isKnown || place < KNOWN_VALUES) continue;
    details[block] = sum / Math.sqrt(perValue);
    points[block] = offsets[place]! + bits[place]! / 2;
  }
  const valuesAt = (ratio: number) =>
    details.map((detail, block) => {
      const turns = detail / (step * ratio) - points[block]!;
      return Number.isNaN(turns) ? 0 : Math.cos(2 * Math.PI * turns);
    });
  const sums = STEP_RATIOS.map((ratio) => valuesAt(ratio).reduce((sum, value) => sum + value, 0));
  const values = valuesAt(STEP_RATIOS[sums.indexOf(Math.max(...sums))]!);
  return { firstColumn, firstRow, columns, rows, values };
}

function meanOf({ columns, values }: Blocks, { x, y, width, height }: Area): number {
  let sum = 0;
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) sum += values[row * columns + column]!;
  return sum / (width * height);
}

/** The rectangle with the highest sum of values less `level`: for each pair of rows the best run of columns (Kadane). */
function bestArea({ columns, rows, values }: Blocks, level: number): Area {
  let best = { x: 0, y: 0, width: columns, height: rows };
  let highest = Number.NEGATIVE_INFINITY;
  for (let first = 0; first < rows; first++) {
    const sums = new Float32Array(columns);
    for (let row = first; row < rows; row++) {
      let [run, start] = [0, 0];
      for (let column = 0; column < columns; column++) {
        sums[column]! += values[row * columns + column]! - level;
        if (run <= 0) [run, start] = [0, column];
        run += sums[column]!;
        if (run <= highest) continue;
        highest = run;
        best = { x: start, y: first, width: column - start + 1, height: row - first + 1 };
      }
    }
  }
  return best;
}

/** A mark that lies in a part of a picture, or in all of it. */
interface PartMark {
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
const PARTS_CHANCE = {
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
      xx: at.xx * x,
      xy: at.xy * x,
      yx: at.yx * y,
      yy: at.yy * y,
      left: at.left * x + window.x,
      top: at.top * y + window.y,
    }),
    toFrame: (at: Placement): Placement => ({
      xx: at.xx / x,
      xy: at.xy / x,
      yx: at.yx / y,
      yy: at.yy / y,
      left: (at.left - window.x) / x,
      top: (at.top - window.y) / y,
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
  // Intact bits that are not text were written by another program in our format: only the id is usable.
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

export interface DetectedWatermark {
  /** What was read: the payload itself, or only the id it is registered by; undefined where there is no mark. */
  readonly read?: 'payload' | 'id';
  readonly payload?: string | undefined;
  /** 12 hex digits; may be missing where the payload was read. */
  readonly id?: string | undefined;
  /** How probable it is that chance alone gave this answer; 1 where nothing was found. */
  readonly falsePositiveProbability: number;
  /** How the picture lies now, against the one that was marked. */
  readonly moved?: Moved;
  /** What the picture shows in the coordinates of the mark, to be compared with what was marked. */
  readonly seen?: SeenBlocks | undefined;
  /** Where parts were asked for: every mark with its place, the largest first, which is the one above. */
  readonly marks?: readonly Omit<PartMark, 'placement'>[];
  readonly engine: { name: string; version: string };
}

export interface Moved {
  /** Clockwise, from -180 to 180. */
  readonly rotationDegrees: number;
  /** Enlargement of what is shown, against the shorter side of the picture: 1 for one that was only resized. */
  readonly scale: number;
  readonly mirrored: boolean;
}

/**
 * Reads the watermark of a picture, or finds that there is none. The payload is exactly the one embedded or is not given.
 * @param input `parts`: whether marks that lie in parts of the picture are looked for as well, at some times the cost
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function detectWatermark(input: {
  bytes: Uint8Array;
  parts?: boolean;
}): Promise<DetectedWatermark> {
  const raster = await readRaster(input.bytes);
  if (!input.parts) return readWatermark(raster);
  const parts = readParts(raster).toSorted((one, other) => sizeOf(other) - sizeOf(one));
  const [largest] = parts;
  if (!largest) return asOnePart(readWatermark(raster), raster);
  const { where: _, placement, ...mark } = largest;
  // Against the frame of the picture, which has so many pixels in its shorter side.
  const moved = movementOf(placement, FRAME_SIDE_PX / Math.min(raster.width, raster.height));
  return { ...mark, moved, marks: parts, engine: WATERMARK_ENGINE };
}

const sizeOf = ({ where }: PartMark): number => where.width * where.height;

/** A mark that only the whole search reads, of a turned picture for example, is one of the whole picture. */
function asOnePart(whole: DetectedWatermark, { width, height }: DeepRaster): DetectedWatermark {
  const { read, payload, id, seen } = whole;
  if (!read) return { ...whole, marks: [] };
  const falsePositiveProbability =
    whole.falsePositiveProbability + PARTS_CHANCE[payload === undefined ? 'id' : 'payload'];
  const where = { x: 0, y: 0, width, height };
  const mark = { read, payload, id, falsePositiveProbability, seen, where };
  return { ...whole, falsePositiveProbability, marks: [mark] };
}

/** The shortest waves of a mark have 16 of the frame's 512 pixels where half a picture is left: in 32 pixels that is one. */
const TOO_SMALL_PX = 32;

/**
 * Detects a watermark in decoded pixels. Pictures too narrow or too small to show a mark hold none.
 * @param isMoved false for pictures that are known not to be cut, turned or mirrored: it saves the search
 */
export function readWatermark(raster: DeepRaster, isMoved = true): DetectedWatermark {
  const shorter = Math.min(raster.width, raster.height);
  const longer = Math.max(raster.width, raster.height);
  const hasRoom = shorter > TOO_SMALL_PX && longer <= ASPECT_MAX * shorter;
  const found = hasRoom ? findMark(canonicalFrame(raster), isMoved) : undefined;
  if (!found) return { falsePositiveProbability: 1, engine: WATERMARK_ENGINE };
  const { header, message, placement, aligned } = found;
  // Intact bits that are not text were written by another program in our format: only the id is usable.
  const payload = message && decodePayload(openMessage(message.bits));
  if (payload === undefined && !header) return { falsePositiveProbability: 1, engine: WATERMARK_ENGINE };
  return {
    read: payload === undefined ? 'id' : 'payload',
    ...(payload !== undefined && { payload }),
    ...(header && { id: header.id }),
    falsePositiveProbability: payload === undefined ? CHANCE.id : CHANCE.payload,
    moved: movementOf(placement),
    seen: seenBlocks(aligned),
    engine: WATERMARK_ENGINE,
  };
}

/** @param share what its scale is multiplied with */
function movementOf({ xx, xy, yx, yy }: Placement, share = 1): Moved {
  const area = xx * yy - xy * yx;
  const mirrored = area < 0;
  const angle = mirrored ? Math.atan2(-yx, -xx) : Math.atan2(yx, xx);
  const roundTo = (value: number, digits: number) => Number(value.toFixed(digits)) + 0;
  return {
    rotationDegrees: roundTo((angle * 180) / Math.PI, 1),
    scale: roundTo(share * Math.sqrt(Math.abs(area)), 3),
    mirrored,
  };
}
