import {
  ARTIST_TAG,
  COPYRIGHT_TAG,
  entryOf,
  type Ifd,
  type IfdEntry,
  readIfd,
  type WriteNumber,
  writeNumberIn,
} from '../tiff/ifd.ts';
import { type Account, type CarryWish, NOT_RIGHTS } from './carried.ts';
import { EXIF_BYTES_MAX } from './limits.ts';

/** One value of a directory, in the byte order of the block. */
interface ExifValue {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly data: Uint8Array;
}

interface ExifParts {
  readonly little: boolean;
  readonly main: readonly ExifValue[];
  readonly exif: readonly ExifValue[];
  readonly gps: readonly ExifValue[];
  readonly interop: readonly ExifValue[];
  /** JPEG. */
  readonly thumbnail?: Uint8Array | undefined;
  /** A value that must keep its offset: a maker note contains offsets relative to the whole block. */
  readonly fixed?: { readonly value: ExifValue; readonly offset: number } | undefined;
}

const EXIF_POINTER = 0x8769;
const GPS_POINTER = 0x8825;
const INTEROP_POINTER = 0xa005;
const [ENCODE_EXIF_LONG, ENCODE_EXIF_SHORT] = [4, 3];
const HEAD_BYTES = 8;

/** Writes a new Exif block (TIFF 6.0, section 2; Exif 3.0, 4.6): it contains no bytes except those of `parts`. */
export function encodeExif({ little, main, exif, gps, interop, thumbnail, fixed }: ExifParts): Buffer {
  const number = writeNumberIn(little);
  const layout = layOut(fixed && { from: fixed.offset, bytes: fixed.value.data });
  const pointer = (tag: number, at: number): ExifValue[] =>
    at === 0 ? [] : [{ tag, type: ENCODE_EXIF_LONG, count: 1, data: number(at, 4) }];
  const write = (values: readonly ExifValue[], next = 0) =>
    values.length === 0 ? 0 : writeDirectory(values, { number, layout, next, fixed });
  const interopAt = write(interop);
  const maker = fixed ? [fixed.value] : [];
  const exifAt = write([...exif, ...maker, ...pointer(INTEROP_POINTER, interopAt)]);
  const gpsAt = write(gps);
  const thumbnailAt = thumbnail ? layout.place(thumbnail) : 0;
  const thumbnailTags: ExifValue[] = thumbnail
    ? [
        { tag: 0x103, type: ENCODE_EXIF_SHORT, count: 1, data: number(6, 2) },
        ...pointer(0x201, thumbnailAt),
        ...pointer(0x202, thumbnail.length),
      ]
    : [];
  const nextAt = write(thumbnailTags);
  const mainAt = writeDirectory([...main, ...pointer(EXIF_POINTER, exifAt), ...pointer(GPS_POINTER, gpsAt)], {
    number,
    layout,
    next: nextAt,
    fixed,
  });
  const head = Buffer.concat([Buffer.from(little ? 'II' : 'MM'), number(42, 2), number(mainAt, 4)]);
  return layout.join(head);
}

interface Layout {
  /** Offset of the bytes, an even number. */
  place(bytes: Uint8Array): number;
  join(head: Buffer): Buffer;
}

/** Places values one after another, around a reserved range. */
function layOut(taken: { from: number; bytes: Uint8Array } | undefined): Layout {
  const placed: { at: number; bytes: Uint8Array }[] = taken ? [{ at: taken.from, bytes: taken.bytes }] : [];
  const takenEnd = taken ? taken.from + taken.bytes.length : 0;
  let end = HEAD_BYTES;
  return {
    place(bytes) {
      let at = end + (end % 2);
      if (taken && at < takenEnd && at + bytes.length > taken.from) at = takenEnd + (takenEnd % 2);
      placed.push({ at, bytes });
      end = at + bytes.length;
      return at;
    },
    join(head) {
      const block = Buffer.alloc(Math.max(end, takenEnd));
      head.copy(block);
      for (const { at, bytes } of placed) block.set(bytes, at);
      return block;
    },
  };
}

