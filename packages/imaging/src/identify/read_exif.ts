import { entryOf, type Ifd, readIfd, textOf } from '../metadata/tiff/ifd.ts';

const [ORIENTATION, EXIF_IFD, GPS_IFD] = [274, 34_665, 34_853];
const [COLOR_SPACE, INTEROP_IFD] = [40_961, 40_965];
const [GPS_LATITUDE, GPS_LONGITUDE, INTEROP_INDEX] = [2, 4, 1];

export interface ExifFacts {
  readonly orientation: number;
  readonly hasLocation: boolean;
  /** ColorSpace 2, or interoperability "R03" (DCF). */
  readonly isAdobeRgb: boolean;
}

export const NO_EXIF: ExifFacts = { orientation: 1, hasLocation: false, isAdobeRgb: false };

/** Reads the Exif fields that affect how an image is displayed. Damaged Exif yields no fields. */
export function readExif(tiff: Uint8Array | undefined): ExifFacts {
  const first = tiff && readIfd(tiff);
  return first ? exifOf(tiff, first) : NO_EXIF;
}

/** The same for a parsed directory. */
export function exifOf(tiff: Uint8Array, first: Ifd): ExifFacts {
  const inside = (parent: Ifd | undefined, tag: number): Ifd | undefined => {
    const offset = parent && numberIn(parent, tag);
    return offset ? readIfd(tiff, offset) : undefined;
  };
  const orientation = numberIn(first, ORIENTATION) ?? 1;
  const exif = inside(first, EXIF_IFD);
  const gps = inside(first, GPS_IFD);
  const colorSpace = exif && numberIn(exif, COLOR_SPACE);
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    hasLocation: Boolean(entryOf(gps, GPS_LATITUDE) || entryOf(gps, GPS_LONGITUDE)),
    isAdobeRgb:
      colorSpace === 2 ||
      (colorSpace !== 1 && textOf(entryOf(inside(exif, INTEROP_IFD), INTEROP_INDEX)) === 'R03'),
  };
}

/** First integer of an entry, if any. */
export const numberIn = (ifd: Ifd, tag: number): number | undefined => numbersIn(ifd, tag, 1)[0];

const SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8 };

/** Integers of an entry, at most `max` of them; empty for other types. */
export function numbersIn(ifd: Ifd, tag: number, max = 64): number[] {
  const entry = entryOf(ifd, tag);
  const size = entry && SIZES[entry.type];
  if (!size) return [];
  const view = new DataView(entry.data.buffer, entry.data.byteOffset, entry.data.byteLength);
  const read = (at: number): number => {
    if (size === 1) return view.getUint8(at);
    if (size === 2) return view.getUint16(at, ifd.little);
    return size === 4 ? view.getUint32(at, ifd.little) : Number(view.getBigUint64(at, ifd.little));
  };
  return Array.from({ length: Math.min(max, Math.floor(entry.data.length / size)) }, (_, index) =>
    read(index * size),
  );
}

/** Positive values of a RATIONAL entry. */
export function rationalsIn(ifd: Ifd, tag: number): number[] {
  const entry = entryOf(ifd, tag);
  if (entry?.type !== 5) return [];
  const view = new DataView(entry.data.buffer, entry.data.byteOffset, entry.data.byteLength);
  return Array.from({ length: Math.min(16, Math.floor(entry.data.length / 8)) }, (_, index) => {
    const divisor = view.getUint32(8 * index + 4, ifd.little);
    return divisor === 0 ? 0 : view.getUint32(8 * index, ifd.little) / divisor;
  });
}

const XMP_LOCATION = 'exif:GPSLatitude';
/** Whether XMP, which is text, contains the place where an image was taken. */
export const xmpHasLocation = (xmp: Uint8Array): boolean =>
  Buffer.from(xmp.buffer, xmp.byteOffset, xmp.byteLength).includes(XMP_LOCATION);
