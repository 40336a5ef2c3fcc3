import { sharp } from '../codecs/sharp.ts';
import type { NewPackets } from '../metadata/containers/new_packets.ts';
import { IIM_TAG, XMP_TAG } from '../metadata/tiff/ifd.ts';
import { writeXmp } from '../metadata/xmp/write_xmp.ts';
import type { PrintCondition, SheetFile, Sink } from './sheet_file.ts';

interface TiffSheet {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly condition: PrintCondition;
  readonly software: string;
  /** Metadata carried over from the image. */
  readonly carried?: NewPackets | undefined;
}

const HEADER_BYTES = 8;
const [BYTE, SHORT, LONG, RATIONAL, ASCII, UNDEFINED] = [1, 3, 4, 5, 2, 7] as const;
const BYTES_OF = { [BYTE]: 1, [SHORT]: 2, [LONG]: 4, [RATIONAL]: 8, [ASCII]: 1, [UNDEFINED]: 1 } as const;
const [STRIP_OFFSETS, STRIP_SIZES] = [273, 279];

interface Entry {
  readonly tag: number;
  readonly type: keyof typeof BYTES_OF;
  readonly values: readonly number[] | Uint8Array;
}

/**
 * Writes a CMYK TIFF with its profile and resolution. Each call of `rows` (up to 128 rows) writes one strip. Source:
 * TIFF 6.0; profile in tag 34675, ICC.1 annex B.4
 */
export function writeTiff(sheet: TiffSheet, sink: Sink): SheetFile {
  const [offsets, sizes]: [number[], number[]] = [[], []];
  let [end, rowsPerStrip] = [HEADER_BYTES, 0];
  let written = Promise.resolve();
  sink.write(headerOf(0));
  return {
    async rows(inks) {
      rowsPerStrip ||= inks.length / (4 * sheet.width);
      const [before, compressed] = [written, compressStrip(inks, sheet.width)];
      written = Promise.all([compressed, before]).then(([strip]) => {
        offsets.push(end);
        sizes.push(strip.length);
        sink.write(strip);
        end += strip.length;
      });
      written.catch(() => {});
      await before;
    },
    get bytes() {
      return end;
    },
    async finish() {
      await written;
      const padding = end % 2;
      sink.write(new Uint8Array(padding));
      sink.write(directory(entriesOf(sheet, { offsets, sizes, rowsPerStrip }), end + padding));
      sink.rewrite(0, headerOf(end + padding));
    },
  };
}

/** Byte order, TIFF version 42 and offset of the directory. */
function headerOf(directoryAt: number): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('II', 0, 'latin1');
  header.writeUInt16LE(42, 2);
  header.writeUInt32LE(directoryAt, 4);
  return header;
}

/** Compresses rows with libtiff, off the main thread: encodes a small TIFF and extracts its only strip. */
async function compressStrip(inks: Uint8Array, width: number): Promise<Uint8Array> {
  const raw = { width, height: inks.length / (4 * width), channels: 4 } as const;
  const file = await sharp(inks, { raw, limitInputPixels: false })
    .tiff({ compression: 'lzw', predictor: 'horizontal' })
    .toBuffer();
  const list = file.readUInt32LE(4);
  const entries = Array.from({ length: file.readUInt16LE(list) }, (_, index) => list + 2 + 12 * index);
  const numberOf = (tag: number) => {
    const entry = entries.find((at) => file.readUInt16LE(at) === tag)!;
    if (file.readUInt32LE(entry + 4) !== 1) throw new Error('libtiff made more than one strip');
    return file.readUInt32LE(entry + 8);
  };
  const at = numberOf(STRIP_OFFSETS);
  return file.subarray(at, at + numberOf(STRIP_SIZES));
}

interface Strips {
  readonly offsets: number[];
  readonly sizes: number[];
  readonly rowsPerStrip: number;
}

/** In ascending tag order, as TIFF 6.0 requires. */
function entriesOf(sheet: TiffSheet, { offsets, sizes, rowsPerStrip }: Strips): Entry[] {
  const { width, height, dpi, condition, software, carried } = sheet;
  const density = [dpi, 1];
  return [
    { tag: 254, type: LONG, values: [0] },
    { tag: 256, type: LONG, values: [width] },
    { tag: 257, type: LONG, values: [height] },
    { tag: 258, type: SHORT, values: [8, 8, 8, 8] },
    { tag: 259, type: SHORT, values: [5] }, // LZW
    { tag: 262, type: SHORT, values: [5] }, // separated
    { tag: STRIP_OFFSETS, type: LONG, values: offsets },
    { tag: 274, type: SHORT, values: [1] },
    { tag: 277, type: SHORT, values: [4] },
    { tag: 278, type: LONG, values: [rowsPerStrip] },
    { tag: STRIP_SIZES, type: LONG, values: sizes },
    { tag: 282, type: RATIONAL, values: density },
    { tag: 283, type: RATIONAL, values: density },
    { tag: 284, type: SHORT, values: [1] }, // interleaved inks
    { tag: 296, type: SHORT, values: [2] }, // pixels per inch
    { tag: 305, type: ASCII, values: Buffer.from(`${software}\0`, 'latin1') },
    { tag: 317, type: SHORT, values: [2] }, // horizontal differencing
    { tag: 332, type: SHORT, values: [1] }, // cyan, magenta, yellow, black
    ...(carried && carried.properties.length > 0
      ? [{ tag: XMP_TAG, type: BYTE, values: writeXmp(carried.properties) }]
      : []),
    ...(carried?.iim ? [{ tag: IIM_TAG, type: UNDEFINED, values: carried.iim }] : []),
    { tag: 34675, type: UNDEFINED, values: condition.profile },
  ];
}

/** Writes the directory, followed by the values that do not fit into its entries. */
function directory(entries: readonly Entry[], at: number): Uint8Array {
  const listBytes = 2 + 12 * entries.length + 4;
  const list = Buffer.alloc(listBytes);
  list.writeUInt16LE(entries.length, 0);
  const tail: Uint8Array[] = [];
  let end = at + listBytes;
  for (const [index, { tag, type, values }] of entries.entries()) {
    const bytes = bytesOf(type, values);
    const place = 2 + 12 * index;
    list.writeUInt16LE(tag, place);
    list.writeUInt16LE(type, place + 2);
    list.writeUInt32LE(bytes.length / BYTES_OF[type], place + 4);
    if (bytes.length <= 4) list.set(bytes, place + 8);
    else {
      list.writeUInt32LE(end, place + 8);
      const padded = Buffer.alloc(bytes.length + (bytes.length % 2));
      padded.set(bytes);
      tail.push(padded);
      end += padded.length;
    }
  }
  return Buffer.concat([list, ...tail]);
}

function bytesOf(type: Entry['type'], values: Entry['values']): Uint8Array {
  if (values instanceof Uint8Array) return values;
  const size = type === SHORT ? 2 : 4;
  const bytes = Buffer.alloc(size * values.length);
  for (const [index, value] of values.entries()) bytes.writeUIntLE(value, size * index, size);
  return bytes;
}
