import { IFD_ENTRIES_MAX } from '../limits.ts';

/** Where the directory of a TIFF lies and what it holds. Also that of Exif, which is a TIFF without pixels. */
export interface Ifd {
  readonly little: boolean;
  /** BigTIFF: offsets of 64 bits. */
  readonly big: boolean;
  /** Byte position of the directory. */
  readonly offset: number;
  readonly entries: readonly IfdEntry[];
  /** Byte position of the next directory; 0 at the last. */
  readonly next: number;
}

export interface IfdEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** The entry as it stands in the file. */
  readonly raw: Uint8Array;
  /** Its value; empty where it lies outside the file. */
  readonly data: Uint8Array;
}

/** Bytes of one value, by type. TIFF 6.0 section 2 and BigTIFF. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** The first directory, or the one at `offset`. Nothing for bytes that have none. */
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
  if (count > IFD_ENTRIES_MAX) throw new RangeError('a directory of that many entries');
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

/** Text of an ASCII entry: UTF-8 where it is, as MWG asks, else Latin 1; up to the first zero. */
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
