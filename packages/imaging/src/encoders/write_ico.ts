import type { Sharp } from 'sharp';
import type { Size } from '../pixels/plane.ts';
import { ICON_SIDES_PX } from './limits.ts';

const DIRECTORY_BYTES = 6;
const ENTRY_BYTES = 16;

export interface WrittenIcon {
  readonly bytes: Buffer;
  /** Side of the largest image. */
  readonly side: number;
}

/**
 * Writes an icon file with a PNG in each standard size up to that of the source; a non-square source is centred on transparency. Layout:
 * [MS-ICO], ICONDIR and ICONDIRENTRY.
 * @param open opens a new pipeline of the image for each size; an image of exactly that size is stored unchanged
 */
export async function writeIco(
  open: (side: number) => Sharp | Promise<Sharp>,
  { width, height }: Size,
): Promise<WrittenIcon> {
  const longest = Math.max(width, height);
  const fitting = ICON_SIDES_PX.filter((side) => side <= longest);
  const sides = fitting.length > 0 ? fitting : [ICON_SIDES_PX[0]];
  const pictures: Buffer[] = [];
  for (const side of sides) {
    const opened = await open(side);
    const square = { width: side, height: side, fit: 'contain', background: '#00000000' } as const;
    pictures.push(await opened.resize(square).png({ compressionLevel: 9 }).toBuffer());
  }
  const head = Buffer.alloc(DIRECTORY_BYTES + ENTRY_BYTES * sides.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sides.length, 4);
  let end = head.length;
  for (const [index, side] of sides.entries()) {
    const at = DIRECTORY_BYTES + ENTRY_BYTES * index;
    const { length } = pictures[index]!;
    // 0 encodes 256.
    head.set([side % 256, side % 256, 0, 0, 1, 0, 32, 0], at);
    head.writeUInt32LE(length, at + 8);
    head.writeUInt32LE(end, at + 12);
    end += length;
  }
  return { bytes: Buffer.concat([head, ...pictures]), side: sides.at(-1)! };
}
