import { type WriteNumber, writeNumberIn } from '../tiff/edit_ifd.ts';

/** One value of a directory, its bytes in the order of numbers the block has. */
export interface ExifValue {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly data: Uint8Array;
}

export interface ExifParts {
  readonly little: boolean;
  readonly main: readonly ExifValue[];
  readonly exif: readonly ExifValue[];
  readonly gps: readonly ExifValue[];
  readonly interop: readonly ExifValue[];
  /** JPEG. */
  readonly thumbnail?: Uint8Array | undefined;
  /** A value that must lie where it lay: a maker's note points into itself by positions in the whole block. */
  readonly fixed?: { readonly value: ExifValue; readonly offset: number } | undefined;
}

export const EXIF_POINTER = 0x8769;
export const GPS_POINTER = 0x8825;
export const INTEROP_POINTER = 0xa005;
const [LONG, SHORT] = [4, 3];
const HEAD_BYTES = 8;

/** An Exif block written anew (TIFF 6.0, section 2; Exif 3.0, 4.6): nothing that is not in `parts` is in its bytes. */
export function encodeExif({ little, main, exif, gps, interop, thumbnail, fixed }: ExifParts): Buffer {
  const number = writeNumberIn(little);
  const layout = layOut(fixed && { from: fixed.offset, bytes: fixed.value.data });
  const pointer = (tag: number, at: number): ExifValue[] =>
    at === 0 ? [] : [{ tag, type: LONG, count: 1, data: number(at, 4) }];
  const write = (values: readonly ExifValue[], next = 0) =>
    values.length === 0 ? 0 : writeDirectory(values, { number, layout, next, fixed });
  const interopAt = write(interop);
  const maker = fixed ? [fixed.value] : [];
  const exifAt = write([...exif, ...maker, ...pointer(INTEROP_POINTER, interopAt)]);
  const gpsAt = write(gps);
  const thumbnailAt = thumbnail ? layout.place(thumbnail) : 0;
  const thumbnailTags: ExifValue[] = thumbnail
    ? [
        { tag: 0x103, type: SHORT, count: 1, data: number(6, 2) },
        ...pointer(0x201, thumbnailAt),
        ...pointer(0x202, thumbnail.length),
      ]
    : [];
  const nextAt = write(thumbnailTags);
  const mainAt = writeDirectory([...main, ...pointer(EXIF_POINTER, exifAt), ...pointer(GPS_POINTER, gpsAt)], {
    ...{ number, layout, next: nextAt, fixed },
  });
  const head = Buffer.concat([Buffer.from(little ? 'II' : 'MM'), number(42, 2), number(mainAt, 4)]);
  return layout.join(head);
}

interface Layout {
  /** Where the bytes came to lie: an even number. */
  place(bytes: Uint8Array): number;
  join(head: Buffer): Buffer;
}

/** Values one after another, around the place that is taken. */
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
