import { brokenPicture } from '../codecs/headers/header.ts';
import { EngineError } from '../errors/engine_error.ts';
import { refuseSize, slice, withinFile } from './bounds.ts';
import type { DecodedPicture } from './types.ts';

/** Values of biCompression. In OS/2 headers, 3 and 4 mean other compressions, which are rejected. */
const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;
const PACKED: Readonly<Record<number, string>> = { 4: 'JPEG', 5: 'PNG' };

const FILE_HEADER_BYTES = 14;
const CORE_HEADER_BYTES = 12;
const OS2_HEADER_BYTES = 64;
const EMBEDDED_PROFILE = 0x4d424544;

type Mask = readonly [red: number, green: number, blue: number, alpha: number];
const MASKS_555: Mask = [0x7c00, 0x03e0, 0x001f, 0];
const MASKS_888: Mask = [0xff0000, 0xff00, 0xff, 0];

/** The header of a device-independent bitmap, shared by BMP files and icon entries. */
export interface Dib {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bits: number;
  readonly compression: number;
  /** RGB triples. */
  readonly palette: Uint8Array;
  readonly masks: Mask;
  /** Offset of the pixels if no file header states it, in bytes. */
  readonly end: number;
}

/**
 * Decodes a Windows or OS/2 bitmap: 1 to 32 bits per pixel, run-length encoding, bit fields, both row orders. Source: [MS-WMF] 2.2.2,
 * "DeviceIndependentBitmap"; BITMAPV5HEADER.
 */
export function decodeBmp(bytes: Uint8Array): DecodedPicture {
  return withinFile('BMP', bytes, (file) => {
    const dib = readDib(file, FILE_HEADER_BYTES);
    refuseSize('BMP', dib);
    const offset = file.readUInt32LE(10);
    const pixelsAt = offset >= FILE_HEADER_BYTES + CORE_HEADER_BYTES ? offset : dib.end;
    const rgba = readDibPixels(file, dib, pixelsAt);
    const isOpaque = dib.masks[3] === 0 || makeOpaqueIfEmpty(rgba);
    const { width, height } = dib;
    const data = isOpaque ? withoutAlpha(rgba) : rgba;
    return { width, height, channels: isOpaque ? 3 : 4, data, icc: embeddedProfile(file), warnings: [] };
  });
}

/** Reads the header. @throws RangeError beyond the end; EngineError undecodable_image, unsupported_image */
export function readDib(file: Buffer, at: number): Dib {
  const headerBytes = file.readUInt32LE(at);
  if (headerBytes === CORE_HEADER_BYTES) return readCoreHeader(file, at);
  if (headerBytes < 16 || headerBytes > 256) throw brokenPicture(`its BMP header has ${headerBytes} bytes`);
  const field = (offset: number) => (offset + 4 <= headerBytes ? file.readUInt32LE(at + offset) : 0);
  const rows = file.readInt32LE(at + 8);
  const bits = file.readUInt16LE(at + 14);
  const compression = field(16);
  refuseCompression(compression, bits, headerBytes);
  const hasMasksBehind = headerBytes === 40 && compression >= BITFIELDS;
  const maskCount = compression === ALPHA_BITFIELDS || headerBytes >= 56 ? 4 : 3;
  const paletteAt = at + headerBytes + (hasMasksBehind ? 4 * maskCount : 0);
  const colors = bits <= 8 ? Math.min(field(32) || 1 << bits, 1 << bits) : 0;
  return {
    width: file.readInt32LE(at + 4),
    height: Math.abs(rows),
    isTopDown: rows < 0,
    bits,
    compression,
    palette: readPalette(file, paletteAt, colors, 4),
    masks:
      compression >= BITFIELDS ? readMasks(file, at + 40, maskCount) : bits === 16 ? MASKS_555 : MASKS_888,
    end: paletteAt + 4 * (bits <= 8 ? colors : field(32)),
  };
}

