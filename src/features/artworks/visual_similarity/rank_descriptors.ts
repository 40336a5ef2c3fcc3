import { setImmediate as letOthersRun } from 'node:timers/promises';
import { oklabOf } from '@atelier/imaging/pixels/oklab.ts';
import { COLOR_DISTANCE_MAX, colorWeight } from '@atelier/imaging/visual_descriptor/color_match.ts';
import {
  LAYOUT_BYTES,
  LAYOUT_DISTANCE_MAX,
  layoutDistance,
  matchLayouts,
} from '@atelier/imaging/visual_descriptor/layout.ts';
import { paletteTransport } from '@atelier/imaging/visual_descriptor/palette_transport.ts';
import {
  DESCRIPTOR_COLORS_MAX,
  unpackColors,
  type VisualDescriptor,
} from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN } from '../../../config/limits.ts';
import { LOOK_CANDIDATES_MAX, PALETTES_COMPARED_MAX, type SimilarityCriterion } from '../limits.ts';

/** Visual descriptor of one work. */
export interface StoredDescriptor {
  readonly id: string;
  /** 32 bytes. */
  readonly pdq: Uint8Array;
  /** 0 to 100. */
  readonly quality: number;
  /** Packed, as `packColors` does. */
  readonly colors: Uint8Array;
  /** Packed, as `layoutOf` does; empty for descriptors from before layouts existed. */
  readonly layout: Uint8Array;
}

const PDQ_BYTES = 32;
const COLORS_BYTES = 5 * DESCRIPTOR_COLORS_MAX;
/** OKLab coordinates of the colours. */
const LAB_FLOATS = 3 * DESCRIPTOR_COLORS_MAX;
const SHARE_WHOLE = 65_535;

/** Visual descriptors in columns, about 200 bytes each plus the id: comparing them allocates no objects. */
export class PackedDescriptors {
  readonly #places = new Map<string, number>();
  readonly #ids: string[] = [];
  /** Number of colours of each descriptor. */
  counts = new Uint8Array(0);
  qualities = new Uint8Array(0);
  /** Eight words per hash. */
  hashes = new Uint32Array(0);
  lab = new Float32Array(0);
  /** LAYOUT_BYTES each; all 0: unknown. */
  layouts = new Uint8Array(0);
  #layoutsKnown = 0;
  #packed = new Uint8Array(0);

  get size(): number {
    return this.#ids.length;
  }

  /** Number of works with a layout. */
  get layoutsKnown(): number {
    return this.#layoutsKnown;
  }

  /** Inserts or replaces the descriptor of a work. */
  set({ id, pdq, quality, colors, layout }: StoredDescriptor): void {
    const at = this.#places.get(id) ?? this.#ids.length;
    if (at === this.#ids.length) {
      this.#ids.push(id);
      this.#places.set(id, at);
      this.#grow();
    }
    const own = unpackColors(colors).slice(0, DESCRIPTOR_COLORS_MAX);
    this.counts[at] = own.length;
    this.qualities[at] = quality;
    this.hashes.set(wordsOf(pdq), (at * PDQ_BYTES) / 4);
    this.#packed.set(colors.subarray(0, COLORS_BYTES), at * COLORS_BYTES);
    for (const [nth, { oklab }] of own.entries()) this.lab.set(oklab, at * LAB_FLOATS + 3 * nth);
    this.#setLayout(at, layout);
  }

  #setLayout(at: number, layout: Uint8Array): void {
    const place = at * LAYOUT_BYTES;
    const isKnown = layout.length === LAYOUT_BYTES;
    this.#layoutsKnown += Number(isKnown) - Number(this.#hasLayout(at));
    if (isKnown) this.layouts.set(layout, place);
    else this.layouts.fill(0, place, place + LAYOUT_BYTES);
  }

  /** A proportion is stored as 0 only if one side is 40 times the other. */
  #hasLayout(at: number): boolean {
    return this.layouts.subarray(at * LAYOUT_BYTES, (at + 1) * LAYOUT_BYTES).some((byte) => byte !== 0);
  }

  placeOf(id: string): number | undefined {
    return this.#places.get(id);
  }

  idOf(at: number): string {
    return this.#ids[at]!;
  }

  /** Share of the image covered by its nth colour, 0 to 1. */
  shareOf(at: number, nth: number): number {
    const place = at * COLORS_BYTES + 5 * nth + 3;
    return (this.#packed[place]! * 256 + this.#packed[place + 1]!) / SHARE_WHOLE;
  }

  /** The descriptor as it was set. */
  lookOf(at: number): StoredDescriptor {
    const words = this.hashes.slice((at * PDQ_BYTES) / 4, ((at + 1) * PDQ_BYTES) / 4);
    const from = at * COLORS_BYTES;
    return {
      id: this.#ids[at]!,
      pdq: new Uint8Array(words.buffer),
      quality: this.qualities[at]!,
      colors: this.#packed.slice(from, from + 5 * this.counts[at]!),
      layout: this.#hasLayout(at)
        ? this.layouts.slice(at * LAYOUT_BYTES, (at + 1) * LAYOUT_BYTES)
        : new Uint8Array(0),
    };
  }

  /** Grows by half when full. */
  #grow(): void {
    if (this.#ids.length <= this.counts.length) return;
    const room = Math.max(64, Math.ceil(1.5 * this.counts.length));
    this.counts = widen(this.counts, new Uint8Array(room));
    this.qualities = widen(this.qualities, new Uint8Array(room));
    this.hashes = widen(this.hashes, new Uint32Array((room * PDQ_BYTES) / 4));
    this.lab = widen(this.lab, new Float32Array(room * LAB_FLOATS));
    this.layouts = widen(this.layouts, new Uint8Array(room * LAYOUT_BYTES));
    this.#packed = widen(this.#packed, new Uint8Array(room * COLORS_BYTES));
  }
}

