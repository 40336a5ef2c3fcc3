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

/** The version changes when existing watermarks can no longer be read. */
export const WATERMARK_ENGINE = { name: 'atelier-watermark', version: '1' } as const;

/** In pixels, from the top left. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Side of the block that carries one value of the header, in cells. */
const BLOCK_CELLS = 2;
/** Assumed agreement of values inside a watermark, and number of refinements. */
const LEVEL = 0.4;
const ROUNDS = 4;
/** Ratios of step sizes tried: resampling sharpens or softens details. */
const STEP_RATIOS = Array.from({ length: 25 }, (_, index) => 1.01 ** (index - 16));

/** A detected watermark, aligned with a frame that may contain it. */
interface LaidMark {
  readonly header: Header;
  /** Quantisation step of a header value, in grey levels × 8. */
  readonly step: number;
  readonly placement: Placement;
  readonly aligned: AlignedFrame;
}

/**
 * The area of a frame that carries the header of a watermark, in pixels of the frame: the rectangle of blocks with the highest sum of
 * agreement, each block reduced by half the expected agreement. An adjacent watermark with the same pilot carries other bits.
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
  /** 1 where a value agrees with the header, -1 where it contradicts it; 0 on average without a watermark. */
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
    // Bits shared by all watermarks do not distinguish them.
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

/** The rectangle with the highest sum of values minus `level`: the best run of columns for each pair of rows (Kadane). */
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

/** A watermark in a region of an image, or in all of it. */
interface PartMark {
  readonly read: 'payload' | 'id';
  readonly payload?: string | undefined;
  /** 12 hex digits; may be absent if the payload was read. */
  readonly id?: string | undefined;
  readonly falsePositiveProbability: number;
  /** Approximate position of its bits; uniform margins may be excluded. */
  readonly where: Area;
  /** Block brightness at that position, in the coordinates of the watermark. */
  readonly seen?: SeenBlocks | undefined;
  /** Geometry of the watermark, in pixels of the image. */
  readonly placement: Placement;
}

/** Search windows as fractions of the image: all, four halves, and nine squares of half its sides that overlap by half. */
const WINDOWS: readonly (readonly [x: number, y: number, width: number, height: number])[] = [
  [0, 0, 1, 1],
  ...[0, 0.5].flatMap((at) => [[at, 0, 0.5, 1] as const, [0, at, 1, 0.5] as const]),
  ...[0, 0.25, 0.5].flatMap((y) => [0, 0.25, 0.5].map((x) => [x, y, 0.5, 0.5] as const)),
];
/** Maximum number of watermarks reported; each costs one more reading. */
const MARKS_MAX = 8;
const READINGS = WINDOWS.length + MARKS_MAX;
/** Probability that chance passes one of all checks of all readings. */
const PARTS_CHANCE = {
  payload: READINGS * UPRIGHT_CHANCE.payload,
  id: READINGS * UPRIGHT_CHANCE.id,
} as const;
/** Windows with a shorter side below this contain no readable watermark. */
const WINDOW_SIDE_MIN = 96;
/** Number of times a watermark's area is extended, by half its size on each side. */
const EXTENSIONS = 2;

/** A watermark with its geometry and position in the image. */
interface PlacedMark {
  readonly mark: FoundMark & { readonly header: Header };
  /** In pixels of the image. */
  readonly placement: Placement;
  readonly area: Area;
}

/**
 * Every watermark of a composite image: upright, mirrored or rotated by a multiple of 90°, and at least a quarter of the shorter side. For
 * a watermark found twice, the more certain one. Costs several times a whole search.
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
    // Without its surroundings, more bits are readable, and only its own image is compared.
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

/** The area of a watermark around the region in which it was found. */
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

/** Scale between a frame and the region of the image it was made from. */
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

/** Converts an area of a frame to one of the image, clipped to the window. */
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

/** Extends an area by half its size on each side, within the image. */
function grown({ x, y, width, height }: Area, picture: Size): Area {
  const [left, top] = [Math.max(0, x - (width >> 1)), Math.max(0, y - (height >> 1))];
  return {
    x: left,
    y: top,
    width: Math.min(picture.width, x + width + (width >> 1)) - left,
    height: Math.min(picture.height, y + height + (height >> 1)) - top,
  };
}

/** Bounding box of all areas. */
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
  // `slice` of a Buffer would share its memory.
  const data = new (raster.data instanceof Uint16Array ? Uint16Array : Uint8Array)(line * height);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * raster.width + x) * raster.channels;
    data.set(raster.data.subarray(from, from + line), row * line);
  }
  return { ...raster, width, height, data };
}

export interface DetectedWatermark {
  /** What was readable: the payload itself, or only its registered id; undefined without a watermark. */
  readonly read?: 'payload' | 'id';
  readonly payload?: string | undefined;
  /** 12 hex digits; may be absent if the payload was read. */
  readonly id?: string | undefined;
  /** Probability that this result is due to chance; 1 if nothing was found. */
  readonly falsePositiveProbability: number;
  /** Geometry of the image relative to the watermarked original. */
  readonly moved?: Moved;
  /** Block brightness in the coordinates of the watermark, to compare with the stored descriptor. */
  readonly seen?: SeenBlocks | undefined;
  /** If parts were requested: every watermark with its position, largest first. The first one is described above. */
  readonly marks?: readonly Omit<PartMark, 'placement'>[];
  readonly engine: { name: string; version: string };
}

export interface Moved {
  /** Clockwise, -180 to 180. */
  readonly rotationDegrees: number;
  /** Magnification relative to the shorter side of the image: 1 for an image that was only resized. */
  readonly scale: number;
  readonly mirrored: boolean;
}

/**
 * Detects the watermark of an image. Returns exactly the embedded payload or none.
 * @param input `parts`: also search regions of the image, at several times the cost
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
  // Relative to the frame, whose shorter side has a fixed number of pixels.
  const moved = movementOf(placement, FRAME_SIDE_PX / Math.min(raster.width, raster.height));
  return { ...mark, moved, marks: parts, engine: WATERMARK_ENGINE };
}

const sizeOf = ({ where }: PartMark): number => where.width * where.height;

/** A watermark that only the whole search finds, for example in a rotated image, is reported as covering the whole image. */
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
 * Detects a watermark in decoded pixels. Images too narrow or too small contain none.
 * @param isMoved false for images known not to be cropped, rotated or mirrored: saves the search
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

/** @param share factor for the scale */
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
