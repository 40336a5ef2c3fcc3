import { IFD_ENTRIES_MAX } from '../limits.ts';

/** A directory of a TIFF with its offset and entries; also of Exif, which is a TIFF without pixels. */
export interface Ifd {
  readonly little: boolean;
  /** BigTIFF: 64-bit offsets. */
  readonly big: boolean;
  /** Byte offset of the directory. */
  readonly offset: number;
  readonly entries: readonly IfdEntry[];
  /** Byte offset of the next directory; 0 for the last. */
  readonly next: number;
}

export interface IfdEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** The raw entry. */
  readonly raw: Uint8Array;
  /** Its value; empty if it is outside the file. */
  readonly data: Uint8Array;
}

/** Bytes per value, by type. TIFF 6.0 section 2 and BigTIFF. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Reads the first directory, or the one at `offset`. Undefined if there is none. */
export function readIfd(bytes: Uint8Array, offset?: number): Ifd | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = buffer.toString('latin1', 0, 4);
  if (!/^(II[*+]\0|MM\0[*+])$/.test(start)) return undefined;
  const little = start.startsWith('II');
  const big = start.includes('+');
  const read = numberReader(buffer, little);
  try {
    return directoryAt(buffer, read, { little, big, offset: offset ?? (big ? read(8, 8) : read(4, 4)) });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type ReadNumber = (at: number, size: 2 | 4 | 8) => number;

/** @throws RangeError outside the bytes */
export function numberReader(buffer: Buffer, little: boolean): ReadNumber {
  return (at, size) => {
    if (size === 8) return Number(little ? buffer.readBigUInt64LE(at) : buffer.readBigUInt64BE(at));
    return little ? buffer.readUIntLE(at, size) : buffer.readUIntBE(at, size);
  };
}

function directoryAt(buffer: Buffer, read: ReadNumber, place: Pick<Ifd, 'little' | 'big' | 'offset'>): Ifd {
  const { big, offset } = place;
  const count = read(offset, big ? 8 : 2);
  if (count > IFD_ENTRIES_MAX) throw new RangeError('a directory with too many entries');
  const [first, size] = big ? [offset + 8, 20] : [offset + 2, 12];
  const entries = Array.from({ length: count }, (_, index) =>
    entryAt(buffer, read, { at: first + index * size, big }),
  );
  const next = read(first + count * size, big ? 8 : 4);
  return { ...place, entries, next };
}

function entryAt(buffer: Buffer, read: ReadNumber, { at, big }: { at: number; big: boolean }): IfdEntry {
  const type = read(at + 2, 2);
  const count = read(at + 4, big ? 8 : 4);
  const inline = big ? 8 : 4;
  const size = count * (SIZES[type] ?? 0);
  const from = size <= inline ? at + 4 + inline : read(at + 4 + inline, inline);
  const isInside = Number.isSafeInteger(from + size) && from + size <= buffer.length;
  return {
    tag: read(at, 2),
    type,
    count,
    raw: buffer.subarray(at, at + 4 + 2 * inline),
    data: isInside ? buffer.subarray(from, from + size) : buffer.subarray(0, 0),
  };
}

export const entryOf = (ifd: Ifd | undefined, tag: number): IfdEntry | undefined =>
  ifd?.entries.find((entry) => entry.tag === tag);

/** Text of an ASCII entry up to the first zero: UTF-8 if valid, as MWG requires, else Latin 1. */
export function textOf(entry: IfdEntry | undefined): string | undefined {
  if (!entry || entry.data.length === 0) return undefined;
  const end = entry.data.indexOf(0);
  const bytes = end < 0 ? entry.data : entry.data.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimEnd() || undefined;
  } catch {
    return new TextDecoder('windows-1252').decode(bytes).trimEnd() || undefined;
  }
}

/** TIFF 6.0 section 8, XMP part 3, IPTC in TIFF, C2PA 2.2 A.3.5. */
export const DESCRIPTION_TAG = 270;
export const ORIENTATION_TAG = 274;
export const ARTIST_TAG = 315;
export const XMP_TAG = 700;
export const COPYRIGHT_TAG = 33_432;
export const IIM_TAG = 33_723;
export const MANIFEST_TAG = 52_545;

