interface PackedTiff {
  readonly compression: number;
  readonly photometric?: number;
  readonly predictor?: number;
  readonly rowsPerStrip?: number;
  readonly isBigEndian?: boolean;
  readonly strips: readonly Uint8Array[];
}

/** Writes a TIFF of 16 × 16 pixels in three samples of 8 bits, with the given strips. */
export function writePackedTiff({
  compression,
  photometric = 2,
  predictor = 1,
  rowsPerStrip = 16,
  ...rest
}: PackedTiff): Buffer {
  const { strips, isBigEndian = false } = rest;
  const number = (value: number, size: 2 | 4) => {
    const bytes = Buffer.alloc(size);
    if (isBigEndian) bytes.writeUIntBE(value, 0, size);
    else bytes.writeUIntLE(value, 0, size);
    return bytes;
  };
  const short = (...values: number[]) => ({ type: 3, size: 2 as const, values });
  const long = (...values: number[]) => ({ type: 4, size: 4 as const, values });
  let end = 8;
  const pieces: Uint8Array[] = [];
  const append = (bytes: Uint8Array) => {
    pieces.push(bytes);
    end += bytes.length;
    return end - bytes.length;
  };
  const entries = {
    256: long(16),
    257: long(16),
    258: short(8, 8, 8),
    259: short(compression),
    262: short(photometric),
    273: long(...strips.map(append)),
    277: short(3),
    278: long(rowsPerStrip),
    279: long(...strips.map(({ length }) => length)),
    317: short(predictor),
  };
  const rows = Object.entries(entries).map(([tag, { type, size, values }]) => {
    const data = Buffer.concat(values.map((value) => number(value, size)));
    const value =
      data.length <= 4 ? Buffer.concat([data, Buffer.alloc(4 - data.length)]) : number(append(data), 4);
    return Buffer.concat([number(Number(tag), 2), number(type, 2), number(values.length, 4), value]);
  });
  const magic = Buffer.concat([Buffer.from(isBigEndian ? 'MM' : 'II'), number(42, 2), number(end, 4)]);
  return Buffer.concat([magic, ...pieces, number(rows.length, 2), ...rows, number(0, 4)]);
}
