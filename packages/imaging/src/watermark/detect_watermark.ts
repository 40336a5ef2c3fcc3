import { readRaster } from '../codecs/read_raster.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { ASPECT_MAX, canonicalFrame, FRAME_SIDE_PX } from './canonical_frame.ts';
import { PARTS_CHANCE, type PartMark, readParts } from './detect_parts.ts';
import { CHANCE, findMark } from './find_mark.ts';
import { type SeenBlocks, seenBlocks } from './likeness.ts';
import { openMessage } from './message_class.ts';
import { decodePayload } from './payload_code.ts';
import type { Placement } from './placement.ts';
import { WATERMARK_ENGINE } from './watermark_engine.ts';

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
  // Whole bits that are no text were written by somebody else, in our format: then only the id says something.
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