/** A change to the first directory; without `data` the entry is removed. */
export interface IfdChange {
  readonly tag: number;
  /** 1: bytes, 2: ASCII, 7: undefined bytes. */
  readonly type: 1 | 2 | 7;
  readonly data?: Uint8Array;
}

/**
 * Changes entries in the first directory of a TIFF (or Exif). Existing data keeps its offset, so no reference, even in a maker note, has to change:
 * new values and the new directory are appended. They replace those appended by earlier writes, so repeated writes do not grow the file. Undefined
 * without a readable directory.
 */
export function editIfd(bytes: Uint8Array, changes: readonly IfdChange[]): Buffer | undefined {
  const ifd = readIfd(bytes);
  if (!ifd) return undefined;
  const writer = writeNumberIn(ifd.little);
  const inline = ifd.big ? 8 : 4;
  const replaced = new Set(changes.map(({ tag }) => tag));
  const left = bytes.subarray(0, endWithout(bytes, ifd, replaced));
  const pieces: Uint8Array[] = [left];
  let end = left.length;
  const append = (data: Uint8Array): number => {
    // Offsets are even: TIFF 6.0, section 2.
    const padding = end % 2;
    const at = end + padding;
    pieces.push(new Uint8Array(padding), data);
    end = at + data.length;
    return at;
  };
  const changed = changes.flatMap(({ tag, type, data }) => {
    if (!data) return [];
    const place = Buffer.alloc(inline);
    if (data.length <= inline) place.set(data);
    else place.set(writer(append(data), inline));
    const raw = Buffer.concat([writer(tag, 2), writer(type, 2), writer(data.length, inline), place]);
    return [{ tag, raw }];
  });
  const kept: Pick<IfdEntry, 'tag' | 'raw'>[] = ifd.entries.filter(({ tag }) => !replaced.has(tag));
  const entries = [...kept, ...changed].sort((one, other) => one.tag - other.tag);
  const directory = append(directoryBytes(ifd, entries, writer));
  const edited = Buffer.concat(pieces);
  edited.set(writer(directory, inline), ifd.big ? 8 : 4);
  return edited;
}

/**
 * End of the file without the directory and the replaced values, if they come last and were therefore appended by an earlier write. A directory on
 * its own is kept, as it may belong to another program.
 */
function endWithout(bytes: Uint8Array, ifd: Ifd, replaced: ReadonlySet<number>): number {
  const { big, entries, offset } = ifd;
  const directoryEnd = offset + (big ? 8 + 20 * entries.length + 8 : 2 + 12 * entries.length + 4);
  if (directoryEnd !== bytes.length) return bytes.length;
  const outside = entries
    .filter(({ data }) => data.length > (big ? 8 : 4))
    .map(({ tag, data }) => {
      const start = data.byteOffset - bytes.byteOffset;
      return { start, end: start + data.length, isReplaced: replaced.has(tag) };
    })
    .sort((one, other) => other.end - one.end);
  let end = offset;
  for (const value of outside) {
    // One padding byte may precede, because offsets are even.
    if (!value.isReplaced || value.end > end || end - value.end > 1) break;
    end = value.start;
  }
  const isShared = outside.some((value) => !value.isReplaced && value.end > end);
  return end === offset || isShared ? bytes.length : end;
}

/** Encodes an integer in `size` bytes. */
export type WriteNumber = (value: number, size: number) => Buffer;

/** An encoder for the byte order of a block. */
export function writeNumberIn(little: boolean): WriteNumber {
  return (value, size) => {
    const bytes = Buffer.alloc(size);
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
    else bytes.writeUIntLE(value, 0, size);
    return little ? bytes : bytes.reverse();
  };
}

function directoryBytes(
  { big, next }: Ifd,
  entries: readonly Pick<IfdEntry, 'raw'>[],
  writer: WriteNumber,
): Buffer {
  return Buffer.concat([
    writer(entries.length, big ? 8 : 2),
    ...entries.map(({ raw }) => raw),
    writer(next, big ? 8 : 4),
  ]);
}

/** An empty Exif block. */
export const EMPTY_EXIF = Buffer.from('49492a0008000000000000000000', 'hex');
