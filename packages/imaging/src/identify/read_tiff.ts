import { brokenPicture } from '../codecs/headers/header.ts';
import { ADOBE_RGB, codingOfGamma, isUsable, type Primaries } from '../color/color_coding.ts';
import { entryOf, type Ifd, readIfd, textOf } from '../metadata/tiff/ifd.ts';
import type { Choice, FileIdentity, SampleIdentity, SampleModel } from './file_identity.ts';
import { exifOf, numberIn, numbersIn, rationalsIn, xmpHasLocation } from './read_exif.ts';

/** Largest number of directories followed: further pages are not counted, and cyclic chains end. */
const DIRECTORIES_MAX = 1000;
const SUB_DIRECTORIES_MAX = 16;
const TAG = {
  subfile: 254,
  oldSubfile: 255,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  samples: 277,
  subDirectories: 330,
  extra: 338,
  sampleFormat: 339,
  white: 318,
  primaries: 319,
  xmp: 700,
  profile: 34_675,
  dng: 50_706,
} as const;

const MODELS: Readonly<Record<number, readonly [model: SampleModel, samples: number]>> = {
  0: ['grey', 1],
  1: ['grey', 1],
  2: ['rgb', 3],
  3: ['palette', 1],
  4: ['mask', 1],
  5: ['cmyk', 4],
  6: ['ycbcr', 3],
  8: ['lab', 3],
  9: ['lab', 3],
  10: ['lab', 3],
};
const COMPRESSIONS: Readonly<Record<number, string>> = {
  1: 'uncompressed',
  2: 'CCITT RLE',
  3: 'CCITT Group 3',
  4: 'CCITT Group 4',
  5: 'LZW',
  6: 'JPEG (old)',
  7: 'JPEG',
  8: 'Deflate',
  32773: 'PackBits',
  32946: 'Deflate',
  34661: 'JBIG',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34925: 'LZMA',
  50000: 'Zstandard',
  50001: 'WebP',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
};

interface Page {
  readonly ifd: Ifd;
  readonly width: number;
  readonly height: number;
  /** A reduced copy of another page. */
  readonly isReduced: boolean;
  readonly isMask: boolean;
}

/** Raw format, such as DNG or NEF, of a TIFF with sensor data; undefined for any other TIFF. */
export function cameraRawIn(bytes: Uint8Array): string | undefined {
  const first = readIfd(bytes);
  if (!first) return undefined;
  if (entryOf(first, TAG.dng)) return 'DNG';
  if (bytes[8] === 0x43 && bytes[9] === 0x52) return 'CR2';
  const isOfSensor = (ifd: Ifd): boolean =>
    [32_803, 34_892].includes(numberIn(ifd, TAG.photometric) ?? 0) ||
    [32_767, 34_713, 65_535].includes(numberIn(ifd, TAG.compression) ?? 0);
  const all = [...chainFrom(bytes, first).slice(0, 8), ...subDirectories(bytes, first)];
  if (!all.some(isOfSensor)) return undefined;
  const make = textOf(entryOf(first, 271)) ?? '';
  if (/nikon/i.test(make)) return 'NEF';
  return /sony/i.test(make) ? 'ARW' : /pentax|ricoh/i.test(make) ? 'PEF' : 'camera raw';
}

/** Number of pages of a TIFF, and the pages, from 1, that are neither reduced copies nor masks. */
export function tiffPages(bytes: Uint8Array): { readonly count: number; readonly pictures: number[] } {
  const first = readIfd(bytes);
  const chain = first ? chainFrom(bytes, first).map(pageOf) : [];
  const pictures = chain.flatMap((page, index) => (isPicture(page) ? [index + 1] : []));
  return { count: Math.max(1, chain.length), pictures };
}

/**
 * Reads the properties of a TIFF page.
 * @param number requested page, from 1. Default: the main image
 * @throws EngineError undecodable_image without an image directory
 */
export function identifyTiff(bytes: Uint8Array, number?: number): FileIdentity {
  const first = readIfd(bytes);
  if (!first) throw brokenPicture(`its header is truncated: the file ends after ${bytes.length} bytes`);
  const chain = chainFrom(bytes, first).map(pageOf);
  const nested = chain
    .slice(0, SUB_DIRECTORIES_MAX)
    .flatMap(({ ifd }) => subDirectories(bytes, ifd).map(pageOf));
  const page = (number && chain[number - 1]) || pictureAmong(chain, nested);
  const { ifd, width, height } = page;
  const compression = numberIn(ifd, TAG.compression) ?? 1;
  const exif = exifOf(bytes, ifd);
  const xmp = entryOf(first, TAG.xmp)?.data;
  return {
    width,
    height,
    orientation: exif.orientation,
    samples: samplesOf(ifd),
    color: colorOf(ifd, exif.isAdobeRgb),
    hasLocation:
      exif.hasLocation || exifOf(bytes, first).hasLocation || (xmp !== undefined && xmpHasLocation(xmp)),
    pages: choiceOf(page, chain),
    compression: COMPRESSIONS[compression] ?? `compression ${compression}`,
    faults: faultsOf(ifd),
    directory: ifd.offset,
  };
}

