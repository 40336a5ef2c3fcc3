import { COST } from '../work_budget.ts';
import type { ColorSpace } from './color_space.ts';
import type { PdfDocument } from './document.ts';
import type { PdfStream } from './values.ts';

/** A mesh shading of triangles or patches with colours in its data. ISO 32000-1, 8.7.4.5.5 to 8.7.4.5.8 */
export interface Mesh {
  readonly data: Uint8Array;
  /** Bits per colour component. */
  readonly bits: number;
  /** Range of each colour component. */
  readonly decode: readonly (readonly [low: number, high: number])[];
  /** Bit offset of each colour. */
  readonly places: readonly number[];
}

/** Maximum colours read. */
const COLORS_MAX = 1_000_000;
/** Points of a patch by shading type: of a free patch, and of one that shares an edge with the previous patch. */
const PATCHES: Readonly<Record<number, { whole: number; joined: number }>> = {
  6: { whole: 12, joined: 8 },
  7: { whole: 16, joined: 12 },
};

/**
 * Locates the colours of a mesh.
 * @param components components per colour: 1 if a function maps them
 * @returns undefined if the packing is invalid or there are too many colours
 * @throws WorkBudgetExceeded
 */
export function readMesh(
  document: PdfDocument,
  stream: PdfStream,
  { kind, components }: { readonly kind: number; readonly components: number },
): Mesh | undefined {
  const number = (key: string) => Number(document.get(stream.dictionary, key)) || 0;
  const [flag, coordinate, bits] = [
    kind === 5 ? 0 : number('BitsPerFlag'),
    number('BitsPerCoordinate'),
    number('BitsPerComponent'),
  ];
  const decode = document.numbers(stream.dictionary.get('Decode'));
  const isPacked = [1, 2, 4, 8, 12, 16].includes(bits) && coordinate >= 1 && coordinate <= 32;
  if (!isPacked || (kind !== 5 && ![2, 4, 8].includes(flag)) || decode.length < 4 + 2 * components)
    return undefined;
  const ranges = Array.from(
    { length: components },
    (_, at) => [decode[4 + 2 * at]!, decode[5 + 2 * at]!] as const,
  );
  const { data, codec, problem } = document.decode(stream);
  if (codec || problem || ranges.some(([low, high]) => high <= low)) return undefined;
  const places = placesIn(document, data, { kind, flag, coordinate, colorBits: bits * components });
  return places && { data, bits, decode: ranges, places };
}

interface Packing {
  readonly kind: number;
  readonly flag: number;
  readonly coordinate: number;
  /** Bits of one colour. */
  readonly colorBits: number;
}

/** Returns the bit offsets of the colours. Vertices and patches start at byte boundaries. */
function placesIn(
  document: PdfDocument,
  data: Uint8Array,
  { kind, flag, coordinate, colorBits }: Packing,
): number[] | undefined {
  const places: number[] = [];
  const end = 8 * data.length;
  const patch = PATCHES[kind];
  for (let at = 0; at < end; ) {
    document.work.spend(COST.member);
    const isJoined = patch !== undefined && (bitsAt(data, at, flag) & 3) !== 0;
    const points = patch ? (isJoined ? patch.joined : patch.whole) : 1;
    const colors = patch ? (isJoined ? 2 : 4) : 1;
    const first = at + flag + 2 * coordinate * points;
    const after = first + colors * colorBits;
    // Incomplete data at the end are ignored.
    if (after > end) break;
    for (let color = 0; color < colors; color += 1) places.push(first + color * colorBits);
    if (places.length > COLORS_MAX) return undefined;
    at = Math.ceil(after / 8) * 8;
  }
  return places;
}

/** Reads an unsigned number of up to 16 bits. @param at bit offset */
export function bitsAt(data: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let bit = at; bit < at + count; bit += 1)
    value = (value << 1) | (((data[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
  return value;
}

export function putBits(
  data: Uint8Array,
  at: number,
  { count, value }: { count: number; value: number },
): void {
  for (let bit = 0; bit < count; bit += 1) {
    const place = at + bit;
    const mask = 1 << (7 - (place & 7));
    if ((value >> (count - 1 - bit)) & 1) data[place >> 3]! |= mask;
    else data[place >> 3]! &= ~mask;
  }
}

/** Reads one colour of a mesh. @throws WorkBudgetExceeded */
export function meshColor(document: PdfDocument, { data, bits, decode }: Mesh, place: number): number[] {
  document.work.spend(COST.sample * decode.length);
  return decode.map(
    ([low, high], at) => low + (bitsAt(data, place + at * bits, bits) / (2 ** bits - 1)) * (high - low),
  );
}

/** Components per colour in mesh data: 1 if a function maps them to colours. */
export const meshComponents = (hasFunction: boolean, { components }: ColorSpace): number =>
  hasFunction ? 1 : components;
