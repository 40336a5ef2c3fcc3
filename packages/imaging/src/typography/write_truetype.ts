import type { OutlineCommand } from './font.ts';

/** A glyph of a TrueType file that is written. */
export interface WrittenGlyph {
  /** Outline in units of the em; lines and quadratic curves. */
  readonly outline: readonly OutlineCommand[];
  /** In units of the em. */
  readonly advance: number;
}

export interface WrittenFont {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  /** The first is shown for codes without a glyph. */
  readonly glyphs: readonly WrittenGlyph[];
  /** Glyph of each byte, in a symbol map; absent: the file has no map. */
  readonly codes?: ReadonlyMap<number, number>;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOn: boolean;
}

/** Bytes of integers, big endian. */
class Writer {
  readonly #bytes: number[] = [];

  u8(...values: number[]): this {
    for (const value of values) this.#bytes.push(value & 0xff);
    return this;
  }

  u16(...values: number[]): this {
    for (const value of values) this.#bytes.push((value >> 8) & 0xff, value & 0xff);
    return this;
  }

  /** The same of any number of them. */
  list(values: Iterable<number>): this {
    for (const value of values) this.u16(value);
    return this;
  }

  u32(...values: number[]): this {
    for (const value of values) this.u16((value >>> 16) & 0xffff, value & 0xffff);
    return this;
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/**
 * A TrueType file with what a PDF needs of one: outlines, widths and a map from bytes to glyphs. It has no hints and no names.
 * Source: OpenType 1.9, chapters glyf, head, hhea, hmtx, loca, maxp, cmap.
 * @throws RangeError for cubic curves
 */
export function writeTrueType(font: WrittenFont): Uint8Array {
  const contours = font.glyphs.map(({ outline }) => contoursOf(outline, font.unitsPerEm));
  const boxes = contours.map(boxOf);
  const glyphs = contours.map((each, at) => glyphData(each, boxes[at]!));
  const offsets = [0];
  for (const { length } of glyphs) offsets.push(offsets.at(-1)! + length);
  const tables: [string, Uint8Array][] = [
    ...(font.codes ? [['cmap', cmap(font.codes)] as [string, Uint8Array]] : []),
    ['glyf', Buffer.concat(glyphs)],
    ['head', head(font.unitsPerEm, around(boxes))],
    ['hhea', hhea(font, boxes)],
    ['hmtx', hmtx(font, boxes)],
    ['loca', loca(offsets)],
    ['maxp', maxp(contours)],
  ];
  return assemble(tables);
}

/** Closed contours of whole units, without the points that two curves imply between them. */
function contoursOf(outline: readonly OutlineCommand[], unitsPerEm: number): Point[][] {
  const contours: Point[][] = [];
  const point = (x: number, y: number, isOn: boolean): Point => ({
    x: x * unitsPerEm,
    y: y * unitsPerEm,
    isOn,
  });
  for (const { type, values } of outline) {
    const [x = 0, y = 0, endX = 0, endY = 0] = values;
    if (type === 'C') throw new RangeError('a TrueType outline has no cubic curves');
    if (type === 'M') contours.push([point(x, y, true)]);
    if (type === 'L') contours.at(-1)?.push(point(x, y, true));
    if (type === 'Q') contours.at(-1)?.push(point(x, y, false), point(endX, endY, true));
  }
  return contours.map(simplified).filter((points) => points.length > 1);
}

function simplified(points: readonly Point[]): Point[] {
  const [first, last] = [points[0]!, points.at(-1)!];
  const isClosed = points.length > 1 && last.isOn && last.x === first.x && last.y === first.y;
  const ring = isClosed ? points.slice(0, -1) : points;
  const kept = ring.filter((one, at) => {
    const [before, after] = [ring.at(at - 1)!, ring[(at + 1) % ring.length]!];
    const isImplied =
      one.isOn &&
      !before.isOn &&
      !after.isOn &&
      before.x + after.x === 2 * one.x &&
      before.y + after.y === 2 * one.y;
    return !isImplied;
  });
  return kept.map(({ x, y, isOn }) => ({ x: Math.round(x), y: Math.round(y), isOn }));
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

function boxOf(contours: readonly Point[][]): Box {
  let [left, bottom, right, top] = [0, 0, 0, 0];
  for (const [at, { x, y }] of contours.flat().entries()) {
    left = at === 0 ? x : Math.min(left, x);
    bottom = at === 0 ? y : Math.min(bottom, y);
    right = at === 0 ? x : Math.max(right, x);
    top = at === 0 ? y : Math.max(top, y);
  }
  return [left, bottom, right, top];
}

const around = (boxes: readonly Box[]): Box =>
  boxes.reduce(([left, bottom, right, top], box) => [
    Math.min(left, box[0]),
    Math.min(bottom, box[1]),
    Math.max(right, box[2]),
    Math.max(top, box[3]),
  ]);

const ON_CURVE = 1;

function glyphData(contours: readonly Point[][], box: Box): Uint8Array {
  if (contours.length === 0) return new Uint8Array(0);
  const writer = new Writer().u16(contours.length, ...box);
  let end = -1;
  for (const { length } of contours) {
    end += length;
    writer.u16(end);
  }
  writer.u16(0);
  const points = contours.flat();
  for (const { isOn } of points) writer.u8(isOn ? ON_CURVE : 0);
  for (const axis of ['x', 'y'] as const)
    writer.list(points.map((one, at) => one[axis] - (at === 0 ? 0 : points[at - 1]![axis])));
  const { bytes } = writer;
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  return padded;
}

const MAGIC = 0x5f0f3cf5;

const head = (unitsPerEm: number, box: Box): Uint8Array =>
  new Writer()
    .u32(0x10000, 0x10000, 0, MAGIC)
    .u16(1, unitsPerEm)
    .u32(0, 0, 0, 0)
    // Smallest readable size 8, offsets of 32 bits.
    .u16(...box, 0, 8, 2, 1, 0).bytes;

function hhea({ ascent, descent, glyphs }: WrittenFont, boxes: readonly Box[]): Uint8Array {
  const widest = highest(glyphs.map(({ advance }) => Math.round(advance)));
  const [left, , right] = around(boxes);
  return new Writer()
    .u32(0x10000)
    .u16(Math.round(ascent), -Math.round(descent), 0, widest, left, 0, right, 1, 0, 0, 0, 0, 0, 0, 0)
    .u16(glyphs.length).bytes;
}

const hmtx = ({ glyphs }: WrittenFont, boxes: readonly Box[]): Uint8Array =>
  new Writer().list(glyphs.flatMap(({ advance }, at) => [Math.round(advance), boxes[at]![0]])).bytes;

const highest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);

/** Where each glyph starts in the table of outlines, in bytes. */
function loca(offsets: readonly number[]): Uint8Array {
  const writer = new Writer();
  for (const offset of offsets) writer.u32(offset);
  return writer.bytes;
}

function maxp(contours: readonly (readonly Point[][])[]): Uint8Array {
  const points = highest(contours.map((each) => each.flat().length));
  const most = highest(contours.map(({ length }) => length));
  return new Writer().u32(0x10000).u16(contours.length, points, most, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0).bytes;
}

/** Bytes from 0xf000 on, as symbol fonts have them. */
const SYMBOLS = 0xf000;

/** One map of bytes for Macintosh, and one of symbols for Windows: what ISO 32000-1, 9.6.6.4 looks for in a symbolic font. */
function cmap(codes: ReadonlyMap<number, number>): Uint8Array {
  const sorted = [...codes].filter(([code]) => code >= 0 && code < 256).sort(([one], [other]) => one - other);
  const bytes = new Uint16Array(256);
  for (const [code, glyph] of sorted) bytes[code] = glyph;
  const first = new Writer().u16(6, 10 + 2 * bytes.length, 0, 0, bytes.length, ...bytes).bytes;
  const segments = sorted.length + 1;
  const power = 2 ** Math.floor(Math.log2(segments));
  const ends = [...sorted.map(([code]) => SYMBOLS + code), 0xffff];
  const second = new Writer()
    .u16(4, 16 + 8 * segments, 0, 2 * segments, 2 * power, Math.log2(power), 2 * (segments - power))
    .u16(...ends, 0, ...ends)
    .u16(...sorted.map(([code, glyph]) => glyph - (SYMBOLS + code)), 1)
    .u16(...ends.map(() => 0)).bytes;
  const start = 20;
  return Buffer.concat([
    new Writer()
      .u16(0, 2, 1, 0)
      .u32(start)
      .u16(3, 0)
      .u32(start + first.length).bytes,
    first,
    second,
  ]);
}

function assemble(tables: readonly [string, Uint8Array][]): Uint8Array {
  const count = tables.length;
  const power = 2 ** Math.floor(Math.log2(count));
  const directory = new Writer().u32(0x10000).u16(count, 16 * power, Math.log2(power), 16 * (count - power));
  let at = 12 + 16 * count;
  const pieces: Uint8Array[] = [];
  let headAt = 0;
  for (const [tag, data] of tables) {
    const padded = new Uint8Array(Math.ceil(data.length / 4) * 4);
    padded.set(data);
    if (tag === 'head') headAt = at;
    directory.u8(...Buffer.from(tag, 'latin1')).u32(checksum(padded), at, data.length);
    pieces.push(padded);
    at += padded.length;
  }
  const file = Buffer.concat([directory.bytes, ...pieces]);
  // The sum of a whole file is this number.
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, headAt + 8);
  return file;
}

function checksum(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let sum = 0;
  for (let at = 0; at + 4 <= data.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
