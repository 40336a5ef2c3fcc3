import { BUCKETS_RADIUS_MAX, CODE_BYTES, CodeSegment, SEGMENT_CODES } from './code_segment.ts';

export interface Hit {
  /** The ref added with the code. */
  readonly ref: number;
  /** Number of differing bits. */
  readonly distance: number;
}

/**
 * Exact index of 256-bit codes by Hamming distance. Codes can only be added. The newest, up to SEGMENT_CODES, are scanned; all others are found
 * through buckets up to BUCKETS_RADIUS_MAX bits; buckets are never rebuilt.
 */
export class HammingIndex {
  readonly #segments: CodeSegment[] = [];
  readonly #refs: Float64Array[] = [];

  get size(): number {
    return this.#segments.reduce((sum, { count }) => sum + count, 0);
  }

  get memoryBytes(): number {
    const refs = this.#refs.length * SEGMENT_CODES * Float64Array.BYTES_PER_ELEMENT;
    return this.#segments.reduce((sum, { memoryBytes }) => sum + memoryBytes, refs);
  }

  /** @param ref any integer that a double represents exactly */
  add(code: Uint8Array, ref: number): void {
    if (code.length !== CODE_BYTES)
      throw new RangeError(`a code has ${CODE_BYTES} bytes, not ${code.length}`);
    let segment = this.#segments.at(-1);
    if (!segment || segment.isFull) {
      segment = new CodeSegment();
      this.#segments.push(segment);
      this.#refs.push(new Float64Array(SEGMENT_CODES));
    }
    this.#refs.at(-1)![segment.count] = ref;
    segment.add(code);
  }

  get segments(): number {
    return this.#segments.length;
  }

  /** Number of segments with buckets, which are immutable: all, or all but the last. */
  get builtSegments(): number {
    return this.#segments.length - (this.#segments.at(-1)?.isFull === false ? 1 : 0);
  }

  /** Contents of segment `at`. */
  codesOf(at: number): { codes: Uint8Array; refs: Float64Array } {
    const segment = this.#segments[at]!;
    return { codes: segment.codes, refs: this.#refs[at]!.subarray(0, segment.count) };
  }

  /** Segment `at` in the form that `restore` takes: codes with buckets, and refs. */
  segmentAt(at: number): { codes: Uint8Array; refs: Float64Array } {
    return { codes: this.#segments[at]!.built, refs: this.#refs[at]! };
  }

  /** Appends a built segment; all existing ones must be built. @param fill writes both parts of a `segmentAt` */
  restore(fill: (part: Uint8Array) => void): void {
    const refs = new Float64Array(SEGMENT_CODES);
    const segment = CodeSegment.restore(fill);
    fill(new Uint8Array(refs.buffer));
    this.#segments.push(segment);
    this.#refs.push(refs);
  }

  /** Drops all segments after the first `segments`. */
  truncate(segments: number): void {
    this.#segments.length = segments;
    this.#refs.length = segments;
  }

  /**
   * Every code within `radius` bits, nearest first. At most 4,096 per segment.
   * @param bare compares every code instead of using the buckets, for measurements
   */
  search(needle: Uint8Array, radius = BUCKETS_RADIUS_MAX, { bare = false } = {}): Hit[] {
    return this.#segments
      .flatMap((segment, at) =>
        segment
          .search(needle, radius, bare)
          .map(({ place, distance }) => ({ ref: this.#refs[at]![place]!, distance })),
      )
      .sort((one, other) => one.distance - other.distance || one.ref - other.ref);
  }
}
