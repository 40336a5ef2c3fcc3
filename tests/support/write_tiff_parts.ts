/** Values of one entry: shorts, longs, bytes, text or a fraction. */
export type TiffValue = { readonly type: 1 | 2 | 3 | 4 | 5 | 7; readonly values: readonly number[] };

export const short = (...values: number[]): TiffValue => ({ type: 3, values });
export const long = (...values: number[]): TiffValue => ({ type: 4, values });
/** An integer as a fraction. */
export const tiffFraction = (value: number): TiffValue => ({ type: 5, values: [value, 1] });
export const tiffBytes = (bytes: Uint8Array): TiffValue => ({ type: 7, values: [...bytes] });

const SIZES = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 };

export interface TiffParts {
  readonly width?: number;
  readonly height?: number;
  readonly samples?: number;
  /** One pixel, repeated. */
  readonly color?: readonly number[];
  /** Entries by tag to add or replace; undefined omits one. */
  readonly tags?: Readonly<Record<number, TiffValue | undefined>>;
  /** Number of equal directories. */
  readonly pages?: number;
}

/** Writes an uncompressed little-endian TIFF, by default with a CMYK image of 300 dpi. */
export function writeTiffParts(parts: TiffParts = {}): Uint8Array {
  const { width = 40, height = 30, color = [20, 10, 0, 40], tags = {}, pages = 1 } = parts;
  const samples = parts.samples ?? color.length;
  const pixels = Buffer.alloc(width * height * color.length, Buffer.from(color));
  const entries: Record<number, TiffValue | undefined> = {
    256: long(width),
    257: long(height),
    258: short(...Array.from({ length: samples }, () => 8)),
    259: short(1),
    262: short(5),
    273: long(8),
    274: short(1),
    277: short(samples),
    278: long(height),
    279: long(pixels.length),
    282: tiffFraction(300),
    283: tiffFraction(300),
    284: short(1),
    296: short(2),
    ...tags,
  };
  let file = Buffer.concat([Buffer.from('II*\0'), Buffer.alloc(4), pixels]);
  let pointerAt = 4;
  for (let page = 0; page < pages; page += 1) {
    const { directory, outside } = directoryOf(entries, file.length);
    file.writeUInt32LE(file.length, pointerAt);
    pointerAt = file.length + directory.length - 4;
    file = Buffer.concat([file, directory, ...outside]);
  }
  return file;
}

function directoryOf(entries: Readonly<Record<number, TiffValue | undefined>>, start: number) {
  const rows = Object.entries(entries).flatMap(([tag, value]) =>
    value ? [{ tag: Number(tag), value }] : [],
  );
  const directory = Buffer.alloc(2 + 12 * rows.length + 4);
  directory.writeUInt16LE(rows.length, 0);
  const outside: Buffer[] = [];
  let outsideAt = start + directory.length;
  for (const [index, { tag, value }] of rows.entries()) {
    const at = 2 + 12 * index;
    const data = encoded(value);
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(value.type, at + 2);
    directory.writeUInt32LE(value.type === 5 ? value.values.length / 2 : value.values.length, at + 4);
    if (data.length <= 4) data.copy(directory, at + 8);
    else {
      directory.writeUInt32LE(outsideAt, at + 8);
      outside.push(data);
      outsideAt += data.length;
    }
  }
  return { directory, outside };
}

function encoded({ type, values }: TiffValue): Buffer {
  const size = type === 5 ? 4 : SIZES[type];
  const data = Buffer.alloc(values.length * size);
  for (const [index, value] of values.entries()) data.writeUIntLE(value, index * size, size as 1 | 2 | 4);
  return data;
}
