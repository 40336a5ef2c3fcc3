import { oklabOf } from '../pixels/oklab.ts';
import type { Raster } from '../pixels/raster.ts';

/** The retained DCT frequencies have a sum from 1 to this. */
const FREQUENCY_SUM_MAX = 6;
/** [across, down], lowest first: 27 of them. */
const FREQUENCIES: readonly (readonly [across: number, down: number])[] = Array.from(
  { length: FREQUENCY_SUM_MAX },
  (_, sum) => Array.from({ length: sum + 2 }, (_, down) => [sum + 1 - down, down] as const),
).flat();
/** Cells per side before the transform; twice what the highest frequency needs. */
const CELLS = 16;
/** RMS lightness contrast, 0 to 1, below which an image counts as flat. */
const CONTRAST_MIN = 0.015;
/** Quantisation steps of the aspect ratio per doubling. */
const STEPS_PER_DOUBLING = 24;
const SQUARE = 128;
const UNIT = 127;

/** One signed byte per frequency, then one byte for the aspect ratio. */
export const LAYOUT_BYTES: number = FREQUENCIES.length + 1;
/** Frequencies that change sign when an image is mirrored left to right. */
const MIRRORED: readonly boolean[] = FREQUENCIES.map(([across]) => across % 2 === 1);

/**
 * Layout descriptor of an image: the low DCT frequencies of its lightness, scaled to unit length so that exposure and colour do not matter,
 * and its aspect ratio. Based on the colour layout descriptor of MPEG-7 (ISO/IEC 15938-3), limited to lightness.
 * @param rgba four channels; transparent parts count as white
 * @returns LAYOUT_BYTES; all frequencies are 0 for a flat image
 */
export function layoutOf({ data, width, height }: Omit<Raster, 'channels'>): Uint8Array {
  const bytes = new Uint8Array(LAYOUT_BYTES);
  const doublings = Math.log2(width / height);
  bytes[LAYOUT_BYTES - 1] = Math.max(0, Math.min(255, Math.round(SQUARE + STEPS_PER_DOUBLING * doublings)));
  const coefficients = transform(cellsOf({ data, width, height }));
  const contrast = Math.hypot(...coefficients) / CELLS;
  if (contrast < CONTRAST_MIN) return bytes;
  const weighted = coefficients.map((value, at) => value * weightOf(at));
  const length = Math.hypot(...weighted);
  const signed = new Int8Array(bytes.buffer);
  for (const [at, value] of weighted.entries()) signed[at] = Math.round((UNIT * value) / length);
  return bytes;
}

/** Contrast falls with frequency in most images; unweighted, the two lowest frequencies would dominate. */
function weightOf(at: number): number {
  const [across, down] = FREQUENCIES[at]!;
  return Math.sqrt(Math.hypot(across, down));
}

/** Mean lightness of each cell, 0 to 1, row by row. */
function cellsOf({ data, width, height }: Omit<Raster, 'channels'>): Float64Array {
  const cells = new Float64Array(CELLS * CELLS);
  for (let row = 0; row < CELLS; row += 1) {
    const [top, bottom] = rangeOf(row, height);
    for (let column = 0; column < CELLS; column += 1) {
      const [left, right] = rangeOf(column, width);
      let sum = 0;
      for (let y = top; y < bottom; y += 1) {
        for (let x = left; x < right; x += 1) {
          const at = 4 * (y * width + x);
          const [lightness] = oklabOf(data[at]!, data[at + 1]!, data[at + 2]!);
          const opacity = data[at + 3]! / 255;
          sum += opacity * lightness + 1 - opacity;
        }
      }
      cells[row * CELLS + column] = sum / ((bottom - top) * (right - left));
    }
  }
  return cells;
}

/** Pixel range of a cell along an axis, at least one pixel. */
function rangeOf(cell: number, side: number): readonly [from: number, to: number] {
  const from = Math.floor((cell * side) / CELLS);
  return [from, Math.max(from + 1, Math.floor(((cell + 1) * side) / CELLS))];
}

/** Rows of the orthonormal cosine transform (DCT-II), the constant one first. */
const COSINES = Array.from({ length: FREQUENCY_SUM_MAX + 1 }, (_, frequency) =>
  Float64Array.from(
    { length: CELLS },
    (_, at) =>
      Math.sqrt((frequency === 0 ? 1 : 2) / CELLS) *
      Math.cos((Math.PI * frequency * (2 * at + 1)) / (2 * CELLS)),
  ),
);

function transform(cells: Float64Array): number[] {
  const rows = COSINES.map((cosine) =>
    Float64Array.from({ length: CELLS }, (_, row) => {
      let sum = 0;
      for (let column = 0; column < CELLS; column += 1) sum += cosine[column]! * cells[row * CELLS + column]!;
      return sum;
    }),
  );
  return FREQUENCIES.map(([across, down]) =>
    COSINES[down]!.reduce((sum, value, row) => sum + value * rows[across]![row]!, 0),
  );
}

/** Similarity of two layouts. */
export interface LayoutMatch {
  /** Cosine similarity of the frequencies, -1 to 1: 1 is the same layout, 0 is unrelated. */
  readonly similarity: number;
  /** The similarity is that of the mirrored image. */
  readonly isMirrored: boolean;
  /** Difference of the aspect ratios in doublings: 0 for the same, 1 for twice as wide at the same height. */
  readonly shape: number;
}

/** Smallest advantage at which a mirrored match is reported: most images are nearly as similar either way. */
const MIRRORED_MIN = 0.05;

/**
 * Compares two layouts without allocating anything but the result. `others` may hold many consecutive layouts.
 * @param at offset of the first byte of the other layout
 * @returns undefined if one of the images is flat
 */
export function matchLayouts(one: Uint8Array, others: Uint8Array, at = 0): LayoutMatch | undefined {
  let [plain, turning, own, other] = [0, 0, 0, 0];
  const last = LAYOUT_BYTES - 1;
  for (let nth = 0; nth < last; nth += 1) {
    const [mine, theirs] = [signed(one[nth]!), signed(others[at + nth]!)];
    own += mine * mine;
    other += theirs * theirs;
    if (MIRRORED[nth]) turning += mine * theirs;
    else plain += mine * theirs;
  }
  const lengths = Math.sqrt(own * other);
  if (lengths === 0) return undefined;
  return {
    similarity: (plain + Math.abs(turning)) / lengths,
    isMirrored: turning < -MIRRORED_MIN * lengths,
    shape: Math.abs(one[last]! - others[at + last]!) / STEPS_PER_DOUBLING,
  };
}

const signed = (byte: number): number => (byte << 24) >> 24;

/** Weights of aspect ratio and mirroring relative to lightness similarity. */
const SHAPE_WEIGHT = 0.2;
const MIRROR_COST = 0.03;

/** Distance beyond which two images have no more in common than arbitrary ones: of the pairs of 58 paintings, one in twenty is nearer. */
export const LAYOUT_DISTANCE_MAX = 0.58;

/** 0 for the same composition. */
export const layoutDistance = ({ similarity, isMirrored, shape }: LayoutMatch): number =>
  1 - similarity + SHAPE_WEIGHT * shape + (isMirrored ? MIRROR_COST : 0);
