import { oklabOf } from '../pixels/oklab.ts';

/**
 * Colour histogram in cells of four 8-bit steps per channel, the input of clustering: an image has millions of pixels but at most 262,144
 * cells, and a photograph about 20,000.
 */
export interface ColorCells {
  readonly count: number;
  /** Alpha-weighted pixels in each cell; an opaque pixel counts 255. */
  readonly weights: Float64Array;
  /** OKLab of each cell's mean colour, a and b times `chromaWeight`; three numbers per cell. */
  readonly labs: Float64Array;
  /** The most frequent exact colour of each cell (0xRRGGBB) and its weight. */
  readonly modes: Uint32Array;
  readonly modeWeights: Float64Array;
  /** Cell index by `cellKey`; -1 if the image has none. */
  readonly cellOfKey: Int32Array;
  readonly totalWeight: number;
  readonly chromaWeight: number;
  /** Every exact colour with its weight, if there are at most `EXACT_COLORS_MAX`; otherwise undefined. */
  readonly exact: readonly { readonly color: number; readonly weight: number }[] | undefined;
}

export const EXACT_COLORS_MAX = 256;
/** Keeps a sum of alpha values within 32 bits: 2^24 pixels × 255 < 2^32. */
export const COUNTED_PIXELS_MAX = 1 << 24;

const CELL_KEYS = 1 << 18;
/** Colours per cell, as a power of two. */
const CELL_BITS = 6;

/** Six bits of each channel. */
export const cellKey = (red: number, green: number, blue: number): number =>
  ((red >> 2) << 12) | ((green >> 2) << 6) | (blue >> 2);

/**
 * Counts every pixel of 8-bit RGBA data, at most `COUNTED_PIXELS_MAX`; fully transparent pixels have no weight. A `chromaWeight` above 1
 * weights differences of hue and saturation more than those of lightness.
 */
export function colorCells(rgba: Uint8Array, chromaWeight = 1): ColorCells {
  if (rgba.length / 4 > COUNTED_PIXELS_MAX) throw new RangeError('too many pixels for the counters');
  const eachColor = countColors(rgba);
  const cellOfKey = new Int32Array(CELL_KEYS).fill(-1);
  let count = 0;
  let distinct = 0;
  eachColor((_color, _weight, key) => {
    if (cellOfKey[key]! < 0) cellOfKey[key] = count++;
    distinct++;
  });

  const weights = new Float64Array(count);
  const sums = new Float64Array(3 * count);
  const modes = new Uint32Array(count);
  const modeWeights = new Float64Array(count);
  const exact: { color: number; weight: number }[] = [];
  let totalWeight = 0;
  eachColor((color, weight, key) => {
    const cell = cellOfKey[key]!;
    weights[cell]! += weight;
    sums[3 * cell]! += weight * (color >> 16);
    sums[3 * cell + 1]! += weight * ((color >> 8) & 255);
    sums[3 * cell + 2]! += weight * (color & 255);
    if (weight > modeWeights[cell]!) {
      modes[cell] = color;
      modeWeights[cell] = weight;
    }
    if (distinct <= EXACT_COLORS_MAX) exact.push({ color, weight });
    totalWeight += weight;
  });
  const labs = meanLabs(sums, weights, chromaWeight);
  return {
    count,
    weights,
    labs,
    modes,
    modeWeights,
    cellOfKey,
    totalWeight,
    chromaWeight,
    exact: distinct <= EXACT_COLORS_MAX ? exact : undefined,
  };
}

/** Visits each colour with its weight and cell; colours of a cell are consecutive. */
type ColorCounts = (visit: (color: number, weight: number, key: number) => void) => void;

/** Up to this size, sorting the pixels is cheaper than clearing and scanning a counter for every possible colour. */
const SORTED_PIXELS_MAX = 1 << 18;

const countColors = (rgba: Uint8Array): ColorCounts =>
  rgba.length / 4 <= SORTED_PIXELS_MAX ? countBySorting(rgba) : countByTable(rgba);

function countBySorting(rgba: Uint8Array): ColorCounts {
  // Colour and alpha in one 32-bit number.
  const pixels = new Uint32Array(rgba.length / 4);
  for (let at = 0; at < rgba.length; at += 4)
    pixels[at / 4] = ((rgba[at]! << 24) | (rgba[at + 1]! << 16) | (rgba[at + 2]! << 8) | rgba[at + 3]!) >>> 0;
  pixels.sort();
  return (visit) => {
    for (let at = 0; at < pixels.length; ) {
      const color = pixels[at]! >>> 8;
      let weight = 0;
      for (; at < pixels.length && pixels[at]! >>> 8 === color; at++) weight += pixels[at]! & 255;
      if (weight > 0) visit(color, weight, cellKey(color >> 16, (color >> 8) & 255, color & 255));
    }
  };
}

function countByTable(rgba: Uint8Array): ColorCounts {
  // Weight of each of the 2^24 colours, grouped by cell for memory locality.
  const weights = new Uint32Array(CELL_KEYS << CELL_BITS);
  // Marks non-empty cells, so that the others are not scanned.
  const touched = new Uint8Array(CELL_KEYS);
  for (let at = 0; at < rgba.length; at += 4) {
    const opacity = rgba[at + 3]!;
    if (opacity === 0) continue;
    const red = rgba[at]!;
    const green = rgba[at + 1]!;
    const blue = rgba[at + 2]!;
    const key = cellKey(red, green, blue);
    weights[(key << CELL_BITS) | ((red & 3) << 4) | ((green & 3) << 2) | (blue & 3)]! += opacity;
    touched[key] = 1;
  }
  return (visit) => {
    for (let key = 0; key < touched.length; key++) {
      if (touched[key] === 0) continue;
      for (let low = 0; low < 1 << CELL_BITS; low++) {
        const weight = weights[(key << CELL_BITS) | low]!;
        if (weight === 0) continue;
        const red = ((key >> 12) << 2) | (low >> 4);
        const green = (((key >> 6) & 63) << 2) | ((low >> 2) & 3);
        const blue = ((key & 63) << 2) | (low & 3);
        visit((red << 16) | (green << 8) | blue, weight, key);
      }
    }
  };
}

function meanLabs(sums: Float64Array, weights: Float64Array, chromaWeight: number): Float64Array {
  const labs = new Float64Array(sums.length);
  for (let cell = 0; cell < weights.length; cell++) {
    const weight = weights[cell]!;
    const at = 3 * cell;
    const [lightness, a, b] = oklabOf(sums[at]! / weight, sums[at + 1]! / weight, sums[at + 2]! / weight);
    labs.set([lightness, chromaWeight * a, chromaWeight * b], at);
  }
  return labs;
}
