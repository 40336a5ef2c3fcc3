import { CODE_BYTES } from './code_segment.ts';
import { SCAN_WASM_B64 } from './scan.ts';

/** Up to so many needles are compared with every code: putting them into buckets would cost more (decision 69). */
export const SCANNED_NEEDLES_MAX = 24;

/** Needles that are compared at once. */
const GROUP = 4;
/** Codes that all groups pass before the next: they stay in the processor's first cache. */
const PART_CODES = 512;
const PAGE_BYTES = 65_536;
const OUT = SCANNED_NEEDLES_MAX * CODE_BYTES;

interface Scan {
  readonly scan: (...numbers: number[]) => void;
  readonly hits: { readonly value: number };
}

let compiled: WebAssembly.Module | undefined;

/** Room for codes in a memory of their own, which the system fills as it is used: a few needles pass them where they lie. */
export class ScannedCodes {
  /** 32 bytes a code. */
  readonly codes: Uint8Array;
  readonly #needles: Uint8Array;
  readonly #hits: Uint32Array;
  readonly #scan: Scan;

  /** @param room for so many codes */
  constructor(room: number) {
    const memory = new WebAssembly.Memory({ initial: 1 + Math.ceil((room * CODE_BYTES) / PAGE_BYTES) });
    compiled ??= new WebAssembly.Module(Buffer.from(SCAN_WASM_B64, 'base64'));
    this.#scan = new WebAssembly.Instance(compiled, { codes: { memory } }).exports as unknown as Scan;
    this.codes = new Uint8Array(memory.buffer, PAGE_BYTES, room * CODE_BYTES);
    this.#needles = new Uint8Array(memory.buffer, 0, OUT);
    this.#hits = new Uint32Array(memory.buffer, OUT, 2 * GROUP * PART_CODES);
  }

  /**
   * Compares the first `count` codes with a few needles.
   * @param needles 32 bytes each, at most SCANNED_NEEDLES_MAX
   * @param onHit is told of every code within the radius of a needle: its place, the needle, the bits apart. Within a part the hits
   *   come in no order
   * @param onPart is told after each part: up to which place all hits have been told
   */
  pass(
    count: number,
    needles: Uint8Array,
    radius: number,
    onHit: (place: number, needle: number, distance: number) => void,
    onPart: (end: number) => void,
  ): void {
    const { scan, hits } = this.#scan;
    const all = needles.length / CODE_BYTES;
    this.#needles.set(needles);
    for (let from = 0; from < count; from += PART_CODES) {
      const to = Math.min(count, from + PART_CODES);
      for (let first = 0; first < all; first += GROUP) {
        scan(PAGE_BYTES, from, to, first * CODE_BYTES, Math.min(GROUP, all - first), radius, OUT);
        for (let at = 0; at < 2 * hits.value; at += 2) {
          const hit = this.#hits[at + 1]!;
          onHit(this.#hits[at]!, first + (hit & 0xffff), hit >>> 16);
        }
      }
      onPart(to);
    }
  }
}
