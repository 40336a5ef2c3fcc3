import { LOOK_COLORS_MAX, unpackColors } from '@atelier/imaging/visual_descriptor/look.ts';

/** What is known of the look of one work. */
export interface KnownLook {
  readonly id: string;
  /** 32 bytes. */
  readonly pdq: Uint8Array;
  /** 0 to 100. */
  readonly quality: number;
  /** Packed, as `packColors` does. */
  readonly colors: Uint8Array;
}

const PDQ_BYTES = 32;
const COLORS_BYTES = 5 * LOOK_COLORS_MAX;
/** Of each colour its three coordinates in OKLab. */
const LAB_FLOATS = 3 * LOOK_COLORS_MAX;
const SHARE_WHOLE = 65_535;

/** Looks in columns, about 170 bytes each and their id: comparing runs through numbers and makes no objects. */
export class PackedLooks {
  readonly #places = new Map<string, number>();
  readonly #ids: string[] = [];
  /** Colours of each look that are there. */
  counts = new Uint8Array(0);
  qualities = new Uint8Array(0);
  /** Eight words of a hash. */
  hashes = new Uint32Array(0);
  lab = new Float32Array(0);
  #packed = new Uint8Array(0);

  get size(): number {
    return this.#ids.length;
  }

  /** Keeps the look of a work, in place of an earlier one. */
  set({ id, pdq, quality, colors }: KnownLook): void {
    const at = this.#places.get(id) ?? this.#ids.length;
    if (at === this.#ids.length) {
      this.#ids.push(id);
      this.#places.set(id, at);
      this.#grow();
    }
    const own = unpackColors(colors).slice(0, LOOK_COLORS_MAX);
    this.counts[at] = own.length;
    this.qualities[at] = quality;
    this.hashes.set(wordsOf(pdq), (at * PDQ_BYTES) / 4);
    this.#packed.set(colors.subarray(0, COLORS_BYTES), at * COLORS_BYTES);
    for (const [nth, { oklab }] of own.entries()) this.lab.set(oklab, at * LAB_FLOATS + 3 * nth);
  }

  placeOf(id: string): number | undefined {
    return this.#places.get(id);
  }

  idOf(at: number): string {
    return this.#ids[at]!;
  }

  /** The part of the picture that has its nth colour, 0 to 1. */
  shareOf(at: number, nth: number): number {
    const place = at * COLORS_BYTES + 5 * nth + 3;
    return (this.#packed[place]! * 256 + this.#packed[place + 1]!) / SHARE_WHOLE;
  }

  /** As it was given. */
  lookOf(at: number): KnownLook {
    const words = this.hashes.slice((at * PDQ_BYTES) / 4, ((at + 1) * PDQ_BYTES) / 4);
    const from = at * COLORS_BYTES;
    return {
      id: this.#ids[at]!,
      pdq: new Uint8Array(words.buffer),
      quality: this.qualities[at]!,
      colors: this.#packed.slice(from, from + 5 * this.counts[at]!),
    };
  }

  /** Half as much room again when it is full. */
  #grow(): void {
    if (this.#ids.length <= this.counts.length) return;
    const room = Math.max(64, Math.ceil(1.5 * this.counts.length));
    this.counts = widen(this.counts, new Uint8Array(room));
    this.qualities = widen(this.qualities, new Uint8Array(room));
    this.hashes = widen(this.hashes, new Uint32Array((room * PDQ_BYTES) / 4));
    this.lab = widen(this.lab, new Float32Array(room * LAB_FLOATS));
    this.#packed = widen(this.#packed, new Uint8Array(room * COLORS_BYTES));
  }
}

/** The words of a hash, in the order of this machine: they are only compared with each other. */
export const wordsOf = (pdq: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(pdq).buffer);

function widen<T extends { set(of: T): void }>(old: T, wide: T): T {
  wide.set(old);
  return wide;
}
