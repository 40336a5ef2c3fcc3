import { brokenPicture, fourCharacters } from '../codecs/headers/header.ts';
import { codingOf } from '../color/color_coding.ts';
import {
  type Animation,
  type FileIdentity,
  PARTS_COUNTED_MAX,
  type SampleIdentity,
  SEQUENCE,
} from './file_identity.ts';
import { readExif } from './read_exif.ts';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Item {
  readonly id: number;
  readonly type: string;
  readonly isHidden: boolean;
}

interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** The file-level `meta` box. ISO/IEC 23008-12 and 14496-12, 8.11. */
interface Meta {
  readonly primary: number;
  readonly items: ReadonlyMap<number, Item>;
  readonly references: readonly Reference[];
  propertiesOf(item: number): readonly Box[];
  /** At most `max` bytes of an item. */
  bytesOf(item: number, max: number): Uint8Array | undefined;
}

const EXIF_BYTES_MAX = 256 * 1024;
const BOXES_MAX = PARTS_COUNTED_MAX;

export interface HeifIdentity extends FileIdentity {
  /** Codec of the primary item or its tiles: av01, hvc1, … */
  readonly codec: string;
  /** Pixels of the largest plane, tile or image that decoding may encounter, from any size the file declares. */
  readonly pixelsMax: number;
}

/**
 * Reads the properties of the primary item of an AVIF or HEIC file. @throws EngineError undecodable_image; RangeError for a truncated box
 */
export function identifyHeif(bytes: Uint8Array): HeifIdentity {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file: Box = { type: '', start: 0, end: view.byteLength };
  const animation = animationOf(view, file);
  const meta = readMeta(view, file);
  if (!meta) return sequenceOf(view, file, animation);
  const { primary, references } = meta;
  const tile = references.find(({ type, from }) => type === 'dimg' && from === primary)?.to[0];
  const own = meta.propertiesOf(primary);
  const inherited = tile === undefined ? [] : meta.propertiesOf(tile);
  const property = (type: string) =>
    own.find((box) => box.type === type) ?? inherited.find((box) => box.type === type);
  const size = own.find(({ type }) => type === 'ispe');
  if (!size) throw brokenPicture('the file does not declare the size of its image');
  const turn = own.find(({ type }) => type === 'irot');
  const others = mastersIn(meta);
  const color = colorOf(view, [...own, ...inherited]);
  const exif = readExif(exifBytes(meta));
  const transfer = color.coding?.transfer;
  return {
    ...croppedSize(view, own, {
      width: view.getUint32(size.start + 4),
      height: view.getUint32(size.start + 8),
    }),
    // Decoders apply `irot` themselves; Exif orientation is informative only. ISO/IEC 23008-12, 6.5.10
    orientation: turn ? TURNS[view.getUint8(turn.start) & 3]! : 1,
    samples: samplesOf(view, meta, property('pixi'), property('av1C')),
    color,
    hdr:
      transfer === 'pq' ? 'PQ' : transfer === 'hlg' ? 'HLG' : hasGainMap(view, meta) ? 'gain map' : undefined,
    hasLocation: exif.hasLocation,
    pages:
      others.length > 1
        ? { used: Math.max(1, others.indexOf(primary) + 1), of: others.length, losesOthers: true }
        : undefined,
    animation,
    isAmbiguous: countVisible(meta) > 1,
    compression: NAMES[codecOf(meta, tile)] ?? codecOf(meta, tile),
    codec: codecOf(meta, tile),
    pixelsMax: largestOf(view, meta),
    faults: [],
  };
}

const NAMES: Readonly<Record<string, string>> = {
  av01: 'AV1',
  hvc1: 'HEVC',
  hev1: 'HEVC',
  avc1: 'AVC',
  unci: 'uncompressed',
  j2k1: 'JPEG 2000',
  jpeg: 'JPEG',
  vvc1: 'VVC',
};
const codecOf = ({ primary, items }: Meta, tile: number | undefined): string =>
  items.get(tile ?? primary)?.type ?? '';

/** Exif orientations for 0 to 3 anticlockwise quarter turns. Decoders apply a mirror property, which changes no dimension. */
const TURNS = [1, 8, 3, 6] as const;

