import type { Size } from '../../pixels/plane.ts';
import { JPEG_SCANS_MAX } from '../limits.ts';
import { brokenPicture, HEADER_PARTS_MAX } from './header.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * Size from the frame header (SOF), found by walking the segments before the first scan. ITU-T T.81, B.1. A picture of more
 * scans than programs write is refused: each is a pass over all pixels, and a file of 200 KB can hold a thousand of them.
 */
export function jpegSize(view: DataView): Size {
  let offset = 2;
  for (let steps = 0; steps < HEADER_PARTS_MAX; steps += 1) {
    const marker = view.getUint8(offset + 1);
    if (isFillOrStray(view, offset)) offset += 1;
    else if (isFrame(marker)) {
      refuseManyScans(view, offset);
      return { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    } else if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break;
    else offset += 2 + (standsAlone(marker) ? 0 : segmentBytes(view, offset));
  }
  throw brokenPicture('the JPEG has no frame header');
}

/** Walks what follows the frame header. A truncated file has no more scans; the decoder will report it. */
function refuseManyScans(view: DataView, frame: number): void {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const components = view.getUint8(frame + 9);
  let scans = 0;
  let offset = frame;
  while (offset >= 0 && offset + 4 < bytes.length) {
    const marker = bytes[offset + 1]!;
    if (marker === END_OF_IMAGE) return;
    if (marker === START_OF_SCAN) {
      // One scan with all components, read to its end, is the whole picture.
      if (scans === 0 && isSequential(bytes[frame + 1]!) && bytes[offset + 4] === components) return;
      scans += 1;
      if (scans > JPEG_SCANS_MAX) throw brokenPicture(`it has more than ${JPEG_SCANS_MAX} scans`);
    }
    const isSegment = !isFillOrStray(view, offset) && !standsAlone(marker);
    // Between segments lie the pixels, in which no marker occurs but those to start again.
    offset = bytes.indexOf(0xff, offset + (isSegment ? 2 + bytes.readUint16BE(offset + 2) : 1));
  }
}

const isFillOrStray = (view: DataView, offset: number): boolean => {
  const marker = view.getUint8(offset + 1);
  return view.getUint8(offset) !== 0xff || marker === 0xff || marker === 0;
};

/** SOF0 to SOF15, but for the codes of Huffman tables (C4), extensions (C8) and arithmetic conditioning (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Not progressive: SOF2, 6, 10 and 14 are. */
const isSequential = (frame: number): boolean => frame % 4 !== 2;

const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function segmentBytes(view: DataView, offset: number): number {
  const bytes = view.getUint16(offset + 2);
  if (bytes < 2) throw brokenPicture('a JPEG segment is shorter than its own length field');
  return bytes;
}
