import { brokenPicture, pngSize } from '../codecs/headers/header.ts';
import { readRaster } from '../codecs/read_raster.ts';
import type { Size } from '../pixels/plane.ts';
import { makeOpaqueIfEmpty, readDib, readDibPixels, rowBytes } from './bmp.ts';
import { pageIndex, refuseSize, slice, withinFile } from './bounds.ts';
import { ICO_ENTRIES_MAX, ICO_SIDE_PX_MAX } from './limits.ts';
import type { DecodedPicture, DecodeOptions } from './types.ts';

const ENTRY_BYTES = 16;
const PNG = 0x89504e47;

interface Entry extends Size {
  readonly bits: number;
  readonly data: Buffer;
}

/**
 * Decodes one image of an icon or cursor file: the requested page, else the largest with the most colours. Source: "The format of icon resources";
 * [MS-WMF] for its bitmaps.
 */
export async function decodeIco(
  bytes: Uint8Array,
  { page }: Pick<DecodeOptions, 'page'> = {},
): Promise<DecodedPicture> {
  const entries = withinFile('icon', bytes, readEntries);
  const largest = entries.reduce((best, entry, index) => {
    const other = entries[best]!;
    const [area, least] = [entry.width * entry.height, other.width * other.height];
    return area > least || (area === least && entry.bits > other.bits) ? index : best;
  }, 0);
  const { data } = entries[pageIndex(page, entries.length, largest)]!;
  const picture = isPng(data) ? await decodePng(data) : decodeBitmap(data);
  return { ...picture, pages: entries.length > 1 ? entries.length : undefined, warnings: [] };
}

const isPng = (data: Buffer): boolean => data.length >= 8 && data.readUInt32BE(0) === PNG;

/** Skips entries outside the file and invalid ones. */
function readEntries(file: Buffer): Entry[] {
  const count = file.readUInt16LE(4);
  if (count > ICO_ENTRIES_MAX) throw brokenPicture(`the icon file says that it has ${count} pictures`);
  const entries = Array.from({ length: count }, (_, index) => {
    const at = 6 + ENTRY_BYTES * index;
    const [length, start] = [file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)];
    return start + length <= file.length ? readEntry(slice(file, start, length)) : undefined;
  }).filter((entry) => entry !== undefined);
  if (entries.length === 0) throw brokenPicture('the icon file has no whole picture');
  return entries;
}

/** The size comes from the image's own header: the directory is limited to 256 pixels per side and often wrong. */
function readEntry(data: Buffer): Entry | undefined {
  if (isPng(data) && data.length >= 33)
    return { width: data.readUInt32BE(16), height: data.readUInt32BE(20), bits: 32, data };
  if (data.length < 40 || data.readUInt32LE(0) < 40) return undefined;
  return { width: data.readInt32LE(4), height: data.readInt32LE(8) / 2, bits: data.readUInt16LE(14), data };
}

async function decodePng(data: Buffer): Promise<Omit<DecodedPicture, 'warnings'>> {
  const size = withinFile('icon', data, () =>
    pngSize(new DataView(data.buffer, data.byteOffset, data.byteLength)),
  );
  refuseSize('icon', size, ICO_SIDE_PX_MAX ** 2);
  return readRaster(data);
}

/** Colours, then a mask with one bit per pixel; the height counts the rows of both. */
function decodeBitmap(data: Buffer): Omit<DecodedPicture, 'warnings'> {
  return withinFile('icon', data, (file) => {
    const both = readDib(file, 0);
    const dib = { ...both, height: Math.floor(both.height / 2) };
    refuseSize('icon', dib, ICO_SIDE_PX_MAX ** 2);
    const rgba = readDibPixels(file, dib, dib.end);
    const hasAlpha = dib.bits === 32 && readAlpha(file, dib.end, rgba, dib);
    if (!hasAlpha) applyMask(file, dib.end + rowBytes(dib) * dib.height, rgba, dib);
    return { width: dib.width, height: dib.height, channels: 4, data: rgba };
  });
}

/** Icons use the fourth byte as alpha without a mask for it. Returns whether any pixel does. */
function readAlpha(
  file: Buffer,
  at: number,
  rgba: Uint8Array,
  { width, height, isTopDown }: Size & { isTopDown: boolean },
): boolean {
  for (let row = 0; row < height; row += 1) {
    const to = 4 * width * (isTopDown ? row : height - 1 - row);
    for (let x = 0; x < width; x += 1) rgba[to + 4 * x + 3] = file.readUInt8(at + 4 * (row * width + x) + 3);
  }
  return !makeOpaqueIfEmpty(rgba);
}

/** Set bits are transparent. Files that end before the mask are opaque. */
function applyMask(
  file: Buffer,
  at: number,
  rgba: Uint8Array,
  { width, height, isTopDown }: Size & { isTopDown: boolean },
): void {
  const stride = rowBytes({ width, bits: 1 });
  if (at + stride * height > file.length) return;
  for (let row = 0; row < height; row += 1) {
    const to = 4 * width * (isTopDown ? row : height - 1 - row);
    for (let x = 0; x < width; x += 1)
      if ((file[at + row * stride + (x >> 3)]! >> (7 - (x & 7))) & 1) rgba[to + 4 * x + 3] = 0;
  }
}
