import { groundFor } from '../../codecs/ground.ts';
import { openPicture } from '../../codecs/open_picture.ts';
import { decodeRaster } from '../../codecs/read_raster.ts';
import { LUMA_SHARES } from '../../pixels/luma.ts';
import type { Plane } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';

/**
 * Blurs an image before PDQ samples it at 64 × 64: two rounds of a moving average along the rows and one along the columns, each about a 128th of
 * that side wide, which approximate a tent filter (Jarosz, "Fast Image Convolutions"). Sums are 32-bit floats as in the reference, for identical
 * bits.
 * @param luma row by row; overwritten with the result
 */
function jaroszFilter(luma: Float32Array, width: number, height: number): void {
  const between = new Float32Array(luma.length);
  for (let round = 0; round < 2; round++) {
    meanAlongRows(luma, between, width, height);
    meanAlongColumns(between, luma, width, height);
  }
}

/** Extent of a window on both sides of its centre; near the ends of a line, only existing samples are averaged. */
function reachOf(side: number): { ahead: number; behind: number } {
  const window = Math.trunc((side + 127) / 128);
  const ahead = ((window + 2) >> 1) - 1;
  return { ahead, behind: window - ahead - 1 };
}

const countAt = (at: number, length: number, ahead: number, behind: number): number =>
  Math.min(length - 1, at + ahead) - Math.max(0, at - behind) + 1;

function meanAlongRows(from: Float32Array, to: Float32Array, width: number, height: number): void {
  const { ahead, behind } = reachOf(width);
  for (let row = 0; row < height * width; row += width) {
    let sum = 0;
    for (let at = -ahead; at < width; at++) {
      const [entering, leaving] = [at + ahead, at - behind - 1];
      if (entering < width) sum = Math.fround(sum + from[row + entering]!);
      if (leaving >= 0) sum = Math.fround(sum - from[row + leaving]!);
      if (at >= 0) to[row + at] = sum / countAt(at, width, ahead, behind);
    }
  }
}

/** Processes all columns together, in memory order. */
function meanAlongColumns(from: Float32Array, to: Float32Array, width: number, height: number): void {
  const { ahead, behind } = reachOf(height);
  const sums = new Float32Array(width);
  for (let at = -ahead; at < height; at++) {
    const [entering, leaving] = [(at + ahead) * width, (at - behind - 1) * width];
    if (at + ahead < height) for (let x = 0; x < width; x++) sums[x]! += from[entering + x]!;
    if (leaving >= 0) for (let x = 0; x < width; x++) sums[x]! -= from[leaving + x]!;
    if (at < 0) continue;
    const count = countAt(at, height, ahead, behind);
    for (let x = 0; x < width; x++) to[at * width + x] = sums[x]! / count;
  }
}

export interface Pdq {
  /** Hashes of the image in the rotations and mirrorings of `DIHEDRAL`, 32 bytes each; the first is that of the unchanged image. */
  readonly hashes: readonly Uint8Array[];
  /** 0 (flat) to 100: amount of detail. Below 50 a hash is unreliable. */
  readonly quality: number;
}

/** The eight rotations and mirrorings of an image. Rotations are anticlockwise, as in the reference. */
export const DIHEDRAL = [
  'original',
  'rotate90',
  'rotate180',
  'rotate270',
  'flipX',
  'flipY',
  'flipPlus1',
  'flipMinus1',
] as const;

const SIDE = 64;
const FREQUENCIES = 16;
/** Images with a shorter side are not hashed. */
const SIDE_PX_MIN = 5;

/**
 * The perceptual hash PDQ: identical to the reference implementation (facebook/ThreatExchange, pdq/cpp) on the same luma.
 * @param luma 0 to 255
 * @returns all zero bits and quality 0 if a side has fewer than 5 pixels
 */
export function pdqOf(luma: Plane): Pdq {
  if (luma.width < SIDE_PX_MIN || luma.height < SIDE_PX_MIN) {
    return { hashes: DIHEDRAL.map(() => new Uint8Array(32)), quality: 0 };
  }
  const small = shrinkLuma(luma);
  return { hashes: dihedralHashes(lowFrequencies(small)), quality: qualityOf(small) };
}

/** Samples 64 × 64 values of the blurred image. */
function shrinkLuma({ data, width, height }: Plane): Float32Array {
  if (width === SIDE && height === SIDE) return data;
  const blurred = new Float32Array(data);
  jaroszFilter(blurred, width, height);
  const small = new Float32Array(SIDE * SIDE);
  for (let row = 0; row < SIDE; row++) {
    const from = Math.trunc(((row + 0.5) * height) / SIDE) * width;
    for (let column = 0; column < SIDE; column++) {
      small[row * SIDE + column] = blurred[from + Math.trunc(((column + 0.5) * width) / SIDE)]!;
    }
  }
  return small;
}

/** Sum of differences between neighbours, in percent of the range. */
function qualityOf(small: Float32Array): number {
  let sum = 0;
  const add = (one: number, other: number) => {
    sum += Math.abs(Math.trunc(Math.fround(Math.fround(Math.fround(one - other) * 100) / 255)));
  };
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const at = row * SIDE + column;
      if (row < SIDE - 1) add(small[at]!, small[at + SIDE]!);
      if (column < SIDE - 1) add(small[at]!, small[at + 1]!);
    }
  }
  return Math.min(100, Math.trunc(sum / 90));
}