/** Independent images: no thumbnails, auxiliary planes or tiles. */
function mastersIn({ items, references, primary }: Meta): number[] {
  const isPart = new Set(
    references.flatMap(({ type, from, to }) =>
      type === 'dimg' ? to : /thmb|auxl|cdsc|prem/.test(type) ? [from] : [],
    ),
  );
  const isPicture = ({ id, type, isHidden }: Item) =>
    id === primary || (!isHidden && !isPart.has(id) && (type in NAMES || /^(grid|iovl|iden)$/.test(type)));
  return [...items.values()].filter(isPicture).map(({ id }) => id);
}

function largestOf(view: DataView, { items, propertiesOf }: Meta): number {
  const sizes = [...items.keys()].flatMap((item) => propertiesOf(item).filter(({ type }) => type === 'ispe'));
  return sizes.reduce(
    (most, { start }) => Math.max(most, view.getUint32(start + 4) * view.getUint32(start + 8)),
    0,
  );
}

/** Number of items that are not hidden; decoders count visible tiles, too. */
const countVisible = ({ items, primary }: Meta): number =>
  [...items.values()].filter(
    ({ id, type, isHidden }) => id === primary || (!isHidden && /^(av01|grid|iovl|iden)$/.test(type)),
  ).length;

function sequenceOf(view: DataView, file: Box, animation: Animation | undefined): HeifIdentity {
  const track = path(view, file, 'moov', 'trak');
  const header = track && boxes(view, track).find(({ type }) => type === 'tkhd');
  if (!animation || !header) throw brokenPicture('it contains neither an image nor an image sequence');
  // Width and height are the last two fields, in 16.16 fixed point. ISO/IEC 14496-12, 8.3.2
  return {
    width: view.getUint16(header.end - 8),
    height: view.getUint16(header.end - 4),
    orientation: 1,
    samples: { bits: 8, channels: 3, model: 'ycbcr', extra: [] },
    color: { source: 'default' },
    hasLocation: false,
    animation,
    compression: SEQUENCE,
    pixelsMax: 0,
    codec: 'sequence',
    faults: [],
  };
}

function animationOf(view: DataView, file: Box): Animation | undefined {
  const media = path(view, file, 'moov', 'trak', 'mdia');
  const sizes = media && path(view, media, 'minf', 'stbl', 'stsz');
  const header = media && boxes(view, media).find(({ type }) => type === 'mdhd');
  if (!sizes || !header) return undefined;
  const frames = Math.min(PARTS_COUNTED_MAX, view.getUint32(sizes.start + 8));
  const isLong = view.getUint8(header.start) === 1;
  const scale = view.getUint32(header.start + (isLong ? 20 : 12)) || 1;
  const duration = isLong ? Number(view.getBigUint64(header.start + 24)) : view.getUint32(header.start + 16);
  return frames > 1 ? { frames, milliseconds: Math.round((1000 * duration) / scale), loop: 0 } : undefined;
}

function path(view: DataView, from: Box, ...types: readonly string[]): Box | undefined {
  let box: Box | undefined = from;
  for (const type of types) box = box && boxes(view, box).find((inner) => inner.type === type);
  return box;
}

/** Child boxes of a box; stops at a child that extends beyond its parent. ISO/IEC 14496-12, 4.2. */
function boxes(view: DataView, { start, end }: Pick<Box, 'start' | 'end'>): Box[] {
  const found: Box[] = [];
  for (let at = start; at + 8 <= end && found.length < BOXES_MAX; ) {
    const size = view.getUint32(at);
    const head = size === 1 ? 16 : 8;
    const boxEnd = size === 0 ? end : size === 1 ? at + Number(view.getBigUint64(at + 8)) : at + size;
    if (boxEnd < at + head) break;
    found.push({ type: fourCharacters(view, at + 4), start: at + head, end: Math.min(boxEnd, end) });
    if (boxEnd > end) break;
    at = boxEnd;
  }
  return found;
}

