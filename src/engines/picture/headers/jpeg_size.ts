import { broken, HEADER_PARTS_MAX, type Size } from './header.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Size from the frame header (SOF), found by walking the segments before the first scan. ITU-T T.81, B.1. */
export function jpegSize(view: DataView): Size {
  let offset = 2;
  for (let steps = 0; steps < HEADER_PARTS_MAX; steps += 1) {
    const marker = view.getUint8(offset + 1);
    const isFillOrStray = view.getUint8(offset) !== 0xff || marker === 0xff || marker === 0;
    if (isFillOrStray) offset += 1;
    else if (isFrame(marker))
      return { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    else if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break;
    else offset += 2 + (standsAlone(marker) ? 0 : segmentBytes(view, offset));
  }
  throw broken('the JPEG has no frame header');
}

/** SOF0 to SOF15, but for the codes of Huffman tables (C4), extensions (C8) and arithmetic conditioning (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function segmentBytes(view: DataView, offset: number): number {
  const bytes = view.getUint16(offset + 2);
  if (bytes < 2) throw broken('a JPEG segment is shorter than its own length field');
  return bytes;
}
