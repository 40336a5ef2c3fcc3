import { EngineError } from '../errors/engine_error.ts';
import type { ForeignFormat } from '../identify/foreign_format.ts';
import { identifyFile } from '../identify/identify_file.ts';
import { brokenPicture, fourCharacters, webpBytes, webpChunksAreWhole } from './headers/header.ts';
import type { PictureFormat } from './identify.ts';
import { JPEG_SCANS_MAX } from './limits.ts';

/**
 * Rejects an image whose file ends before its structure states, such as an interrupted upload. Decodes nothing: a few milliseconds for the largest
 * file. Ignores data after the image.
 * @param needsEnd requires the end marker of a JPEG: an interrupted download may lack only that
 * @throws EngineError undecodable_image, with the number of bytes and what is missing
 */
export function refuseCutOff(
  format: PictureFormat,
  bytes: Uint8Array,
  { needsEnd = false }: { readonly needsEnd?: boolean } = {},
): void {
  const missing = missingBy((view) => WALKS[format](view, needsEnd), bytes);
  if (missing !== undefined) throw brokeOff(bytes, missing);
}

/**
 * The same for formats that need separate decoders, as far as their structure allows.
 * @throws EngineError undecodable_image
 */
export function refuseForeignCutOff(format: ForeignFormat, bytes: Uint8Array): void {
  const walk = FOREIGN_WALKS[format];
  const missing = walk && missingBy(walk, bytes);
  if (missing !== undefined) throw brokeOff(bytes, missing);
}

export const brokeOff = (bytes: Uint8Array, missing: string): EngineError =>
  new EngineError(
    'undecodable_image',
    `The image is truncated: it ends after ${bytes.length} bytes, ${missing}. Send the whole file again.`,
  );

type Walk = (view: DataView) => string | undefined;

function missingBy(walk: Walk, bytes: Uint8Array): string | undefined {
  try {
    return walk(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return 'in the middle of its structure';
    throw error;
  }
}

const promised = (end: number, view: DataView): string | undefined =>
  end > view.byteLength ? `and its header declares ${end}` : undefined;

const WALKS: Readonly<Record<PictureFormat, (view: DataView, needsEnd: boolean) => string | undefined>> = {
  jpeg: missingInJpeg,
  png: missingInPng,
  gif: missingInGif,
  webp: missingInWebp,
  tiff: missingInTiff,
  avif: missingInBoxes,
};

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/**
 * Searches from the first scan on: a thumbnail in an earlier segment has its own end marker, and within scan data these two bytes have no other
 * meaning. ITU-T T.81, B.1.
 */
function missingInJpeg(view: DataView, needsEnd: boolean): string | undefined {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  let offset = 2;
  while (view.getUint8(offset + 1) !== START_OF_SCAN) {
    const marker = view.getUint8(offset + 1);
    const standsAlone = marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9);
    const isStray = view.getUint8(offset) !== 0xff || marker === 0xff || marker === 0;
    offset += isStray ? 1 : 2 + (standsAlone ? 0 : view.getUint16(offset + 2));
  }
  if (bytes.includes(END_OF_IMAGE, offset) || (!needsEnd && hasAllScans(view, bytes))) return undefined;
  return 'without the end-of-image marker of a JPEG';
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const COEFFICIENTS = 64;

/**
 * Whether every bit of every coefficient has at least started. The last scan may be incomplete: only decoding shows this (`preparePicture`). ITU-T
 * T.81, B.2.3 and G.1.1
 */
function hasAllScans(view: DataView, bytes: Buffer): boolean {
  const missing = new Map<number, Uint8Array>();
  for (let offset = 2, scans = 0; offset >= 0 && offset + 4 < bytes.length && scans <= JPEG_SCANS_MAX; ) {
    const marker = bytes[offset + 1]!;
    const isSegment =
      bytes[offset] === 0xff && marker >= 0xc0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd9);
    if (isSegment && isFrame(marker)) {
      const components = Math.min(4, view.getUint8(offset + 9));
      for (let component = 0; component < components; component += 1)
        missing.set(view.getUint8(offset + 10 + 3 * component), new Uint8Array(COEFFICIENTS).fill(255));
    } else if (isSegment && marker === START_OF_SCAN) {
      scans += 1;
      noteScan(view, offset, missing);
    }
    const next = offset + (isSegment ? 2 + bytes.readUInt16BE(offset + 2) : 1);
    offset = bytes.indexOf(0xff, next);
  }
  return missing.size > 0 && [...missing.values()].every((bits) => bits.every((left) => left === 0));
}