interface Writing {
  readonly number: WriteNumber;
  readonly layout: Layout;
  readonly next: number;
  readonly fixed: ExifParts['fixed'];
}

function writeDirectory(values: readonly ExifValue[], { number, layout, next, fixed }: Writing): number {
  const placeOf = (value: ExifValue): Uint8Array => {
    if (value === fixed?.value) return number(fixed.offset, 4);
    if (value.data.length > 4) return number(layout.place(value.data), 4);
    return Buffer.concat([value.data, Buffer.alloc(4 - value.data.length)]);
  };
  const entries = values
    .toSorted((one, other) => one.tag - other.tag)
    .map((value) =>
      Buffer.concat([number(value.tag, 2), number(value.type, 2), number(value.count, 4), placeOf(value)]),
    );
  return layout.place(Buffer.concat([number(entries.length, 2), ...entries, number(next, 4)]));
}

interface Target {
  readonly width: number;
  readonly height: number;
  readonly isSrgb: boolean;
  readonly dpi?: number | undefined;
  /** Thumbnail of the result; undefined if none can be made. */
  readonly thumbnail?: Uint8Array | undefined;
}

/** Tags about pixel storage or other blocks, which the result defines itself. */
const STRUCTURE = new Set([
  254,
  255,
  256,
  257,
  258,
  259,
  262,
  263,
  264,
  265,
  266,
  273,
  277,
  278,
  279,
  280,
  281,
  284,
  288,
  289,
  290,
  291,
  292,
  293,
  297,
  301,
  317,
  318,
  319,
  320,
  321,
  322,
  323,
  324,
  325,
  330,
  332,
  333,
  334,
  336,
  338,
  339,
  340,
  341,
  342,
  343,
  347,
  512,
  513,
  514,
  515,
  517,
  518,
  519,
  520,
  521,
  529,
  530,
  531,
  532,
  559,
  700,
  33_723,
  34_377,
  34_675,
  42_112,
  42_113,
  52_545,
  EXIF_POINTER,
  GPS_POINTER,
]);
/** Tags about the original samples, outdated after conversion: TransferFunction, WhitePoint, PrimaryChromaticities, ReferenceBlackWhite. */
const COLORS = new Set([301, 318, 319, 532]);
const POINTERS = new Set([EXIF_POINTER, GPS_POINTER, INTEROP_POINTER]);
const ORIENTATION = 274;
const [COLOR_SPACE, PIXEL_X, PIXEL_Y] = [0xa001, 0xa002, 0xa003];
const MAKER_NOTE = 0x927c;
/** DNGPrivateData: the maker note of a raw file. */
const PRIVATE_DATA = 50_740;
const [JPEG_OFFSET, SHORT, LONG] = [0x201, 3, 4];
const [SRGB, UNCALIBRATED] = [1, 0xffff];
const [RESOLUTION_X, RESOLUTION_Y, RESOLUTION_UNIT, RATIONAL, INCH] = [282, 283, 296, 5, 2];
/** A maker note that ends beyond this cannot keep its offset in a block of 64 KB. */
const MAKER_NOTE_END_MAX = 60_000;

/** Whether the block contains a thumbnail. */
export function hasThumbnail(exif: Uint8Array): boolean {
  const ifd = readIfd(exif);
  if (!ifd || ifd.next === 0) return false;
  return entryOf(readIfd(exif, ifd.next), JPEG_OFFSET) !== undefined;
}

/**
 * Rewrites the Exif block of an image for the result: upright, with its size and thumbnail, and without GPS data unless requested. Undefined if
 * nothing is copied.
 */
