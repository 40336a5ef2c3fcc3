import { writeXmp } from '../xmp/write_xmp.ts';
import type { NewPackets } from './new_packets.ts';

interface Item {
  readonly type: string;
  /** Rest of the entry after the type: a content type for `mime`. */
  readonly about: string;
  readonly data: Uint8Array;
}

interface Box {
  readonly type: string;
  readonly bytes: Buffer;
}

const FULL_BOX_BYTES = 12;
const XMP_TYPE = 'application/rdf+xml';
/** Precedes an Exif block: offset of its TIFF header after these four bytes. ISO/IEC 23008-12, annex A.2.1 */
const EXIF_OFFSET = Buffer.alloc(4);

/**
 * Adds Exif and XMP as items that describe the primary item of an AVIF, with their bytes in a box at the end of the file. Supports files written by
 * libheif: item locations of version 0 with 32-bit numbers. ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, annex A.
 */
export function writeAvif(bytes: Uint8Array, { properties, exif }: NewPackets): Buffer {
  const items: Item[] = [];
  if (exif) items.push({ type: 'Exif', about: '', data: Buffer.concat([EXIF_OFFSET, exif]) });
  if (properties.length > 0) items.push({ type: 'mime', about: `${XMP_TYPE}\0`, data: writeXmp(properties) });
  const file = boxesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  const meta = file.find(({ type }) => type === 'meta');
  if (!meta) throw new Error('an AVIF without a meta box was written');
  const parts = boxesIn(meta.bytes, FULL_BOX_BYTES);
  const primary = parts.find(({ type }) => type === 'pitm')!.bytes.readUInt16BE(FULL_BOX_BYTES);
  const firstId = 1 + Math.max(...itemIds(parts));
  const ids = items.map((_, at) => firstId + at);
  // The sizes of the boxes do not depend on the offsets in them, so a first draft determines the shift.
  const draft = metaWith(parts, { items, ids, primary, moved: 0, end: 0 });
  const moved = draft.length - meta.bytes.length;
  const end = bytes.length + moved + 8;
  return Buffer.concat([
    ...file.map((part) =>
      part === meta ? metaWith(parts, { items, ids, primary, moved, end }) : part.bytes,
    ),
    box('mdat', ...items.map(({ data }) => data)),
  ]);
}

interface Added {
  readonly items: readonly Item[];
  readonly ids: readonly number[];
  readonly primary: number;
  /** Shift of the existing data, and offset of the new data. */
  readonly moved: number;
  readonly end: number;
}

function metaWith(parts: readonly Box[], added: Added): Buffer {
  const references = referencesOf(added);
  const hasReferences = parts.some(({ type }) => type === 'iref');
  const rewritten = parts.map(({ type, bytes }) => {
    if (type === 'iloc') return locations(bytes, added);
    if (type === 'iinf') return information(bytes, added);
    return type === 'iref' ? full('iref', bytes.subarray(FULL_BOX_BYTES), references) : bytes;
  });
  return full('meta', ...rewritten, ...(hasReferences ? [] : [full('iref', references)]));
}

const ENTRY_BYTES = 18;

/** Each entry: id, data reference, base offset, number of extents; then offset and length. */
function locations(bytes: Buffer, { items, ids, moved, end }: Added): Buffer {
  const [version, sizes] = [bytes[8], bytes.readUInt16BE(FULL_BOX_BYTES)];
  if (version !== 0 || sizes !== 0x4440) throw new Error('the AVIF locates its items in an unexpected way');
  const count = bytes.readUInt16BE(FULL_BOX_BYTES + 2);
  const old = Buffer.from(bytes.subarray(FULL_BOX_BYTES + 4));
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    old.writeUInt32BE(old.readUInt32BE(at + 4) + moved, at + 4);
    at += 10 + 8 * old.readUInt16BE(at + 8);
  }
  let start = end;
  const entries = items.map(({ data }, index) => {
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.writeUInt16BE(ids[index]!, 0);
    entry.writeUInt16BE(1, 8);
    entry.writeUInt32BE(start, 10);
    entry.writeUInt32BE(data.length, 14);
    start += data.length;
    return entry;
  });
  return full('iloc', number16(sizes), number16(count + items.length), old, ...entries);
}

function information(bytes: Buffer, { items, ids }: Added): Buffer {
  const count = bytes.readUInt16BE(FULL_BOX_BYTES);
  const entries = items.map(({ type, about }, index) => {
    const text = Buffer.from(`${type}\0${about}`, 'latin1');
    const entry = full('infe', number16(ids[index]!), number16(0), text);
    // Version 2 has a four-character type; the flag hides the item from display.
    entry.set([2, 0, 0, 1], 8);
    return entry;
  });
  return full('iinf', number16(count + items.length), bytes.subarray(FULL_BOX_BYTES + 2), ...entries);
}

/** Each new item is a content description of the primary one. */
const referencesOf = ({ ids, primary }: Added): Buffer =>
  Buffer.concat(ids.map((id) => box('cdsc', number16(id), number16(1), number16(primary))));

function itemIds(parts: readonly Box[]): number[] {
  const information = parts.find(({ type }) => type === 'iinf')!.bytes;
  return boxesIn(information, FULL_BOX_BYTES + 2).map(({ bytes }) => bytes.readUInt16BE(FULL_BOX_BYTES));
}

function boxesIn(bytes: Buffer, start: number): Box[] {
  const found: Box[] = [];
  for (let at = start; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at) || bytes.length - at;
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), bytes: bytes.subarray(at, at + size) });
    at += Math.max(8, size);
  }
  return found;
}

function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** A box with version 0 and no flags. */
const full = (type: string, ...parts: readonly Uint8Array[]): Buffer => box(type, Buffer.alloc(4), ...parts);

function number16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