function readCoreHeader(file: Buffer, at: number): Dib {
  const bits = file.readUInt16LE(at + 10);
  refuseCompression(RGB, bits, CORE_HEADER_BYTES);
  const colors = bits <= 8 ? 1 << bits : 0;
  const paletteAt = at + CORE_HEADER_BYTES;
  return {
    width: file.readUInt16LE(at + 4),
    height: file.readUInt16LE(at + 6),
    isTopDown: false,
    bits,
    compression: RGB,
    palette: readPalette(file, paletteAt, colors, 3),
    masks: bits === 16 ? MASKS_555 : MASKS_888,
    end: paletteAt + 3 * colors,
  };
}

function refuseCompression(compression: number, bits: number, headerBytes: number): void {
  const isKnown =
    (compression === RGB && [1, 2, 4, 8, 16, 24, 32].includes(bits)) ||
    (compression === RLE8 && bits === 8) ||
    (compression === RLE4 && bits === 4) ||
    ((compression === BITFIELDS || compression === ALPHA_BITFIELDS) &&
      (bits === 16 || bits === 32) &&
      headerBytes !== OS2_HEADER_BYTES);
  if (isKnown) return;
  const packed = PACKED[compression];
  throw new EngineError(
    'unsupported_image',
    packed
      ? `The BMP contains a ${packed} for a printer. Send that ${packed} itself.`
      : `The BMP has ${bits} bits a pixel in compression ${compression}, which is not read. Save it without compression, or as PNG.`,
  );
}

/** Reads the palette. A file may have fewer colours than stated if pixels begin earlier; missing ones are black. */
function readPalette(file: Buffer, at: number, colors: number, entryBytes: 3 | 4): Uint8Array {
  const palette = new Uint8Array(256 * 3);
  for (let color = 0; color < colors && at + (color + 1) * entryBytes <= file.length; color += 1) {
    const from = at + color * entryBytes;
    palette.set([file[from + 2]!, file[from + 1]!, file[from]!], 3 * color);
  }
  return palette;
}

function readMasks(file: Buffer, at: number, count: number): Mask {
  const [red = 0, green = 0, blue = 0, alpha = 0] = Array.from({ length: count }, (_, index) =>
    file.readUInt32LE(at + 4 * index),
  );
  return [red, green, blue, alpha];
}

/** Reads all pixels as RGBA. @throws RangeError beyond the end; EngineError undecodable_image */
export function readDibPixels(file: Buffer, dib: Dib, at: number): Uint8Array {
  const isRuns = dib.compression === RLE8 || dib.compression === RLE4;
  // Checked before memory is allocated for missing data.
  const rows = isRuns ? undefined : slice(file, at, rowBytes(dib) * dib.height);
  const rgba = new Uint8Array(4 * dib.width * dib.height);
  if (rows) readRows(rows, dib, rgba);
  else readRuns(file, dib, at, rgba);
  return rgba;
}

/** Rows are padded to four bytes. */
export const rowBytes = ({ width, bits }: Pick<Dib, 'width' | 'bits'>): number =>
  4 * Math.ceil((width * bits) / 32);

const rowStart = ({ width, height, isTopDown }: Dib, row: number): number =>
  4 * width * (isTopDown ? row : height - 1 - row);

function readRows(pixels: Buffer, dib: Dib, rgba: Uint8Array): void {
  const stride = rowBytes(dib);
  const readRow = dib.bits <= 8 ? readIndices : dib.bits === 24 ? readTriples : fieldReader(dib);
  for (let row = 0; row < dib.height; row += 1)
    readRow(pixels.subarray(row * stride, (row + 1) * stride), dib, rgba, rowStart(dib, row));
}

function readIndices(from: Buffer, { width, bits, palette }: Dib, rgba: Uint8Array, start: number): void {
  const mask = (1 << bits) - 1;
  for (let x = 0; x < width; x += 1) {
    const bit = x * bits;
    putColor(rgba, start + 4 * x, palette, (from[bit >> 3]! >> (8 - bits - (bit & 7))) & mask);
  }
}

function putColor(rgba: Uint8Array, to: number, palette: Uint8Array, color: number): void {
  rgba[to] = palette[3 * color]!;
  rgba[to + 1] = palette[3 * color + 1]!;
  rgba[to + 2] = palette[3 * color + 2]!;
  rgba[to + 3] = 255;
}