export function carriedExif(
  exif: Uint8Array,
  { keep, keepLocation, shows }: Pick<CarryWish, 'keep' | 'keepLocation'> & Partial<CarryWish>,
  { target, account }: { target: Target; account: Account },
): Buffer | undefined {
  const found = directoriesOf(exif);
  if (!found) {
    account.dropped.set('exif', 'it cannot be read: it is damaged, or from a BigTIFF');
    return undefined;
  }
  if (found.gps.length > 0 && !keepLocation)
    account.dropped.set('exif.location', 'coordinates are kept only with keep_location');
  if (found.hasColors) account.dropped.set('exif.colors', 'they describe the samples before conversion');
  if (found.damaged > 0) account.dropped.set('exif.damaged', `${found.damaged} values are outside the file`);
  const all: ExifParts = keep === 'rights' ? rightsOf(found, account) : allOf(found, { target, account });
  const { fixed, ...others } = all;
  if (fixed && shows === 'edited')
    account.dropped.set('exif.maker_note', 'it may hold a preview with replaced content');
  const parts: ExifParts = shows === 'edited' ? others : all;
  const isEmpty = parts.main.length + parts.exif.length === 0 && !parts.fixed;
  const gps = keepLocation && keep === 'all' ? found.gps : [];
  if (isEmpty && gps.length === 0) return undefined;
  return fitBlock({ ...parts, gps }, account);
}

interface Found {
  readonly little: boolean;
  readonly main: readonly ExifValue[];
  readonly exif: readonly ExifValue[];
  readonly gps: readonly ExifValue[];
  readonly interop: readonly ExifValue[];
  readonly makerNote?: { readonly value: ExifValue; readonly offset: number };
  readonly hasThumbnail: boolean;
  readonly hasColors: boolean;
  readonly hasPrivateData: boolean;
  readonly damaged: number;
}

/** The four directories of a block. Each is read once, so cyclic references end. */
function directoriesOf(block: Uint8Array): Found | undefined {
  const main = readIfd(block);
  if (!main || main.big) return undefined;
  const at = (ifd: Ifd | undefined, tag: number) => {
    const entry = entryOf(ifd, tag);
    if (entry?.type !== LONG || entry.data.length !== 4) return undefined;
    return readIfd(block, numberIn(entry.data, main.little));
  };
  const exif = at(main, EXIF_POINTER);
  const maker = entryOf(exif, MAKER_NOTE);
  const directories = [main, exif, at(main, GPS_POINTER), at(exif, INTEROP_POINTER)];
  const sound = directories.map((ifd) => (ifd?.entries ?? []).filter(isSound));
  const all = directories.reduce((sum, ifd) => sum + (ifd?.entries.length ?? 0), 0);
  return {
    little: main.little,
    main: sound[0]!.filter(({ tag }) => !STRUCTURE.has(tag) && tag !== PRIVATE_DATA),
    exif: sound[1]!.filter(({ tag }) => !POINTERS.has(tag) && tag !== MAKER_NOTE),
    gps: sound[2]!.filter(({ tag }) => !POINTERS.has(tag)),
    interop: sound[3]!.filter(({ tag }) => !POINTERS.has(tag)),
    ...(maker &&
      isSound(maker) && { makerNote: { value: maker, offset: maker.data.byteOffset - block.byteOffset } }),
    hasThumbnail: hasThumbnail(block),
    hasPrivateData: sound[0]!.some(({ tag }) => tag === PRIVATE_DATA),
    hasColors: sound[0]!.some(({ tag }) => COLORS.has(tag)),
    damaged: all - sound.reduce((sum, entries) => sum + entries.length, 0),
  };
}

const isSound = ({ count, data }: IfdEntry): boolean => count === 0 || data.length > 0;

function numberIn(data: Uint8Array, little: boolean): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return view.getUint32(0, little);
}

