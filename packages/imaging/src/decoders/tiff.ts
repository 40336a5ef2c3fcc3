import * as zlib from 'node:zlib';
import { brokenPicture } from '../codecs/headers/header.ts';
import { readRaster } from '../codecs/read_raster.ts';
import { srgbOfLab } from '../color/lab.ts';
import { EngineError } from '../errors/engine_error.ts';
import { entryOf, type Ifd, numberReader, readIfd, writeNumberIn } from '../metadata/tiff/ifd.ts';
import { pageIndex, refuseSize, slice, withinFile } from './bounds.ts';
import { TIFF_PAGES_MAX, TIFF_PARTS_MAX, TIFF_UNPACKED_BYTES_MAX } from './limits.ts';
import type { DecodedPicture, DecodeOptions } from './types.ts';
import { unpackXz } from './xz.ts';

const TAG = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripSizes: 279,
  planar: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileSizes: 325,
  icc: 34_675,
} as const;
/** Tags that reference other directories, which are dropped: SubIFDs, Exif, GPS, interoperability. */
const POINTERS = [330, 34_665, 34_853, 40_965];
const [SHORT, LONG] = [3, 4];
const NUMBER_BYTES: Readonly<Record<number, 2 | 4 | 8>> = { 3: 2, 4: 4, 16: 8 };

const COMPRESSION = { none: 1, deflate: 8, lzma: 34_925, zstd: 50_000 } as const;
/** None, fax, LZW, JPEG, Deflate under both numbers, PackBits. */
const READ_BY_SHARP: readonly number[] = [1, 2, 3, 4, 5, 7, 8, 32_773, 32_946];
const PHOTOMETRIC = { rgb: 2, lab: 8, iccLab: 9 } as const;
const PLANES_APART = 2;

/** Maximum number of samples per strip or tile. */
interface Layout {
  readonly places: readonly number[];
  readonly sizes: readonly number[];
  readonly partBytes: number;
  readonly isTiled: boolean;
}

/**
 * Decodes a page of a TIFF that libtiff in sharp does not support: compressed with Zstandard or LZMA, or in CIELab. Source: TIFF 6.0; libtiff's
 * registrations of compressions 34925 and 50000.
 */
export async function decodeTiff(
  bytes: Uint8Array,
  { page }: Pick<DecodeOptions, 'page'> = {},
): Promise<DecodedPicture> {
  const { tiff, pages, photometric } = withinFile('TIFF', bytes, (file) => unpackTiff(file, page));
  const raster = await readRaster(tiff);
  const isLab = photometric === PHOTOMETRIC.lab || photometric === PHOTOMETRIC.iccLab;
  const picture = isLab ? labToSrgb(raster, photometric === PHOTOMETRIC.lab) : raster;
  return { ...picture, pages: pages > 1 ? pages : undefined, warnings: [] };
}

/** The page as a separate file; unsupported compressions are replaced by Deflate, which allows the same predictors. */
function unpackTiff(file: Buffer, page: number | undefined) {
  const directories = readDirectories(file);
  const ifd = directories[pageIndex(page, directories.length)];
  if (!ifd) throw brokenPicture('the TIFF has no directory');
  const numbers = numbersIn(ifd);
  refuseSize('TIFF', { width: numbers(TAG.width)[0] ?? 0, height: numbers(TAG.height)[0] ?? 0 });
  const layout = layoutOf(numbers);
  const compression = numbers(TAG.compression)[0] ?? COMPRESSION.none;
  const repack = repackerOf(compression);
  const parts = layout.places.map((place, index) =>
    repack(slice(file, place, layout.sizes[index] ?? 0), layout.partBytes),
  );
  const photometric = numbers(TAG.photometric)[0];
  return {
    tiff: writeDirectory(ifd, layout, { parts, compression }),
    pages: directories.length,
    photometric,
  };
}

function readDirectories(file: Buffer): Ifd[] {
  const directories: Ifd[] = [];
  const seen = new Set<number>();
  let ifd = readIfd(file);
  while (ifd && !seen.has(ifd.offset) && directories.length < TIFF_PAGES_MAX) {
    seen.add(ifd.offset);
    directories.push(ifd);
    ifd = ifd.next > 0 ? readIfd(file, ifd.next) : undefined;
  }
  return directories;
}

/** Reads all integers of an entry. */
function numbersIn(ifd: Ifd) {
  return (tag: number): number[] => {
    const entry = entryOf(ifd, tag);
    const size = entry && NUMBER_BYTES[entry.type];
    if (!size) return [];
    if (entry.count > TIFF_PARTS_MAX) throw brokenPicture('the TIFF is in too many parts');
    const read = numberReader(Buffer.from(entry.data), ifd.little);
    return Array.from({ length: entry.count }, (_, index) => read(index * size, size));
  };
}

function layoutOf(numbers: (tag: number) => number[]): Layout {
  const number = (tag: number, otherwise: number) => numbers(tag)[0] ?? otherwise;
  const isTiled = numbers(TAG.tileOffsets).length > 0;
  const [width, height] = [number(TAG.width, 0), number(TAG.height, 0)];
  const samples = number(TAG.planar, 1) === PLANES_APART ? 1 : number(TAG.samples, 1);
  const columns = isTiled ? number(TAG.tileWidth, 0) : width;
  const rows = isTiled ? number(TAG.tileHeight, 0) : Math.min(height, number(TAG.rowsPerStrip, height));
  const partBytes = rows * Math.ceil((columns * samples * number(TAG.bits, 1)) / 8);
  const places = numbers(isTiled ? TAG.tileOffsets : TAG.stripOffsets);
  if (partBytes * places.length > TIFF_UNPACKED_BYTES_MAX)
    throw new EngineError(
      'image_too_large',
      `The TIFF unpacks to more than ${TIFF_UNPACKED_BYTES_MAX / 1024 / 1024} MiB. Send it in Deflate or LZW, or smaller.`,
    );
  return { places, sizes: numbers(isTiled ? TAG.tileSizes : TAG.stripSizes), partBytes, isTiled };
}

