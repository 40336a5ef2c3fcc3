import type { Sharp } from 'sharp';
import type { Size } from '../pixels/plane.ts';
import { ICON_SIDES_PX } from './limits.ts';

const DIRECTORY_BYTES = 6;
const ENTRY_BYTES = 16;

export interface WrittenIcon {
  readonly bytes: Buffer;
  /** Of the largest picture in it. */
  readonly side: number;
}

/**
 * An icon file with a square picture in each usual size up to that of the source, stored as PNG; a source that is not square is centred on
 * transparent ground. Layout: [MS-ICO], ICONDIR and ICONDIRENTRY.
 * @param open a new pipeline of the picture for each size; one of that size is stored as it is
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
    // 0 stands for 256.
    head.set([side % 256, side % 256, 0, 0, 1, 0, 32, 0], at);
    head.writeUInt32LE(length, at + 8);
    head.writeUInt32LE(end, at + 12);
    end += length;
  }
  return { bytes: Buffer.concat([head, ...pictures]), side: sides.at(-1)! };
}
