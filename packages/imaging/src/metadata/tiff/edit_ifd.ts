import { type Ifd, type IfdEntry, readIfd } from './ifd.ts';

/** A value put into the first directory; without `data` the entry is taken out. */
export interface IfdChange {
  readonly tag: number;
  /** 1 bytes, 2 ASCII, 7 undefined bytes. */
  readonly type: 1 | 2 | 7;
  readonly data?: Uint8Array;
}

/**
 * A TIFF (or Exif) with entries of its first directory changed. Everything there was keeps its place, so no offset
 * inside, not even one of a maker's note, has to move: new values and the new directory are added at the end. There they
 * take the place of those they replace, so writing again and again does not make the file grow.
 * Nothing for bytes without a readable directory.
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
    // Offsets are even numbers: TIFF 6.0, section 2.
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
 * Where the file ends without the directory and the values that are replaced, if they are the last things in it: then they were
 * added as here. A directory alone is left, as it may belong to another program.
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
    // One byte may lie between, as offsets are even.
    if (!value.isReplaced || value.end > end || end - value.end > 1) break;
    end = value.start;
  }
  const isShared = outside.some((value) => !value.isReplaced && value.end > end);
  return end === offset || isShared ? bytes.length : end;
}

/** A whole number in so many bytes. */
export type WriteNumber = (value: number, size: number) => Buffer;

/** Numbers in the order of bytes a block has. */
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

/** Exif with nothing in it. */
export const EMPTY_EXIF = Buffer.from('49492a0008000000000000000000', 'hex');