/** Records the lowest bit that a scan provides of each coefficient. */
function noteScan(view: DataView, offset: number, missing: ReadonlyMap<number, Uint8Array>): void {
  const components = Math.min(4, view.getUint8(offset + 4));
  const at = offset + 5 + 2 * components;
  const [first, last, low] = [view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2) & 15];
  for (let component = 0; component < components; component += 1)
    missing
      .get(view.getUint8(offset + 5 + 2 * component))
      ?.fill(low, first, Math.min(COEFFICIENTS, last + 1));
}

/** IEND has no content: an image without it, or with half of it, has all pixels. */
const IEND = Buffer.from('0000000049454e44ae426082', 'hex');

/** Chunk by chunk to IEND. PNG, 5.3. */
function missingInPng(view: DataView): string | undefined {
  let hasPixels = false;
  for (let offset = 8; ; ) {
    if (offset + 12 > view.byteLength) {
      const rest = Buffer.from(view.buffer, view.byteOffset, view.byteLength).subarray(offset);
      return hasPixels && rest.equals(IEND.subarray(0, rest.length))
        ? undefined
        : 'before the IEND chunk of a PNG';
    }
    const type = fourCharacters(view, offset + 4);
    hasPixels ||= type === 'IDAT';
    const end = offset + 12 + view.getUint32(offset);
    if (end > view.byteLength) return `inside a ${type} chunk that should end at byte ${end}`;
    if (type === 'IEND') return undefined;
    offset = end;
  }
}

/** A wrong length or a missing padding byte does not matter if all chunks are complete. */
function missingInWebp(view: DataView): string | undefined {
  return webpChunksAreWhole(view) ? undefined : promised(webpBytes(view), view);
}

function missingInTiff(view: DataView): string | undefined {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return promised(tiffPixelEnds(view, pictureDirectory(bytes)), view);
}

/** Offset of the directory of the main page; undefined if the header is truncated. */
function pictureDirectory(bytes: Uint8Array): number | undefined {
  try {
    return identifyFile('tiff', bytes).directory;
  } catch {
    return undefined;
  }
}

const GIF = { extension: 0x21, frame: 0x2c } as const;
const colourTable = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Block by block; a missing trailer after a complete frame is accepted, as in browsers. GIF89a, 20 to 27. */
function missingInGif(view: DataView): string | undefined {
  let offset = 13 + colourTable(view.getUint8(10));
  let frames = 0;
  while (offset < view.byteLength) {
    const kind = view.getUint8(offset);
    if (kind !== GIF.extension && kind !== GIF.frame) return undefined;
    if (kind === GIF.frame) frames += 1;
    offset += kind === GIF.frame ? 11 + colourTable(view.getUint8(offset + 9)) : 2;
    for (let size = view.getUint8(offset); ; size = view.getUint8(offset)) {
      offset += size + 1;
      if (size === 0) break;
    }
  }
  return frames > 0 && offset === view.byteLength ? undefined : 'in the middle of a frame';
}

/** Boxes are consecutive; one of size 0 extends to the end of the file. ISO/IEC 14496-12, 4.2. */
function missingInBoxes(view: DataView): string | undefined {
  let offset = 0;
  while (offset + 8 <= view.byteLength) {
    const short = view.getUint32(offset);
    if (short === 0) return undefined;
    const size = short === 1 ? Number(view.getBigUint64(offset + 8)) : short;
    // Data after the image need not consist of boxes.
    if (size < 8) return undefined;
    if (offset + size > view.byteLength) return promisedBox(view, offset, size);
    offset += size;
  }
  return undefined;
}

const BOXES = ['ftyp', 'meta', 'mdat', 'moov', 'idat'];

const promisedBox = (view: DataView, offset: number, size: number): string | undefined => {
  const type = fourCharacters(view, offset + 4);
  return BOXES.includes(type)
    ? `inside its ${type} box, which should end at byte ${offset + size}`
    : undefined;
};

const FOREIGN_WALKS: Partial<Readonly<Record<ForeignFormat, Walk>>> = {
  heic: missingInBoxes,
  bmp: missingInBmp,
  psd: missingInPsd,
};

const BMP_UNCOMPRESSED = [0, 3, 6];

/** Rows padded to four bytes, from the offset in the header; compressed ones have no stated length. [MS-WMF], 2.2.2.9 */
function missingInBmp(view: DataView): string | undefined {
  const isCore = view.getUint32(14, true) === 12;
  const [width, height, bits] = isCore
    ? [view.getUint16(18, true), view.getUint16(20, true), view.getUint16(24, true)]
    : [view.getInt32(18, true), Math.abs(view.getInt32(22, true)), view.getUint16(28, true)];
  if (!isCore && !BMP_UNCOMPRESSED.includes(view.getUint32(30, true))) return undefined;
  return promised(view.getUint32(10, true) + 4 * Math.ceil((width * bits) / 32) * height, view);
}