/** The words of a hash in machine byte order: they are only compared with each other. */
const wordsOf = (pdq: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(pdq).buffer);

function widen<T extends { set(of: T): void }>(old: T, wide: T): T {
  wide.set(old);
  return wide;
}

export interface DescriptorQuery {
  /** 0xRRGGBB; the image must have all of them. */
  readonly colors?: readonly number[] | undefined;
  readonly like?: VisualDescriptor | undefined;
  /** Criterion of similarity; absent: the same image first, then similar colours. */
  readonly by?: Exclude<SimilarityCriterion, 'subject'> | undefined;
}

/** Index of a descriptor and its distance: lower is nearer. */
export interface Ranked {
  readonly at: number;
  readonly rank: number;
}

/** Palettes with a larger distance have no more in common than two arbitrary paintings. */
const PALETTE_DISTANCE_MAX = 0.1;
/**
 * Limit of the transport distance, which includes amounts: of the pairs of 58 paintings, one in four is
 * nearer.
 */
const PALETTE_TRANSPORT_MAX = 0.1;
/** Descriptors compared before yielding to the event loop: about 2 ms. */
const LOOKS_AT_A_TIME = 8000;

/**
 * Compares descriptors exhaustively: exact. Leaves out descriptors without every colour, or not similar to
 * the query image; adds the ranks of both criteria. Of palettes, the nearest PALETTES_COMPARED_MAX by a lower
 * bound are compared by amounts.
 * @param places of the descriptors to compare; absent: all
 * @returns the nearest first, at equal rank by id; LOOK_CANDIDATES_MAX at most
 */
export async function rankDescriptors(
  looks: PackedDescriptors,
  asked: DescriptorQuery,
  places: Iterable<number> = Array.from({ length: looks.size }).keys(),
): Promise<Ranked[]> {
  const measures = measuresOf(asked);
  const found: Ranked[] = [];
  let bound = Number.POSITIVE_INFINITY;
  const keepNearest = () => {
    found.sort((a, b) => a.rank - b.rank || (looks.idOf(a.at) < looks.idOf(b.at) ? -1 : 1));
    if (found.length > LOOK_CANDIDATES_MAX) found.length = LOOK_CANDIDATES_MAX;
    if (found.length === LOOK_CANDIDATES_MAX) bound = found.at(-1)!.rank;
  };
  let compared = 0;
  for (const at of places) {
    let rank = 0;
    for (const measure of measures) rank += measure(looks, at);
    if (rank < Number.POSITIVE_INFINITY && rank <= bound) found.push({ at, rank });
    if (found.length >= 2 * LOOK_CANDIDATES_MAX) keepNearest();
    compared += 1;
    if (compared % LOOKS_AT_A_TIME === 0) await letOthersRun();
  }
  keepNearest();
  return asked.by === 'color' && asked.like ? byAmounts(looks, asked.like, found) : found;
}

/** Palettes compared by their amounts before yielding to the event loop: about 4 ms. */
const TRANSPORTS_AT_A_TIME = 50;

/** Ranks the nearest by a lower bound by their transport distance. */
async function byAmounts(
  looks: PackedDescriptors,
  { colors }: Pick<VisualDescriptor, 'colors'>,
  found: readonly Ranked[],
): Promise<Ranked[]> {
  const palette = unpackColors(colors);
  const ranked: Ranked[] = [];
  for (const [nth, { at }] of found.slice(0, PALETTES_COMPARED_MAX).entries()) {
    const rank = paletteTransport(palette, unpackColors(looks.lookOf(at).colors));
    if (rank <= PALETTE_TRANSPORT_MAX) ranked.push({ at, rank });
    if (nth % TRANSPORTS_AT_A_TIME === 0) await letOthersRun();
  }
  return ranked.sort((a, b) => a.rank - b.rank);
}

/** Distance of a descriptor; Infinity if it does not match. */
type Measure = (looks: PackedDescriptors, at: number) => number;

const measuresOf = ({ colors, like, by }: DescriptorQuery): Measure[] => [
  ...(colors?.length ? [hasColors(colors)] : []),
  ...(like ? [likenessOf(like, by)] : []),
];