/** Converts a strip or tile to a compression that libtiff in sharp supports; others stay unchanged. */
function repackerOf(compression: number): (packed: Buffer, bytesMax: number) => Uint8Array {
  if (READ_BY_SHARP.includes(compression)) return (packed) => packed;
  const unpack =
    compression === COMPRESSION.lzma ? unpackXz : compression === COMPRESSION.zstd ? unpackZstd : undefined;
  if (unpack) return (packed, bytesMax) => zlib.deflateSync(unpack(packed, bytesMax), { level: 0 });
  throw new EngineError(
    'unsupported_image',
    `The TIFF is in compression ${compression}, which is not read. Save it in LZW or Deflate, or without compression.`,
  );
}

function unpackZstd(packed: Buffer, bytesMax: number): Uint8Array {
  // A named import would fail at load time in versions of Node.js without it.
  const { zstdDecompressSync } = zlib as Partial<typeof zlib>;
  if (!zstdDecompressSync)
    throw new EngineError(
      'unsupported_image',
      'The TIFF is in Zstandard, which Node reads from version 22.15 on. Save it in LZW or Deflate.',
    );
  try {
    return zstdDecompressSync(packed, { maxOutputLength: Math.max(1, bytesMax) });
  } catch {
    throw brokenPicture('a part of the TIFF in Zstandard is damaged');
  }
}

/** Writes header, values, parts and directory with 32-bit offsets, in the byte order of the values. */
function writeDirectory(
  { little, big, entries }: Ifd,
  layout: Layout,
  { parts, compression }: { parts: readonly Uint8Array[]; compression: number },
): Uint8Array {
  const number = writeNumberIn(little);
  const pieces: Uint8Array[] = [Buffer.from(little ? 'II' : 'MM', 'latin1'), number(42, 2), number(0, 4)];
  let end = 8;
  const append = (data: Uint8Array): number => {
    const at = end;
    pieces.push(data, new Uint8Array(data.length % 2));
    end += data.length + (data.length % 2);
    return at;
  };
  const places = parts.map(append);
  const list = (values: readonly number[]) => Buffer.concat(values.map((value) => number(value, 4)));
  const [offsetsTag, sizesTag] = layout.isTiled
    ? [TAG.tileOffsets, TAG.tileSizes]
    : [TAG.stripOffsets, TAG.stripSizes];
  const own: readonly [tag: number, type: number, count: number, data: Uint8Array][] = [
    [
      TAG.compression,
      SHORT!,
      1,
      number(READ_BY_SHARP.includes(compression) ? compression : COMPRESSION.deflate, 2),
    ],
    [offsetsTag, LONG!, places.length, list(places)],
    [sizesTag, LONG!, places.length, list(parts.map(({ length }) => length))],
  ];
  const isLab = entries.some(
    ({ tag, data }) => tag === TAG.photometric && [8, 9].includes(data[little ? 0 : 1]!),
  );
  const left = [...own.map(([tag]) => tag), ...POINTERS, ...(isLab ? [TAG.photometric, TAG.icc] : [])];
  // 64-bit types of BigTIFF do not exist in a classic directory.
  const kept = entries.filter(({ tag, type }) => !left.includes(tag) && !(big && type >= 16));
  const all = [
    ...own,
    ...(isLab ? [[TAG.photometric, SHORT!, 1, number(PHOTOMETRIC.rgb, 2)] as const] : []),
    ...kept.map(({ tag, type, count, data }) => [tag, type, count, data] as const),
  ].sort(([one], [other]) => one - other);
  const rows = all.map(([tag, type, count, data]) => {
    const value =
      data.length <= 4 ? Buffer.concat([data, new Uint8Array(4 - data.length)]) : number(append(data), 4);
    return Buffer.concat([number(tag, 2), number(type, 2), number(count, 4), value]);
  });
  const directoryAt = append(Buffer.concat([number(rows.length, 2), ...rows, number(0, 4)]));
  pieces[2] = number(directoryAt, 4);
  return Buffer.concat(pieces);
}

/** Lab was decoded as if it were RGB: a and b are signed in TIFF 6.0 and start at 0 in ICCLab. */
function labToSrgb(raster: Omit<DecodedPicture, 'warnings'>, isSigned: boolean) {
  const { width, height, channels, data } = raster;
  const isDeep = data instanceof Uint16Array;
  const white = isDeep ? 65_535 : 255;
  const middle = isDeep ? 32_768 : 128;
  const rgb = new Uint8Array(width * height * 3);
  const colorOf = (sample: number) => ((isSigned ? sample ^ middle : sample) - middle) / (isDeep ? 256 : 1);
  for (let [from, to] = [0, 0]; to < rgb.length; from += channels, to += 3) {
    const [a, b] = [colorOf(data[from + 1]!), colorOf(data[from + 2]!)];
    rgb.set(srgbOfLab([(100 * data[from]!) / white, a, b]).map(Math.round), to);
  }
  return { width, height, channels: 3 as const, data: rgb };
}
