import type { DeepRaster } from '../pixels/raster.ts';

/** Unconverted samples with their colour model and profile. */
export interface TaggedPicture {
  readonly width: number;
  readonly height: number;
  readonly model: 'grey' | 'rgb' | 'cmyk';
  readonly hasAlpha: boolean;
  /** Interleaved, row by row; alpha is not premultiplied. */
  readonly data: DeepRaster['data'];
  readonly profile?: Uint8Array | undefined;
}

const COLORS = { grey: 1, rgb: 3, cmyk: 4 } as const;
/** TIFF 6.0, PhotometricInterpretation: black is zero, RGB, separated. */
const PHOTOMETRIC = { grey: 1, rgb: 2, cmyk: 5 } as const;
const [SHORT, LONG, UNDEFINED] = [3, 4, 7];
const STRIP_BYTES = 256 * 1024;

/**
 * Writes an uncompressed TIFF with an ICC profile: the only container in which every engine reads 8 and 16 bits, CMYK, alpha and any profile, at the
 * cost of a copy.
 */
export function writeTaggedTiff({ width, height, model, hasAlpha, data, profile }: TaggedPicture): Buffer {
  const samples = COLORS[model] + (hasAlpha ? 1 : 0);
  const bits = data instanceof Uint16Array ? 16 : 8;
  const rowBytes = (width * samples * bits) / 8;
  const rows = Math.min(height, Math.max(1, Math.floor(STRIP_BYTES / rowBytes)));
  const strips = Math.ceil(height / rows);
  const pixels = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const offsets = Array.from({ length: strips }, (_, strip) => 8 + strip * rows * rowBytes);
  const sizes = offsets.map((offset) => Math.min(rows * rowBytes, 8 + pixels.length - offset));
  const entries: Entry[] = [
    shorts(254, LONG, [0]),
    shorts(256, LONG, [width]),
    shorts(257, LONG, [height]),
    shorts(
      258,
      SHORT,
      Array.from({ length: samples }, () => bits),
    ),
    shorts(259, SHORT, [1]),
    shorts(262, SHORT, [PHOTOMETRIC[model]]),
    shorts(273, LONG, offsets),
    shorts(277, SHORT, [samples]),
    shorts(278, LONG, [rows]),
    shorts(279, LONG, sizes),
    ...(hasAlpha ? [shorts(338, SHORT, [2])] : []),
    ...(profile ? [{ tag: 34_675, type: UNDEFINED, count: profile.length, data: Buffer.from(profile) }] : []),
  ];
  const start = 8 + pixels.length + (pixels.length & 1);
  const head = Buffer.from('49492a0000000000', 'hex');
  head.writeUInt32LE(start, 4);
  return Buffer.concat([head, pixels, Buffer.alloc(pixels.length & 1), directory(entries, start)]);
}

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly data: Buffer;
}

function shorts(tag: number, type: number, values: readonly number[]): Entry {
  const size = type === SHORT ? 2 : 4;
  const data = Buffer.alloc(values.length * size);
  for (const [index, value] of values.entries()) data.writeUIntLE(value, index * size, size);
  return { tag, type, count: values.length, data };
}

function directory(entries: readonly Entry[], start: number): Buffer {
  const table = Buffer.alloc(2 + 12 * entries.length + 4);
  table.writeUInt16LE(entries.length);
  const behind: Buffer[] = [];
  let end = start + table.length;
  for (const [index, { tag, type, count, data }] of entries.entries()) {
    const at = 2 + 12 * index;
    table.writeUInt16LE(tag, at);
    table.writeUInt16LE(type, at + 2);
    table.writeUInt32LE(count, at + 4);
    if (data.length <= 4) {
      data.copy(table, at + 8);
      continue;
    }
    table.writeUInt32LE(end, at + 8);
    behind.push(data, Buffer.alloc(data.length & 1));
    end += data.length + (data.length & 1);
  }
  return Buffer.concat([table, ...behind]);
}