function readMeta(view: DataView, file: Box): Meta | undefined {
  const found = boxes(view, file).find(({ type }) => type === 'meta');
  if (!found) return undefined;
  const inside = boxes(view, { start: found.start + 4, end: found.end });
  const box = (type: string) => inside.find((one) => one.type === type);
  const [pitm, iinf, iref, iprp, iloc, idat] = ['pitm', 'iinf', 'iref', 'iprp', 'iloc', 'idat'].map(box);
  if (!iinf || !iprp) return undefined;
  const items = readItems(view, iinf);
  const first = items.keys().next().value ?? 0;
  const primary = pitm
    ? view.getUint8(pitm.start) === 0
      ? view.getUint16(pitm.start + 4)
      : view.getUint32(pitm.start + 4)
    : first;
  const properties = readProperties(view, iprp);
  return {
    primary,
    items,
    references: iref ? readReferences(view, iref) : [],
    propertiesOf: (item) => properties.get(item) ?? [],
    bytesOf: (item, max) => (iloc ? locate(view, { iloc, idat }, item, max) : undefined),
  };
}

function readItems(view: DataView, iinf: Box): Map<number, Item> {
  const head = view.getUint8(iinf.start) === 0 ? 6 : 8;
  const items = new Map<number, Item>();
  for (const { type, start, end } of boxes(view, { start: iinf.start + head, end: iinf.end })) {
    const version = view.getUint8(start);
    if (type !== 'infe' || version < 2 || end - start < 12) continue;
    const id = version === 2 ? view.getUint16(start + 4) : view.getUint32(start + 4);
    const isHidden = (view.getUint8(start + 3) & 1) === 1;
    items.set(id, { id, type: fourCharacters(view, start + (version === 2 ? 8 : 10)), isHidden });
  }
  return items;
}

function readReferences(view: DataView, iref: Box): Reference[] {
  const isLong = view.getUint8(iref.start) !== 0;
  const id = (at: number) => (isLong ? view.getUint32(at) : view.getUint16(at));
  const bytes = isLong ? 4 : 2;
  let left = BOXES_MAX;
  return boxes(view, { start: iref.start + 4, end: iref.end }).map(({ type, start }) => {
    const count = Math.min(left, view.getUint16(start + bytes));
    left -= count;
    return {
      type,
      from: id(start),
      to: Array.from({ length: count }, (_, index) => id(start + bytes + 2 + index * bytes)),
    };
  });
}

function readProperties(view: DataView, iprp: Box): Map<number, Box[]> {
  const inside = boxes(view, iprp);
  const container = inside.find(({ type }) => type === 'ipco');
  const all = container ? boxes(view, container) : [];
  const found = new Map<number, Box[]>();
  let left = BOXES_MAX;
  for (const { start } of inside.filter(({ type }) => type === 'ipma')) {
    const isLongId = view.getUint8(start) !== 0;
    const isLongIndex = (view.getUint8(start + 3) & 1) === 1;
    const entries = view.getUint32(start + 4);
    let at = start + 8;
    for (let entry = 0; entry < entries && left > 0; entry += 1) {
      const item = isLongId ? view.getUint32(at) : view.getUint16(at);
      at += isLongId ? 4 : 2;
      const count = view.getUint8(at);
      at += 1;
      left -= count + 1;
      const indexes = Array.from({ length: count }, (_, index) =>
        isLongIndex ? view.getUint16(at + 2 * index) & 0x7fff : view.getUint8(at + index) & 0x7f,
      );
      at += count * (isLongIndex ? 2 : 1);
      found.set(
        item,
        indexes.flatMap((index) => all[index - 1] ?? []),
      );
    }
  }
  return found;
}

