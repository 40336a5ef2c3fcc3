import type { Size } from '../../pixels/plane.ts';
import { brokenPicture, HEADER_PARTS_MAX } from './header.ts';

const EXTENSION = 0x21;
const FRAME = 0x2c;

/** The logical screen, made larger where the first frame reaches beyond it, as decoders do. GIF89a, 18 and 20. */
export function gifSize(view: DataView): Size {
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const flags = view.getUint8(10);
  let offset = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  while (view.getUint8(offset) === EXTENSION) offset = skipSubBlocks(view, offset + 2);
  if (view.getUint8(offset) !== FRAME) throw brokenPicture('the GIF has no frame');
  const [left, top, width, height] = [1, 3, 5, 7].map((at) => view.getUint16(offset + at, true));
  return { width: Math.max(screen.width, left! + width!), height: Math.max(screen.height, top! + height!) };
}

function skipSubBlocks(view: DataView, start: number): number {
  let offset = start;
  for (let blocks = 0; blocks < HEADER_PARTS_MAX; blocks += 1) {
    const bytes = view.getUint8(offset);
    offset += bytes + 1;
    if (bytes === 0) return offset;
  }
  throw brokenPicture('a GIF extension does not end');
}
