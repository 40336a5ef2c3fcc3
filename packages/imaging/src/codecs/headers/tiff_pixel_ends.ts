import { brokenPicture } from './header.ts';

const TAG = {
  strips: 273,
  stripBytes: 279,
  tiles: 324,
  tileBytes: 325,
} as const;
const ENTRIES_MAX = 4096;
/** Strips or tiles; a picture of the most pixels in strips of one row has far fewer. */
const PARTS_MAX = 1_000_000;

/** Where the parts of a directory lie in a classic and in a BigTIFF file, in bytes. TIFF 6.0, section 2. */
const CLASSIC = { countBytes: 2, entryBytes: 12, valueAt: 8 } as const;
const BIG = { countBytes: 8, entryBytes: 20, valueAt: 12 } as const;
const SHORT = 3;
const LONG = 4;
const LONG8 = 16;
const NUMBER_BYTES: Readonly<Record<number, number>> = { [SHORT]: 2, [LONG]: 4, [LONG8]: 8 };

/** Where the last strip or tile of a picture ends, in bytes; 0 where the file does not say. @param directory of the picture; absent: the first */
export function tiffPixelEnds(view: DataView, directory?: number): number {
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
    /** All numbers under a tag: in the entry itself where they fit, else where it points. */
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
