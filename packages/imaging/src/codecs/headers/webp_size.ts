import type { Size } from '../../pixels/plane.ts';
import { brokenPicture, fourCharacters, HEADER_PARTS_MAX } from './header.ts';

const FIRST_CHUNK = 12;
const DATA = FIRST_CHUNK + 8;

/** Size from the first chunk: the canvas of an extended file, else the frame itself. RFC 9649. */
export function webpSize(view: DataView): Size {
  const type = fourCharacters(view, FIRST_CHUNK);
  if (type === 'VP8X') return { width: uint24(view, DATA + 4) + 1, height: uint24(view, DATA + 7) + 1 };
  if (type === 'VP8L') return losslessSize(view);
  if (type === 'VP8 ') return lossySize(view);
  throw brokenPicture('the WebP holds no picture');
}

/** Bytes of the whole file, as its first chunk says. RFC 9649, 2.4. */
export const webpBytes = (view: DataView): number => view.getUint32(4, true) + 8;

/** Whether chunks lie one after the other up to the end of the file; the byte that pads the last may be missing. */
export function webpChunksAreWhole(view: DataView): boolean {
  let offset = FIRST_CHUNK;
  for (let chunks = 0; offset + 8 <= view.byteLength && chunks < HEADER_PARTS_MAX; chunks += 1) {
    const size = view.getUint32(offset + 4, true);
    offset += 8 + size;
    if (offset === view.byteLength) return true;
    offset += size % 2;
  }
  return offset === view.byteLength;
}

const uint24 = (view: DataView, offset: number): number =>
  view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);

function losslessSize(view: DataView): Size {
  if (view.getUint8(DATA) !== 0x2f) throw brokenPicture('the lossless WebP has a wrong signature');
  const bits = view.getUint32(DATA + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** RFC 6386, 9.1: three bytes of frame tag, the start code 9d 01 2a, then two sizes of 14 bits and 2 bits of scale. */
function lossySize(view: DataView): Size {
  if (view.getUint16(DATA + 3) !== 0x9d01) throw brokenPicture('the WebP does not begin with a key frame');
  return { width: view.getUint16(DATA + 6, true) & 0x3fff, height: view.getUint16(DATA + 8, true) & 0x3fff };
}
