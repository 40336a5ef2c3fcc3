/** A box of the ISO base media file format. ISO/IEC 14496-12, 4.2. */
export interface Box {
  readonly type: string;
  /** Content, without size and type. */
  readonly data: Buffer;
  /** The whole box, with size and type. */
  readonly whole: Buffer;
}

const BOXES_MAX = 10_000;

/** The boxes in a byte range, up to the first that exceeds it. */
export function readBoxes(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length && boxes.length < BOXES_MAX; ) {
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1 && at + 16 <= bytes.length;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    const head = isLong ? 16 : 8;
    if (size < head || at + size > bytes.length) break;
    const whole = bytes.subarray(at, at + size);
    boxes.push({ type: whole.toString('latin1', 4, 8), data: whole.subarray(head), whole });
    at += size;
  }
  return boxes;
}

/** The first box along a path, such as `mdia`, `minf`, `stbl`. */
export function findBox(bytes: Buffer | undefined, ...path: string[]): Buffer | undefined {
  let inside = bytes;
  for (const type of path) inside = inside && readBoxes(inside).find((box) => box.type === type)?.data;
  return inside;
}

export function writeBox(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(contents);
  return Buffer.concat([uint32(data.length + 8), Buffer.from(type, 'latin1'), data]);
}

/** A box with version and flags. */
export const writeFullBox = (
  type: string,
  version: number,
  flags: number,
  ...contents: Uint8Array[]
): Buffer => writeBox(type, uint32(version * 2 ** 24 + flags), ...contents);

export interface HeifItem {
  /** `av01`, `hvc1`, `grid`. */
  readonly type: string;
  readonly data: Uint8Array;
  /** Property boxes, in the order in which they apply. */
  readonly properties: readonly Uint8Array[];
  /** Items it consists of or belongs to, from 1. */
  readonly references?: { readonly type: 'dimg' | 'auxl' | 'thmb'; readonly to: readonly number[] };
  /** Part of another item, not shown separately. */
  readonly isHidden?: boolean;
}

/**
 * Writes a HEIF file of still images; items are numbered from 1. Source: ISO/IEC 23008-12, 10.2; ISO/IEC 14496-12, 8.11.
 * @param primary number of the primary item
 */
export function writeHeif(brands: readonly string[], items: readonly HeifItem[], primary = 1): Buffer {
  const type = writeBox(
    'ftyp',
    ...[brands[0]!, '\0\0\0\0', ...brands].map((text) => Buffer.from(text, 'latin1')),
  );
  const metaBytes = metaOf(items, primary, 0).length;
  const meta = metaOf(items, primary, type.length + metaBytes + 8);
  return Buffer.concat([type, meta, writeBox('mdat', ...items.map(({ data }) => data))]);
}

/** @param start offset of the first item's data in the file, in bytes */
function metaOf(items: readonly HeifItem[], primary: number, start: number): Buffer {
  const handler = writeFullBox('hdlr', 0, 0, uint32(0), Buffer.from('pict'), Buffer.alloc(13));
  let end = start;
  const places = items.map(({ data }, index) => {
    const place = Buffer.concat([uint16(index + 1), uint16(0), uint16(1), uint32(end), uint32(data.length)]);
    end += data.length;
    return place;
  });
  const locations = writeFullBox('iloc', 0, 0, uint16(0x4400), uint16(items.length), ...places);
  const entries = items.map(({ type, isHidden }, index) =>
    writeFullBox(
      'infe',
      2,
      isHidden ? 1 : 0,
      uint16(index + 1),
      uint16(0),
      Buffer.from(`${type}\0`, 'latin1'),
    ),
  );
  const references = items.flatMap(({ references: own }, index) =>
    own ? [writeBox(own.type, ...[index + 1, own.to.length, ...own.to].map(uint16))] : [],
  );
  return writeFullBox(
    'meta',
    0,
    0,
    handler,
    writeFullBox('pitm', 0, 0, uint16(primary)),
    locations,
    writeFullBox('iinf', 0, 0, uint16(items.length), ...entries),
    ...(references.length > 0 ? [writeFullBox('iref', 0, 0, ...references)] : []),
    writeBox('iprp', ...propertiesOf(items)),
  );
}

/** All properties, then their associations with items: numbered from 1, and marked as essential. */
function propertiesOf(items: readonly HeifItem[]): Buffer[] {
  let next = 1;
  const associations = items.map(({ properties }, index) => {
    const numbers = properties.map(() => 0x80 | next++);
    return Buffer.concat([uint16(index + 1), Buffer.of(numbers.length, ...numbers)]);
  });
  return [
    writeBox('ipco', ...items.flatMap(({ properties }) => properties)),
    writeFullBox('ipma', 0, 0, uint32(items.length), ...associations),
  ];
}

/** The size property of an item. */
export const sizeProperty = (width: number, height: number): Buffer =>
  writeFullBox('ispe', 0, 0, uint32(width), uint32(height));

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
