import type { Size } from '../../pixels/plane.ts';
import { brokenPicture, fourCharacters, HEADER_PARTS_MAX } from './header.ts';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The largest `ispe` property (ISO/IEC 23008-12, 6.5.3). A file also gives the sizes of its thumbnail, tiles and alpha
 * plane, none of which is larger than the picture.
 */
export function avifSize(view: DataView): Size {
  const meta = child(view, { type: '', start: 0, end: view.byteLength }, 'meta');
  const properties = child(view, child(view, { ...meta, start: meta.start + 4 }, 'iprp'), 'ipco');
  const sizes = boxes(view, properties)
    .filter(({ type }) => type === 'ispe')
    .map(({ start }) => ({ width: view.getUint32(start + 4), height: view.getUint32(start + 8) }));
  if (sizes.length === 0) throw brokenPicture('the AVIF does not state its size');
  return sizes.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
}

function child(view: DataView, parent: Box, type: string): Box {
  const found = boxes(view, parent).find((box) => box.type === type);
  if (!found) throw brokenPicture(`the AVIF has no ${type} box`);
  return found;
}

/** The boxes directly inside a box; stops at one that claims to reach beyond its parent. ISO/IEC 14496-12, 4.2. */
function boxes(view: DataView, parent: Box): Box[] {
  const found: Box[] = [];
  let offset = parent.start;
  while (offset + 8 <= parent.end && found.length < HEADER_PARTS_MAX) {
    const box = boxAt(view, offset, parent.end);
    found.push(box);
    if (box.end <= offset || box.end > parent.end) break;
    offset = box.end;
  }
  return found;
}

function boxAt(view: DataView, offset: number, parentEnd: number): Box {
  const bytes = view.getUint32(offset);
  const type = fourCharacters(view, offset + 4);
  if (bytes === 0) return { type, start: offset + 8, end: parentEnd };
  if (bytes === 1) return { type, start: offset + 16, end: offset + Number(view.getBigUint64(offset + 8)) };
  return { type, start: offset + 8, end: offset + bytes };
}