function chainFrom(bytes: Uint8Array, first: Ifd): Ifd[] {
  const chain = [first];
  const seen = new Set([first.offset]);
  for (let last = first; last.next !== 0 && !seen.has(last.next) && chain.length < DIRECTORIES_MAX; ) {
    const next = readIfd(bytes, last.next);
    if (!next) break;
    seen.add(next.offset);
    chain.push(next);
    last = next;
  }
  return chain;
}

const subDirectories = (bytes: Uint8Array, ifd: Ifd): Ifd[] =>
  numbersIn(ifd, TAG.subDirectories, SUB_DIRECTORIES_MAX).flatMap((offset) => readIfd(bytes, offset) ?? []);

function pageOf(ifd: Ifd): Page {
  const kind = numberIn(ifd, TAG.subfile) ?? 0;
  return {
    ifd,
    width: numberIn(ifd, TAG.width) ?? 0,
    height: numberIn(ifd, TAG.height) ?? 0,
    isReduced: (kind & 1) === 1 || numberIn(ifd, TAG.oldSubfile) === 2,
    isMask: (kind & 4) === 4 || numberIn(ifd, TAG.photometric) === 4,
  };
}

const areaOf = ({ width, height }: Page): number => width * height;
const isPicture = (page: Page): boolean => !page.isReduced && !page.isMask && areaOf(page) > 0;

/**
 * The first page that is neither a reduced copy nor a mask. A page much smaller than a later page of the same aspect ratio is treated as a
 * reduced copy without the flag. TIFF 6.0, NewSubfileType; TIFF/EP for the image behind a thumbnail.
 */
function pictureAmong(chain: readonly Page[], nested: readonly Page[]): Page {
  const pages = chain.filter(isPicture);
  const [page] = pages.length > 0 ? pages : nested.filter(isPicture);
  if (!page) return chain[0]!;
  const isSameShape = (other: Page) =>
    Math.abs((other.width * page.height) / (other.height * page.width) - 1) < 0.02;
  const larger = pages.filter((other) => areaOf(other) >= 4 * areaOf(page) && isSameShape(other));
  return larger.reduce(
    (largest, other) => (areaOf(other) > areaOf(largest) ? other : largest),
    larger[0] ?? page,
  );
}

function choiceOf(page: Page, chain: readonly Page[]): Choice | undefined {
  if (chain.length < 2) return undefined;
  const others = chain.filter((other) => other !== page && !other.isReduced && !other.isMask);
  const used = chain.indexOf(page) + 1;
  // Reduced copies of the following page, as in a pyramid, need no note.
  if (used === 1 && others.length === 0) return undefined;
  return used === 0 ? undefined : { used, of: chain.length, losesOthers: others.length > 0 };
}

function samplesOf(ifd: Ifd): SampleIdentity {
  const photometric = numberIn(ifd, TAG.photometric) ?? 1;
  const [model, colors] = MODELS[photometric] ?? (['other', 1] as const);
  const samples = numberIn(ifd, TAG.samples) ?? 1;
  const kinds = numbersIn(ifd, TAG.extra);
  const isAlone = kinds.length === 0 && samples === colors + 1;
  const kindOf = (kind: number | undefined) =>
    kind === 1 ? ('premultiplied' as const) : kind === 2 || isAlone ? ('alpha' as const) : ('other' as const);
  const format = numberIn(ifd, TAG.sampleFormat) ?? 1;
  return {
    bits: numberIn(ifd, TAG.bits) ?? 1,
    channels: samples,
    model: format > 4 ? 'other' : model,
    ...(format === 3 && { isFloat: true }),
    ...(format === 2 && { isSigned: true }),
    extra: Array.from({ length: Math.min(16, Math.max(0, samples - colors)) }, (_, index) =>
      kindOf(kinds[index]),
    ),
  };
}

function colorOf(ifd: Ifd, isAdobeRgb: boolean): FileIdentity['color'] {
  const profile = entryOf(ifd, TAG.profile)?.data;
  if (profile && profile.length > 0) return { source: 'icc', profile };
  const [corners, white] = [rationalsIn(ifd, TAG.primaries), rationalsIn(ifd, TAG.white)];
  const pair = (values: readonly number[], at: number) => [values[at]!, values[at + 1]!] as const;
  if (corners.length === 6 && white.length === 2) {
    const primaries: Primaries = {
      red: pair(corners, 0),
      green: pair(corners, 2),
      blue: pair(corners, 4),
      white: pair(white, 0),
    };
    const coding = isUsable(primaries) ? codingOfGamma(undefined, primaries) : undefined;
    return { source: 'tiff_tags', coding };
  }
  return isAdobeRgb ? { source: 'exif', coding: ADOBE_RGB } : { source: 'default' };
}

/** Faults that decoders warn about and ignore. */
function faultsOf({ entries }: Ifd): string[] {
  const open = entries.filter(({ type, data }) => type === 2 && data.length > 0 && data.at(-1) !== 0);
  const isUnsorted = entries.some(({ tag }, index) => index > 0 && tag < entries[index - 1]!.tag);
  return [
    ...(open.length > 0 ? [`the text of tag ${open[0]!.tag} does not end in a zero byte`] : []),
    ...(isUnsorted ? ['its tags are not in order'] : []),
  ];
}