function likenessOf(like: VisualDescriptor, by: DescriptorQuery['by']): Measure {
  if (by === 'composition') return hasLayout(like);
  return by === 'color' ? hasPalette(like) : isLike(like);
}

/** Composition, as it is or mirrored. */
const hasLayout =
  ({ layout }: Pick<VisualDescriptor, 'layout'>): Measure =>
  ({ layouts }, at) => {
    const match = matchLayouts(layout, layouts, at * LAYOUT_BYTES);
    const distance = match ? layoutDistance(match) : Number.POSITIVE_INFINITY;
    return distance <= LAYOUT_DISTANCE_MAX ? distance : Number.POSITIVE_INFINITY;
  };

/** Palette, regardless of the content. */
function hasPalette({ colors }: Pick<VisualDescriptor, 'colors'>): Measure {
  const distance = paletteMeasure(unpackColors(colors).map(({ oklab, share }) => [...oklab, share] as const));
  return (looks, at) => {
    const apart = distance(looks, at);
    return apart <= PALETTE_DISTANCE_MAX ? apart : Number.POSITIVE_INFINITY;
  };
}

/** 1 minus the score of `matchColors`. */
function hasColors(colors: readonly number[]): Measure {
  const asked = colors.map((color) => oklabOf(color >> 16, (color >> 8) & 255, color & 255));
  const squares = new Float64Array(DESCRIPTOR_COLORS_MAX);
  return (looks, at) => {
    const count = looks.counts[at]!;
    const from = at * 3 * DESCRIPTOR_COLORS_MAX;
    let product = 1;
    for (const [lightness, a, b] of asked) {
      let least = Number.POSITIVE_INFINITY;
      for (let nth = 0; nth < count; nth += 1) {
        const place = from + 3 * nth;
        const x = looks.lab[place]! - lightness;
        const y = looks.lab[place + 1]! - a;
        const z = looks.lab[place + 2]! - b;
        const square = x * x + y * y + z * z;
        squares[nth] = square;
        if (square < least) least = square;
      }
      if (!(least <= COLOR_DISTANCE_MAX ** 2)) return Number.POSITIVE_INFINITY;
      let amount = 0;
      for (let nth = 0; nth < count; nth += 1) amount += looks.shareOf(at, nth) * colorWeight(squares[nth]!);
      product *= amount;
    }
    return 1 - product ** (1 / asked.length);
  };
}

/** The same image by its hash first, then images of similar colours. */
function isLike({ hashes, quality, colors }: VisualDescriptor): Measure {
  const needles = hashes.map(wordsOf);
  const palette = unpackColors(colors);
  const distance = paletteMeasure(palette.map(({ oklab, share }) => [...oklab, share] as const));
  return (looks, at) => {
    if (Math.min(quality, looks.qualities[at]!) >= HASH_QUALITY_MIN) {
      const bits = leastBits(needles, looks, at);
      if (bits <= HASH_DISTANCE_MAX) return bits / 256 - 1;
    }
    const apart = distance(looks, at);
    return apart <= PALETTE_DISTANCE_MAX ? apart : Number.POSITIVE_INFINITY;
  };
}

function leastBits(needles: readonly Uint32Array[], { hashes }: PackedDescriptors, at: number): number {
  let least = 256;
  for (const needle of needles) {
    let bits = 0;
    for (let word = 0; word < 8 && bits < least; word += 1)
      bits += onesIn(needle[word]! ^ hashes[8 * at + word]!);
    if (bits < least) least = bits;
  }
  return least;
}

/** Population count of 32 bits. */
function onesIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  bits = (bits + (bits >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(bits, 0x0101_0101) >>> 24;
}

/** Distance as computed by `paletteDistance`. */
function paletteMeasure(palette: readonly (readonly [number, number, number, number])[]): Measure {
  const shares = palette.reduce((sum, [, , , share]) => sum + share, 0);
  const leastOfOwn = new Float64Array(DESCRIPTOR_COLORS_MAX);
  return (looks, at) => {
    const count = looks.counts[at]!;
    const from = at * 3 * DESCRIPTOR_COLORS_MAX;
    leastOfOwn.fill(Number.POSITIVE_INFINITY);
    let there = 0;
    for (const [lightness, a, b, share] of palette) {
      let least = Number.POSITIVE_INFINITY;
      for (let nth = 0; nth < count; nth += 1) {
        const place = from + 3 * nth;
        const x = looks.lab[place]! - lightness;
        const y = looks.lab[place + 1]! - a;
        const z = looks.lab[place + 2]! - b;
        const square = x * x + y * y + z * z;
        if (square < least) least = square;
        if (square < leastOfOwn[nth]!) leastOfOwn[nth] = square;
      }
      there += share * Math.sqrt(least);
    }
    let back = 0;
    let ownShares = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const share = looks.shareOf(at, nth);
      back += share * Math.sqrt(leastOfOwn[nth]!);
      ownShares += share;
    }
    const apart = (there / shares + back / ownShares) / 2;
    // Palettes without colours or shares are similar to nothing.
    return Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart;
  };
}
