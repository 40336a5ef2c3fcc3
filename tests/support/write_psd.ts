export interface PsdParts {
  readonly width: number;
  readonly height: number;
  /** 0 bitmap, 1 grey, 2 indexed, 3 RGB, 4 CMYK, 8 duotone, 9 Lab. */
  readonly mode: number;
  readonly depth: 1 | 8 | 16 | 32;
  /** One plane per channel, as stored, big-endian. */
  readonly planes: readonly Uint8Array[];
  /** Number of layers; negative if the first channel after the colours is transparency. Absent: no layers. */
  readonly layers?: number;
  readonly isLarge?: boolean;
  readonly isPacked?: boolean;
  readonly palette?: Uint8Array;
  readonly resources?: Readonly<Record<number, Uint8Array>>;
}

/** Writes a Photoshop document with a composite and, in place of layers, only their number. */
export function writePsd(parts: PsdParts): Uint8Array {
  const { width, height, mode, depth, planes, isLarge = false, palette = new Uint8Array(0) } = parts;
  const header = Buffer.alloc(26);
  header.write('8BPS', 'latin1');
  header.writeUInt16BE(isLarge ? 2 : 1, 4);
  header.writeUInt16BE(planes.length, 12);
  header.writeUInt32BE(height, 14);
  header.writeUInt32BE(width, 18);
  header.writeUInt16BE(depth, 22);
  header.writeUInt16BE(mode, 24);
  const resources = Object.entries(parts.resources ?? {}).map(([id, data]) =>
    Buffer.concat([
      Buffer.from('8BIM', 'latin1'),
      uint(2, Number(id)),
      uint(2, 0),
      withLength(4, data),
      Buffer.alloc(data.length % 2),
    ]),
  );
  const lengthBytes = isLarge ? 8 : 4;
  const count = Buffer.alloc(2);
  count.writeInt16BE(parts.layers ?? 0);
  const layers = parts.layers === undefined ? new Uint8Array(0) : withLength(lengthBytes, count);
  return Buffer.concat([
    header,
    withLength(4, palette),
    withLength(4, Buffer.concat(resources)),
    withLength(lengthBytes, layers),
    ...compositeOf(parts),
  ]);
}

function compositeOf({ height, planes, isPacked, isLarge }: PsdParts): Uint8Array[] {
  if (!isPacked) return [uint(2, 0), ...planes];
  const rows = planes.flatMap((plane) =>
    Array.from({ length: height }, (_, row) => {
      const bytes = plane.length / height;
      return packBits(plane.subarray(row * bytes, (row + 1) * bytes));
    }),
  );
  return [uint(2, 1), ...rows.map(({ length }) => uint(isLarge ? 4 : 2, length)), ...rows];
}

/** Runs of equal bytes, and literal bytes. */
function packBits(row: Uint8Array): Uint8Array {
  const packed: number[] = [];
  for (let at = 0; at < row.length; ) {
    let end = at + 1;
    while (end < row.length && end - at < 128 && row[end] === row[at]) end += 1;
    packed.push(end - at > 1 ? 257 - (end - at) : 0, row[at]!);
    at = end;
  }
  return Uint8Array.from(packed);
}

function uint(bytes: number, value: number): Buffer {
  const number = Buffer.alloc(bytes);
  number.writeUIntBE(value, Math.max(0, bytes - 6), Math.min(6, bytes));
  return number;
}

const withLength = (bytes: number, data: Uint8Array): Buffer =>
  Buffer.concat([uint(bytes, data.length), data]);