function readTriples(from: Buffer, { width }: Dib, rgba: Uint8Array, start: number): void {
  for (let x = 0; x < width; x += 1) {
    const to = start + 4 * x;
    rgba[to] = from[3 * x + 2]!;
    rgba[to + 1] = from[3 * x + 1]!;
    rgba[to + 2] = from[3 * x]!;
    rgba[to + 3] = 255;
  }
}

/** Reads pixels of 16 or 32 bits through their masks. */
function fieldReader({ bits, masks }: Dib) {
  const fields = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    return { shift, max: mask >>> shift };
  });
  if (fields.some(({ max }) => (max & (max + 1)) !== 0))
    throw brokenPicture('a bit mask of the BMP has gaps');
  const alphaMax = fields[3]!.max;
  return (from: Buffer, { width }: Dib, rgba: Uint8Array, start: number): void => {
    for (let x = 0; x < width; x += 1) {
      const pixel = bits === 16 ? from.readUInt16LE(2 * x) : from.readUInt32LE(4 * x);
      const to = start + 4 * x;
      for (let channel = 0; channel < 3; channel += 1) {
        const { shift, max } = fields[channel]!;
        rgba[to + channel] = max === 0 ? 0 : Math.round((255 * ((pixel >>> shift) & max)) / max);
      }
      rgba[to + 3] =
        alphaMax === 0 ? 255 : Math.round((255 * ((pixel >>> fields[3]!.shift) & alphaMax)) / alphaMax);
    }
  };
}

/** Pixels outside all runs have the first colour of the palette. */
function readRuns(file: Buffer, dib: Dib, start: number, rgba: Uint8Array): void {
  const { width, height, palette } = dib;
  for (let pixel = 0; pixel < width * height; pixel += 1) putColor(rgba, 4 * pixel, palette, 0);
  const isNibbles = dib.compression === RLE4;
  let [at, x, y] = [start, 0, 0];
  const put = (color: number) => {
    if (x < width && y < height) putColor(rgba, rowStart(dib, y) + 4 * x, palette, color);
    x += 1;
  };
  while (y < height) {
    const count = file.readUInt8(at);
    const value = file.readUInt8(at + 1);
    at += 2;
    if (count > 0) {
      for (let index = 0; index < count; index += 1)
        put(isNibbles ? (value >> (index % 2 === 0 ? 4 : 0)) & 15 : value);
    } else if (value === 0) {
      [x, y] = [0, y + 1];
    } else if (value === 1) {
      return;
    } else if (value === 2) {
      [x, y, at] = [x + file.readUInt8(at), y + file.readUInt8(at + 1), at + 2];
    } else {
      const literal = slice(file, at, isNibbles ? Math.ceil(value / 2) : value);
      for (let index = 0; index < value; index += 1)
        put(isNibbles ? (literal[index >> 1]! >> (index % 2 === 0 ? 4 : 0)) & 15 : literal[index]!);
      at += literal.length + (literal.length % 2);
    }
  }
}

/** Makes the image opaque if alpha is zero everywhere: such writers do not use it. */
export function makeOpaqueIfEmpty(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 0) return false;
  for (let at = 3; at < rgba.length; at += 4) rgba[at] = 255;
  return true;
}

function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let [from, to] = [0, 0]; from < rgba.length; from += 4, to += 3) {
    rgb[to] = rgba[from]!;
    rgb[to + 1] = rgba[from + 1]!;
    rgb[to + 2] = rgba[from + 2]!;
  }
  return rgb;
}

/** Only version 5 headers have a profile. */
function embeddedProfile(file: Buffer): Uint8Array | undefined {
  const header = FILE_HEADER_BYTES;
  if (file.readUInt32LE(header) < 124 || file.readUInt32LE(header + 56) !== EMBEDDED_PROFILE)
    return undefined;
  const start = header + file.readUInt32LE(header + 112);
  const length = file.readUInt32LE(header + 116);
  return start + length <= file.length && length >= 128 ? file.subarray(start, start + length) : undefined;
}