function rightsOf({ little, main }: Found, account: Account): ExifParts {
  const rights = main.filter(({ tag }) => tag === ARTIST_TAG || tag === COPYRIGHT_TAG);
  if (rights.length > 0) account.kept.add('exif');
  account.dropped.set(
    'exif',
    rights.length > 0 ? `${NOT_RIGHTS}: only Artist and Copyright are kept` : NOT_RIGHTS,
  );
  return { little, main: rights, exif: [], gps: [], interop: [] };
}

function allOf(found: Found, { target, account }: { target: Target; account: Account }): ExifParts {
  const { little, makerNote } = found;
  const number = writeNumberIn(little);
  const asNumber = (tag: number, value: number, type = LONG): ExifValue => ({
    tag,
    type,
    count: 1,
    data: number(value, type === SHORT ? 2 : 4),
  });
  const rewritten = new Map([
    [ORIENTATION, asNumber(ORIENTATION, 1, SHORT)],
    [COLOR_SPACE, asNumber(COLOR_SPACE, target.isSrgb ? SRGB : UNCALIBRATED, SHORT)],
    [PIXEL_X, asNumber(PIXEL_X, target.width)],
    [PIXEL_Y, asNumber(PIXEL_Y, target.height)],
    ...(target.dpi === undefined ? [] : resolutionOf(target.dpi, number)),
  ]);
  const rewrite = (values: readonly ExifValue[]) => values.map((value) => rewritten.get(value.tag) ?? value);
  const orientation = found.main.find(({ tag }) => tag === ORIENTATION)?.data;
  if (orientation && number(1, 2).compare(orientation.subarray(0, 2)) !== 0)
    account.changed.set('exif.orientation', 'applied to the pixels');
  if (found.hasThumbnail) {
    if (target.thumbnail) account.changed.set('exif.thumbnail', 'regenerated from the result');
    else account.dropped.set('exif.thumbnail', 'it shows the original image');
  }
  if (found.hasPrivateData) account.dropped.set('exif.private_data', 'it refers to offsets in the raw file');
  const isPlaced =
    makerNote &&
    makerNote.offset >= 8 &&
    makerNote.offset + makerNote.value.data.length <= MAKER_NOTE_END_MAX;
  if (makerNote && !isPlaced)
    account.dropped.set(
      'exif.maker_note',
      'it is too large, or at too high an offset, to keep its position in the block',
    );
  if (found.main.length + found.exif.length > 0) account.kept.add('exif');
  return {
    little,
    main: rewrite(found.main),
    exif: rewrite(found.exif),
    gps: [],
    interop: found.interop,
    ...(found.hasThumbnail && { thumbnail: target.thumbnail }),
    ...(isPlaced && { fixed: makerNote }),
  };
}

function resolutionOf(dpi: number, number: WriteNumber): [number, ExifValue][] {
  const data = Buffer.concat([number(dpi, 4), number(1, 4)]);
  return [
    ...[RESOLUTION_X, RESOLUTION_Y].map((tag): [number, ExifValue] => [
      tag,
      { tag, type: RATIONAL, count: 1, data },
    ]),
    [RESOLUTION_UNIT, { tag: RESOLUTION_UNIT, type: SHORT, count: 1, data: number(INCH, 2) }],
  ];
}

/** Drops parts that exceed the block, least important first. */
function fitBlock(parts: ExifParts, account: Account): Buffer | undefined {
  let attempt = parts;
  for (const part of [undefined, 'thumbnail', 'fixed'] as const) {
    if (part && !attempt[part]) continue;
    if (part) {
      account.changed.delete(NAMES[part]);
      account.dropped.set(NAMES[part], 'it does not fit into the block');
      attempt = { ...attempt, [part]: undefined };
    }
    const block = encodeExif(attempt);
    if (block.length <= EXIF_BYTES_MAX) return block;
  }
  account.kept.delete('exif');
  account.dropped.set('exif', `it has more than ${EXIF_BYTES_MAX} bytes`);
  return undefined;
}

const NAMES = { thumbnail: 'exif.thumbnail', fixed: 'exif.maker_note' } as const;