/** Three sections with stated lengths, then the composite. Adobe Photoshop File Formats, "File structure" */
function missingInPsd(view: DataView): string | undefined {
  const isLarge = view.getUint16(4) === 2;
  let at = 26;
  at += 4 + view.getUint32(at);
  at += 4 + view.getUint32(at);
  at += isLarge ? 8 + Number(view.getBigUint64(at)) : 4 + view.getUint32(at);
  const [channels, height, width, bits] = [
    view.getUint16(12),
    view.getUint32(14),
    view.getUint32(18),
    view.getUint16(22),
  ];
  const compression = view.getUint16(at);
  const rows = channels * height;
  if (compression === 0) return promised(at + 2 + rows * Math.ceil((width * bits) / 8), view);
  if (compression !== 1 || rows > view.byteLength) return undefined;
  const size = isLarge ? 4 : 2;
  let end = at + 2 + rows * size;
  for (let row = 0; row < rows; row += 1)
    end += isLarge ? view.getUint32(at + 2 + row * size) : view.getUint16(at + 2 + row * size);
  return promised(end, view);
}

const TAG = {
  strips: 273,
  stripBytes: 279,
  tiles: 324,
  tileBytes: 325,
} as const;
const ENTRIES_MAX = 4096;
/** Maximum strips or tiles; the largest image with one row per strip has far fewer. */
const PARTS_MAX = 1_000_000;

/** Directory layout of a classic and a BigTIFF file, in bytes. TIFF 6.0, section 2. */
const CLASSIC = { countBytes: 2, entryBytes: 12, valueAt: 8 } as const;
const BIG = { countBytes: 8, entryBytes: 20, valueAt: 12 } as const;
const SHORT = 3;
const LONG = 4;
const LONG8 = 16;
const NUMBER_BYTES: Readonly<Record<number, number>> = { [SHORT]: 2, [LONG]: 4, [LONG8]: 8 };

/** End of the last strip or tile, in bytes; 0 if not stated. @param directory of the image. Default: the first */
function tiffPixelEnds(view: DataView, directory?: number): number {
  const { values } = directoryAt(view, directory);
  const [offsets, sizes] = [values(TAG.strips), values(TAG.stripBytes)];
  const [tiles, tileBytes] = [values(TAG.tiles), values(TAG.tileBytes)];
  const ends = (at: readonly number[], bytes: readonly number[]) =>
    at.reduce((last, start, part) => Math.max(last, start + (bytes[part] ?? 0)), 0);
  return Math.max(ends(offsets, sizes), ends(tiles, tileBytes));
}

function directoryAt(view: DataView, chosen: number | undefined) {
  const littleEndian = view.getUint8(0) === 0x49;
  const isBig = view.getUint16(2, littleEndian) === 43;
  const layout = isBig ? BIG : CLASSIC;
  const uint64 = (at: number) => Number(view.getBigUint64(at, littleEndian));
  const directory = chosen ?? (isBig ? uint64(8) : view.getUint32(4, littleEndian));
  const entries = isBig ? uint64(directory) : view.getUint16(directory, littleEndian);
  if (entries > ENTRIES_MAX) throw brokenPicture('the TIFF directory is too long');

  const read = (type: number, at: number): number | undefined => {
    if (type === SHORT) return view.getUint16(at, littleEndian);
    if (type === LONG) return view.getUint32(at, littleEndian);
    return type === LONG8 && isBig ? uint64(at) : undefined;
  };
  const find = (tag: number): number | undefined => {
    for (let entry = 0; entry < entries; entry += 1) {
      const at = directory + layout.countBytes + entry * layout.entryBytes;
      if (view.getUint16(at, littleEndian) === tag) return at;
    }
    return undefined;
  };
  const typeAt = (at: number) => view.getUint16(at + 2, littleEndian);
  return {
    /** All numbers of a tag: inline if they fit, else at the offset. */
    values(tag: number): number[] {
      const at = find(tag);
      if (at === undefined) return [];
      const type = typeAt(at);
      const step = NUMBER_BYTES[type];
      if (step === undefined) return [];
      const count = isBig ? uint64(at + 4) : view.getUint32(at + 4, littleEndian);
      if (count > PARTS_MAX) throw brokenPicture('the TIFF is in too many parts');
      const room = isBig ? 8 : 4;
      const valueAt = at + layout.valueAt;
      const start =
        count * step <= room ? valueAt : isBig ? uint64(valueAt) : view.getUint32(valueAt, littleEndian);
      return Array.from({ length: count }, (_, part) => read(type, start + part * step) ?? 0);
    },
  };
}
