export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

interface BmpShape {
  readonly bits: 1 | 2 | 4 | 8 | 16 | 24 | 32;
  readonly isTopDown?: boolean;
  readonly header?: 'core' | 'info';
}

/** Rows of colours from the top; with masks, a file of bit fields with a version 4 header. */
interface DrawnBmp extends BmpShape {
  readonly rows: readonly (readonly Rgba[])[];
  readonly masks?: readonly [number, number, number, number];
}

/** Run-length data of 4 or 8 bits, encoded as in the file. */
interface RunLengthBmp extends BmpShape {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly Rgba[];
  readonly runs: readonly number[];
}

/** Writes a bitmap of any variant. */
export function writeBmp(picture: DrawnBmp | RunLengthBmp): Uint8Array {
  const isRuns = 'runs' in picture;
  const { bits, header = 'info' } = picture;
  const palette = bits > 8 ? [] : isRuns ? picture.palette : paletteOf(picture.rows);
  const width = isRuns ? picture.width : picture.rows[0]!.length;
  const height = isRuns ? picture.height : picture.rows.length;
  const masks = isRuns ? undefined : picture.masks;
  const compression = isRuns ? (bits === 8 ? 1 : 2) : masks ? 3 : 0;
  const pixels = isRuns ? Buffer.from(picture.runs) : pixelsOf(picture, palette);
  const dib = header === 'core' ? coreHeader(width, height, bits) : infoHeader(masks ? 108 : 40);
  if (header === 'info') {
    dib.writeInt32LE(width, 4);
    dib.writeInt32LE(picture.isTopDown ? -height : height, 8);
    dib.writeUInt16LE(1, 12);
    dib.writeUInt16LE(bits, 14);
    dib.writeUInt32LE(compression, 16);
    dib.writeUInt32LE(pixels.length, 20);
    dib.writeUInt32LE(palette.length, 32);
    for (const [index, mask] of (masks ?? []).entries()) dib.writeUInt32LE(mask, 40 + 4 * index);
  }
  const entries = Array.from(
    { length: header === 'core' && bits <= 8 ? 1 << bits : palette.length },
    (_, at) => {
      const [red, green, blue] = palette[at] ?? [0, 0, 0, 0];
      return header === 'core' ? [blue, green, red] : [blue, green, red, 0];
    },
  );
  const body = Buffer.concat([dib, Buffer.from(entries.flat())]);
  const file = Buffer.alloc(14);
  file.write('BM', 'latin1');
  file.writeUInt32LE(14 + body.length + pixels.length, 2);
  file.writeUInt32LE(14 + body.length, 10);
  return Buffer.concat([file, body, pixels]);
}

function infoHeader(bytes: number): Buffer {
  const header = Buffer.alloc(bytes);
  header.writeUInt32LE(bytes, 0);
  return header;
}

function coreHeader(width: number, height: number, bits: number): Buffer {
  const header = infoHeader(12);
  for (const [index, value] of [width, height, 1, bits].entries()) header.writeUInt16LE(value, 4 + 2 * index);
  return header;
}

const nameOf = (color: Rgba) => color.slice(0, 3).join();
const paletteOf = (rows: DrawnBmp['rows']): Rgba[] => [
  ...new Map(rows.flat().map((color) => [nameOf(color), color])).values(),
];

function pixelsOf({ rows, bits, isTopDown, masks }: DrawnBmp, palette: readonly Rgba[]): Buffer {
  const fields = masks ?? (bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0]);
  const ordered = isTopDown ? rows : rows.toReversed();
  const numberOf = (color: Rgba): bigint =>
    bits <= 8
      ? BigInt(palette.findIndex((one) => nameOf(one) === nameOf(color)))
      : fields.reduce((sum, mask, channel) => {
          const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
          return sum | (BigInt(Math.round((color[channel]! / 255) * (mask >>> shift))) << BigInt(shift));
        }, 0n);
  return Buffer.concat(
    ordered.map((row) => {
      const line = Buffer.alloc(4 * Math.ceil((row.length * bits) / 32));
      for (const [x, color] of row.entries()) {
        const value = Number(numberOf(color));
        if (bits > 8) line.writeUIntLE(value, (x * bits) / 8, bits / 8);
        else line[(x * bits) >> 3]! |= value << (8 - bits - ((x * bits) & 7));
      }
      return line;
    }),
  );
}
