import { profileName } from '../../color/profile_name.ts';
import { type Ifd, type IfdEntry, numberReader, readIfd, textOf } from '../../metadata/tiff/ifd.ts';
import { TIFF_PAGES_MAX } from '../limits.ts';
import { type IccHeader, readIccHeader } from '../pdf/icc_header.ts';

/** Tags of one TIFF directory. TIFF 6.0; ICC.1 annex B.4; Photoshop TIFF technical notes. */
export interface TiffPage {
  /** From 1. */
  readonly number: number;
  readonly isBig: boolean;
  readonly width: number;
  readonly height: number;
  readonly bits: readonly number[];
  readonly samples: number;
  /** 0 and 1 grey, 2 RGB, 3 palette, 4 mask, 5 separated, 6 YCbCr, 8 to 10 Lab. */
  readonly photometric: number;
  readonly compression: number;
  readonly isPlanar: boolean;
  /** 0 unspecified, 1 and 2 transparency. */
  readonly extraSamples: readonly number[];
  readonly inkSet: number;
  readonly inkNames: readonly string[];
  /** Horizontal and vertical resolution in pixels per inch. Undefined if the file states only an aspect ratio. */
  readonly dpi: { readonly x: number; readonly y: number } | undefined;
  readonly orientation: number;
  readonly hasLayers: boolean;
  /** Reduced-resolution version of another image. */
  readonly isReduced: boolean;
  readonly hasProfile: boolean;
  readonly profile: IccHeader | undefined;
  /** Description and bytes of a CMYK profile. */
  readonly profileName?: string | undefined;
  readonly profileBytes?: Uint8Array | undefined;
  /** Strips or tiles are outside the file or missing. */
  readonly isCutOff: boolean;
  /** Total area coverage of the first page in per cent, as in ImageInspection. */
  readonly inkPercent?: number | undefined;
  /** Whether the pixels could be read. Undefined if not tried. */
  readonly isReadable?: boolean | undefined;
}

const TAGS = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  stripSizes: 279,
  x: 282,
  y: 283,
  planar: 284,
  unit: 296,
  tileOffsets: 324,
  tileSizes: 325,
  inkSet: 332,
  inkNames: 333,
  extra: 338,
  profile: 34_675,
  layers: 37_724,
} as const;

const CENTIMETRES = 3;
const INCHES = 2;
/** Maximum values read per entry, and strip and tile offsets checked per file. */
const VALUES_MAX = 64;
const PLACES_MAX = 400_000;
/** Maximum bytes read of InkNames. */
const NAMES_BYTES_MAX = 4096;

/** Reads the directories in sequence. Stops at a cycle. */
export function readTiffPages(bytes: Uint8Array): TiffPage[] {
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  const places = { left: PLACES_MAX };
  for (let ifd = readIfd(bytes); ifd && !seen.has(ifd.offset) && pages.length < TIFF_PAGES_MAX; ) {
    seen.add(ifd.offset);
    pages.push(pageOf(ifd, { fileBytes: bytes.length, number: pages.length + 1, places }));
    ifd = ifd.next > 0 ? readIfd(bytes, ifd.next) : undefined;
  }
  return pages;
}

interface PageContext {
  readonly fileBytes: number;
  readonly number: number;
  /** Strip and tile offsets that may still be checked. */
  readonly places: { left: number };
}

function pageOf(ifd: Ifd, { fileBytes, number, places }: PageContext): TiffPage {
  const entries = new Map(ifd.entries.map((entry) => [entry.tag, entry]));
  const values = (tag: keyof typeof TAGS, max = VALUES_MAX): number[] =>
    numbersOf(entries.get(TAGS[tag]), ifd.little, max);
  const one = (tag: keyof typeof TAGS, otherwise: number): number => values(tag, 1)[0] ?? otherwise;
  const profile = entries.get(TAGS.profile);
  const inkNames = entries.get(TAGS.inkNames);
  const header = profile && readIccHeader(profile.data);
  return {
    number,
    isBig: ifd.big,
    width: one('width', 0),
    height: one('height', 0),
    bits: values('bits').length > 0 ? values('bits') : [1],
    samples: one('samples', 1),
    photometric: one('photometric', 1),
    compression: one('compression', 1),
    isPlanar: one('planar', 1) === 2,
    extraSamples: values('extra'),
    inkSet: one('inkSet', 1),
    inkNames: namesIn(inkNames),
    dpi: dpiOf(one('x', 0), one('y', 0), one('unit', INCHES)),
    orientation: one('orientation', 1),
    hasLayers: entries.has(TAGS.layers),
    isReduced: (one('subfile', 0) & 1) === 1,
    hasProfile: profile !== undefined,
    profile: header,
    ...(header?.space === 'CMYK' && { profileName: profileName(profile?.data), profileBytes: profile?.data }),
    isCutOff: isCutOff((tag) => {
      const found = values(tag, places.left);
      places.left -= found.length;
      return found;
    }, fileBytes),
  };
}

function namesIn(entry: IfdEntry | undefined): string[] {
  const text = entry && textOf({ ...entry, data: entry.data.subarray(0, NAMES_BYTES_MAX) });
  return (text ?? '').split('\0').filter(Boolean).slice(0, 32);
}

function dpiOf(x: number, y: number, unit: number): TiffPage['dpi'] {
  if (!(x > 0 && y > 0) || (unit !== INCHES && unit !== CENTIMETRES)) return undefined;
  const scale = unit === CENTIMETRES ? 2.54 : 1;
  return { x: x * scale, y: y * scale };
}

function isCutOff(values: (tag: keyof typeof TAGS) => number[], fileBytes: number): boolean {
  const tiles = values('tileOffsets');
  const [offsets, sizes] =
    tiles.length > 0 ? [tiles, values('tileSizes')] : [values('stripOffsets'), values('stripSizes')];
  if (offsets.length === 0 || sizes.length < offsets.length) return true;
  return offsets.some((offset, index) => offset + sizes[index]! > fileBytes);
}

/** Reads numbers of the types BYTE, SHORT, LONG, LONG8, IFD and RATIONAL. */
function numbersOf(entry: IfdEntry | undefined, little: boolean, max: number): number[] {
  if (!entry) return [];
  const { data, type } = entry;
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const read = numberReader(buffer, little);
  const size = ({ 1: 1, 3: 2, 4: 4, 5: 8, 16: 8, 13: 4 } as Record<number, number>)[type] ?? 0;
  if (size === 0) return [];
  return Array.from({ length: Math.min(max, Math.floor(buffer.length / size)) }, (_, index) => {
    const at = index * size;
    if (type === 5) return read(at, 4) / (read(at + 4, 4) || Number.NaN);
    return size === 1 ? buffer[at]! : read(at, size as 2 | 4 | 8);
  });
}
