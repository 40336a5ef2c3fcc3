import { EngineError } from '../../errors/engine_error.ts';
import type { Size } from '../../pixels/plane.ts';

/**
 * Reads the sides a file's own header states, before EXIF orientation. Offsets outside the file make DataView throw a
 * RangeError, which `readHeader` turns into a clean error: so no reader checks bounds itself, and every loop moves forward
 * by at least a byte and counts its steps.
 */
export type ReadSize = (view: DataView) => Size;

/** More parts than this before the pixels begin is no picture but an attempt to keep us busy. */
export const HEADER_PARTS_MAX = 20_000;

export const brokenPicture = (reason: string): EngineError =>
  new EngineError(
    'undecodable_image',
    `The picture cannot be decoded: ${reason}. Save it again as PNG or JPEG.`,
  );

/** Four bytes as Latin-1 text, such as the type of a chunk or box. */
export const fourCharacters = (view: DataView, offset: number): string =>
  String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  );

export const bytesOf = (view: DataView, start: number, end: number): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).subarray(start, end);