/** Rows 1 to 16 of the DCT of 64 values; row 0, the mean, is omitted. */
const DCT = Float32Array.from(
  { length: FREQUENCIES * SIDE },
  (_, at) =>
    Math.sqrt(2 / SIDE) *
    Math.cos((Math.PI / 2 / SIDE) * (Math.trunc(at / SIDE) + 1) * (2 * (at % SIDE) + 1)),
);

/** 16 × 16 coefficients, with vertical frequencies along y. */
function lowFrequencies(small: Float32Array): Float32Array {
  const vertical = new Float32Array(FREQUENCIES * SIDE);
  for (let row = 0; row < FREQUENCIES; row++) {
    for (let k = 0; k < SIDE; k++) {
      const weight = DCT[row * SIDE + k]!;
      for (let column = 0; column < SIDE; column++) {
        vertical[row * SIDE + column]! += Math.fround(weight * small[k * SIDE + column]!);
      }
    }
  }
  const both = new Float32Array(FREQUENCIES * FREQUENCIES);
  for (let row = 0; row < FREQUENCIES; row++) {
    for (let column = 0; column < FREQUENCIES; column++) {
      let sum = 0;
      for (let k = 0; k < SIDE; k++) {
        sum = Math.fround(sum + Math.fround(vertical[row * SIDE + k]! * DCT[column * SIDE + k]!));
      }
      both[row * FREQUENCIES + column] = sum;
    }
  }
  return both;
}

/**
 * Rotating or mirroring an image transposes its coefficients and changes signs: odd frequencies, the even rows and columns here, change sign along a
 * mirrored side.
 */
const TURNS: Record<(typeof DIHEDRAL)[number], { transposed: boolean; mirrored: ('row' | 'column')[] }> = {
  original: { transposed: false, mirrored: [] },
  rotate90: { transposed: true, mirrored: ['row'] },
  rotate180: { transposed: false, mirrored: ['row', 'column'] },
  rotate270: { transposed: true, mirrored: ['column'] },
  flipX: { transposed: false, mirrored: ['row'] },
  flipY: { transposed: false, mirrored: ['column'] },
  flipPlus1: { transposed: true, mirrored: [] },
  flipMinus1: { transposed: true, mirrored: ['row', 'column'] },
};

function dihedralHashes(coefficients: Float32Array): Uint8Array[] {
  const turned = new Float32Array(coefficients.length);
  return DIHEDRAL.map((name) => {
    const { transposed, mirrored } = TURNS[name];
    const [flipsRows, flipsColumns] = [mirrored.includes('row'), mirrored.includes('column')];
    for (let row = 0; row < FREQUENCIES; row++) {
      for (let column = 0; column < FREQUENCIES; column++) {
        const from = transposed ? column * FREQUENCIES + row : row * FREQUENCIES + column;
        const isNegative = (flipsRows && row % 2 === 0) !== (flipsColumns && column % 2 === 0);
        turned[row * FREQUENCIES + column] = isNegative ? -coefficients[from]! : coefficients[from]!;
      }
    }
    return bitsAboveMedian(turned);
  });
}

/** Bit k belongs to coefficient k in reading order; the text form of a hash starts with the last one. */
function bitsAboveMedian(coefficients: Float32Array): Uint8Array {
  const median = Float32Array.from(coefficients).sort()[coefficients.length / 2 - 1]!;
  const hash = new Uint8Array(32);
  for (let k = 0; k < coefficients.length; k++) {
    if (coefficients[k]! > median) hash[31 - (k >> 3)]! |= 1 << (k & 7);
  }
  return hash;
}

/** Larger sides are reduced to this before hashing, as in the reference, which does not keep the aspect ratio. */
const HASHED_SIDE_PX_MAX = 512;

/**
 * The luma that PDQ hashes: transparent parts on black, or on white if black would hide the content, sides above 512 reduced to 512 by
 * nearest-neighbour sampling. Also returns the size of the upright image.
 */
export async function hashedLuma(bytes: Uint8Array): Promise<{ luma: Plane; width: number; height: number }> {
  const background = await groundFor(bytes, '#000000');
  const picture = await decodeRaster(
    openPicture(bytes).toColourspace('srgb').flatten({ background }).removeAlpha(),
  );
  return { luma: thinLuma(picture), width: picture.width, height: picture.height };
}

/** @param from grey or RGB */
function thinLuma({ data, ...from }: Raster): Plane {
  const isLarge = from.width > HASHED_SIDE_PX_MAX || from.height > HASHED_SIDE_PX_MAX;
  const [width, height] = isLarge ? [HASHED_SIDE_PX_MAX, HASHED_SIDE_PX_MAX] : [from.width, from.height];
  const luma = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.trunc((y * from.height) / height) * from.width;
    for (let x = 0; x < width; x++) {
      const at = (row + Math.trunc((x * from.width) / width)) * from.channels;
      luma[y * width + x] = from.channels < 3 ? data[at]! : lumaOf(data[at]!, data[at + 1]!, data[at + 2]!);
    }
  }
  return { data: luma, width, height };
}

const [RED, GREEN, BLUE] = LUMA_SHARES.map(Math.fround) as [number, number, number];

/** ITU-R BT.601 in 32-bit floats. */
const lumaOf = (red: number, green: number, blue: number): number =>
  Math.fround(Math.fround(Math.fround(RED * red) + Math.fround(GREEN * green)) + Math.fround(BLUE * blue));