/** The first extent of an item; Exif has only one. ISO/IEC 14496-12, 8.11.3 */
function locate(
  view: DataView,
  { iloc, idat }: { iloc: Box; idat: Box | undefined },
  item: number,
  max: number,
): Uint8Array | undefined {
  const version = view.getUint8(iloc.start);
  const sizes = view.getUint16(iloc.start + 4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  const number = (at: number, bytes: number) =>
    bytes === 8
      ? Number(view.getBigUint64(at))
      : bytes === 4
        ? view.getUint32(at)
        : bytes === 2
          ? view.getUint16(at)
          : 0;
  const idBytes = version < 2 ? 2 : 4;
  const count = number(iloc.start + 6, idBytes);
  let at = iloc.start + 6 + idBytes;
  for (let entry = 0; entry < Math.min(count, BOXES_MAX); entry += 1) {
    const id = number(at, idBytes);
    const method = version === 0 ? 0 : view.getUint16(at + idBytes) & 15;
    at += idBytes + (version === 0 ? 2 : 4);
    const base = number(at, baseBytes);
    const extents = view.getUint16(at + baseBytes);
    const extentAt = at + baseBytes + 2;
    const start = base + number(extentAt + indexBytes, offsetBytes) + (method === 1 ? (idat?.start ?? 0) : 0);
    const length = Math.min(max, number(extentAt + indexBytes + offsetBytes, lengthBytes));
    if (id === item && extents > 0 && method < 2)
      return new Uint8Array(view.buffer, view.byteOffset, view.byteLength).subarray(start, start + length);
    at = extentAt + extents * (indexBytes + offsetBytes + lengthBytes);
  }
  return undefined;
}

/** An ICC profile takes precedence over code points because it is more specific. */
function colorOf(view: DataView, properties: readonly Box[]): FileIdentity['color'] {
  const colors = properties.filter(({ type, start, end }) => type === 'colr' && end - start >= 4);
  const icc = colors.find(({ start }) => /^(prof|rICC)$/.test(fourCharacters(view, start)));
  if (icc) {
    const profile = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).subarray(
      icc.start + 4,
      icc.end,
    );
    return { source: 'icc', profile };
  }
  const nclx = colors.find(({ start, end }) => fourCharacters(view, start) === 'nclx' && end - start >= 11);
  if (!nclx) return { source: 'default' };
  return { source: 'nclx', coding: codingOf(view.getUint16(nclx.start + 4), view.getUint16(nclx.start + 6)) };
}

function samplesOf(view: DataView, meta: Meta, pixi: Box | undefined, av1: Box | undefined): SampleIdentity {
  const { references, primary } = meta;
  const alpha = references.find(
    ({ type, from, to }) => type === 'auxl' && to.includes(primary) && isAlpha(view, meta, from),
  );
  const isPremultiplied = references.some(({ type, from }) => type === 'prem' && from === primary);
  const channels = pixi ? view.getUint8(pixi.start + 4) : 3;
  const flags = av1 ? view.getUint8(av1.start + 2) : 0;
  const bitsOfAv1 = (flags & 0x40) === 0 ? 8 : (flags & 0x20) === 0 ? 10 : 12;
  const isGrey = channels === 1 || (flags & 0x10) !== 0;
  return {
    channels: (isGrey ? 1 : 3) + (alpha ? 1 : 0),
    bits: pixi && channels > 0 ? view.getUint8(pixi.start + 5) : bitsOfAv1,
    model: isGrey ? 'grey' : 'ycbcr',
    extra: alpha ? [isPremultiplied ? 'premultiplied' : 'alpha'] : [],
  };
}

const auxTypeOf = (view: DataView, { propertiesOf }: Meta, item: number): string => {
  const box = propertiesOf(item).find(({ type }) => type === 'auxC');
  if (!box) return '';
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).subarray(
    box.start + 4,
    Math.min(box.end, box.start + 104),
  );
  return Buffer.from(bytes).toString('latin1');
};
const isAlpha = (view: DataView, meta: Meta, item: number): boolean =>
  /alpha|hevc:2015:auxid:1/.test(auxTypeOf(view, meta, item));

const hasGainMap = (view: DataView, meta: Meta): boolean =>
  [...meta.items.values()].some(({ type }) => type === 'tmap') ||
  meta.references.some(({ type, from }) => type === 'auxl' && /hdrgainmap/.test(auxTypeOf(view, meta, from)));

/** The TIFF block of an Exif item, if any. */
export function exifInHeif(bytes: Uint8Array): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const meta = readMeta(view, { type: '', start: 0, end: view.byteLength });
  return meta && exifBytes(meta);
}

function exifBytes(meta: Meta): Uint8Array | undefined {
  const item = [...meta.items.values()].find(({ type }) => type === 'Exif');
  const bytes = item && meta.bytesOf(item.id, EXIF_BYTES_MAX);
  if (!bytes || bytes.length < 12) return undefined;
  // The first four bytes are the offset of the TIFF header.
  const skip = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  return bytes.subarray(4 + skip);
}

function croppedSize(view: DataView, own: readonly Box[], size: { width: number; height: number }) {
  const crop = own.find(({ type, start, end }) => type === 'clap' && end - start >= 32);
  if (!crop) return size;
  const number = (at: number) =>
    Math.round(view.getUint32(crop.start + at) / (view.getUint32(crop.start + at + 4) || 1));
  const [width, height] = [number(0), number(8)];
  return width > 0 && height > 0 && width <= size.width && height <= size.height ? { width, height } : size;
}
