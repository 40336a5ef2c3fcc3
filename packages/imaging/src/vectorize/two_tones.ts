import type { Raster } from '../pixels/raster.ts';
import { otsu } from './otsu.ts';
import { removeSpecks } from './regions.ts';
import { coarserArea, type Sketch } from './sketch.ts';
import type { Color } from './sketch_colors.ts';
import type { Fill } from './write_svg.ts';

/** Ink and paper of a drawing, an engraving or a printed text. */
export interface TwoTones {
  readonly ink: Color;
  readonly paper: Color;
}

/** The two tones differ by at least this (distance in 8-bit RGB). */
const CONTRAST_MIN = 150;
/** How far (8-bit steps) a pixel may be from the mixtures of ink and paper, and the share of pixels that may be farther. */
const OFF_MAX = 40;
const OFF_SHARE_MAX = 0.01;
/** Shares of paper beyond which a pixel is a tone of its own: the medians of ink and paper have darker and lighter pixels beside them. */
const BEYOND_MAX = 0.3;
/** Neighbours alike by this share of the contrast lie within a tone; there the root of the mean square difference from it is at most so much. */
const ALIKE_MAX = 0.1;
const UNEVEN_MAX = 0.06;
/** How often the tones are found anew without the middle ones. */
const ROUNDS = 2;
/** Shares of paper between which a pixel is a middle tone: those of a drawing lie on edges. */
const MIDDLE_MIN = 0.25;
const MIDDLE_MAX = 0.75;
/** Reach (pixels) about a middle tone within which an edge spans this much of the contrast, and the share of pixels without one. */
const EDGE_REACH = 2;
const EDGE_SPAN_MIN = 0.5;
const SOFT_SHARE_MAX = 0.008;

/**
 * The two tones of an opaque image that has no others; undefined if it is shaded, has more colours, or hatching too fine for its pixels, which
 * is a grey tone at this size.
 */
export function findTwoTones(picture: Raster): TwoTones | undefined {
  const split = splitByLuma(picture);
  let tones = tonesWhere(picture, (pixel) => (lumaAt(picture.data, 4 * pixel) < split ? 'ink' : 'paper'));
  for (let round = 0; tones && round < ROUNDS; round++) {
    const { shares } = paperShares(picture, tones);
    tones = tonesWhere(picture, (pixel) =>
      shares[pixel]! < MIDDLE_MIN ? 'ink' : shares[pixel]! > MIDDLE_MAX ? 'paper' : undefined,
    );
  }
  if (!tones || contrastOf(tones) < CONTRAST_MIN) return undefined;
  const { shares, off } = paperShares(picture, tones);
  if (off > OFF_SHARE_MAX * shares.length || unevenness(shares, picture) > UNEVEN_MAX ** 2) return undefined;
  const soft = countSoft(shares, picture);
  return soft > SOFT_SHARE_MAX * shares.length ? undefined : tones;
}

const contrastOf = ({ ink, paper }: TwoTones): number =>
  Math.hypot(...ink.map((value, channel) => paper[channel]! - value));

const lumaAt = (rgba: Uint8Array, at: number): number =>
  Math.round(0.299 * rgba[at]! + 0.587 * rgba[at + 1]! + 0.114 * rgba[at + 2]!);

function splitByLuma({ data: rgba }: Raster): number {
  const counts = new Float64Array(256);
  for (let at = 0; at < rgba.length; at += 4) counts[lumaAt(rgba, at)]!++;
  return otsu(counts).threshold;
}

/** Per-channel medians of the pixels of ink and of those of paper; undefined where there are none of either. */
function tonesWhere(
  { data: rgba }: Raster,
  toneOf: (pixel: number) => keyof TwoTones | undefined,
): TwoTones | undefined {
  const counts = { ink: levelCounts(), paper: levelCounts() };
  for (let pixel = 0; 4 * pixel < rgba.length; pixel++) {
    const tone = toneOf(pixel);
    if (tone === undefined) continue;
    for (let channel = 0; channel < 3; channel++) counts[tone][channel]![rgba[4 * pixel + channel]!]!++;
  }
  const [ink, paper] = [mediansOf(counts.ink), mediansOf(counts.paper)];
  return ink && paper && { ink, paper };
}

const levelCounts = (): Float64Array[] => [0, 1, 2].map(() => new Float64Array(256));

function mediansOf(counts: readonly Float64Array[]): Color | undefined {
  const total = counts[0]!.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const [red, green, blue] = counts.map((levels) => {
    let level = 0;
    for (let below = levels[0]!; below < total / 2; below += levels[++level]!);
    return level;
  });
  return [red!, green!, blue!];
}

/** Share of paper in each pixel, 0 to 1 between the tones and beyond where it is darker or lighter, and how many pixels are of other colours. */
function paperShares(
  { data: rgba }: Raster,
  { ink, paper }: TwoTones,
): { shares: Float32Array; off: number } {
  const step = paper.map((value, channel) => value - ink[channel]!);
  const square = step.reduce((sum, value) => sum + value * value, 0);
  const shares = new Float32Array(rgba.length / 4);
  let off = 0;
  for (let pixel = 0; pixel < shares.length; pixel++) {
    let along = 0;
    for (let channel = 0; channel < 3; channel++)
      along += (rgba[4 * pixel + channel]! - ink[channel]!) * step[channel]!;
    shares[pixel] = along / square;
    let apart = 0;
    const nearest = Math.min(1 + BEYOND_MAX, Math.max(-BEYOND_MAX, shares[pixel]!));
    for (let channel = 0; channel < 3; channel++)
      apart += (rgba[4 * pixel + channel]! - ink[channel]! - nearest * step[channel]!) ** 2;
    if (apart > OFF_MAX ** 2) off++;
  }
  return { shares, off };
}

/** Middle tones that lie on no edge. */
function countSoft(shares: Float32Array, { width, height }: Raster): number {
  let soft = 0;
  for (let pixel = 0; pixel < shares.length; pixel++) {
    if (shares[pixel]! < MIDDLE_MIN || shares[pixel]! > MIDDLE_MAX) continue;
    const x = pixel % width;
    const y = (pixel - x) / width;
    let [least, most] = [Infinity, -Infinity];
    for (let down = Math.max(0, y - EDGE_REACH); down <= Math.min(height - 1, y + EDGE_REACH); down++)
      for (
        let across = Math.max(0, x - EDGE_REACH);
        across <= Math.min(width - 1, x + EDGE_REACH);
        across++
      ) {
        const share = shares[down * width + across]!;
        if (share < least) least = share;
        if (share > most) most = share;
      }
    if (most - least < EDGE_SPAN_MIN) soft++;
  }
  return soft;
}

/** Mean squared difference from the nearer tone, in shares of the contrast, of the pixels that are alike to those beside and below them. */
function unevenness(shares: Float32Array, { width }: Raster): number {
  let [even, squares] = [0, 0];
  for (let pixel = 0; pixel + width < shares.length; pixel++) {
    const share = shares[pixel]!;
    if (
      Math.abs(share - shares[pixel + 1]!) > ALIKE_MAX ||
      Math.abs(share - shares[pixel + width]!) > ALIKE_MAX
    )
      continue;
    even++;
    squares += Math.min(Math.abs(share), Math.abs(share - 1)) ** 2;
  }
  return squares / Math.max(1, even);
}

/** A pixel with less paper is ink. */
const INK_MAX = 0.5;
/** A lighter one is ink as well where it is so much darker than both of its sides: a line that is narrower than a pixel. */
const LINE_MAX = 0.86;
const LINE_DEPTH_MIN = 0.2;

/**
 * Divides an image into areas of ink and of paper; specks below `areaMin` pixels go to what is about them.
 * @param times pixels of `picture` across a pixel of the image
 */
export function sketchTwoTones(picture: Raster, tones: TwoTones, areaMin: number, times: number): Sketch {
  const { width, height } = picture;
  const { shares } = paperShares(picture, tones);
  const isInk = Int16Array.from(shares, (share, pixel) =>
    share < INK_MAX || isLine(shares, pixel, picture, times) ? 1 : 0,
  );
  const { labels, count } = removeSpecks(isInk, width, areaMin, (one, other) => Math.abs(one - other));
  const fills: Fill[] = new Array(count);
  for (const [pixel, label] of labels.entries())
    fills[label] ??= { color: isInk[pixel] === 1 ? tones.ink : tones.paper };
  return {
    picture,
    edges: { picture: edgesOf(picture, tones, shares, isInk), tolerance: EDGE_TOLERANCE },
    areas: { width, height, labels, count },
    times,
    fills,
    correctable: false,
    coarsen: (share) => sketchTwoTones(picture, tones, coarserArea(areaMin, share), times),
  };
}

/** Outlines of a line narrower than a pixel must not meet (pixels). */
const EDGE_TOLERANCE = 0.2;

/**
 * The mixtures of ink and paper that place outlines between pixels. A line one pixel wide has an outline on either side of it, and each takes half
 * of the paper in that pixel.
 */
function edgesOf(
  { width, height }: Raster,
  { ink, paper }: TwoTones,
  shares: Float32Array,
  isInk: Int16Array,
): Raster {
  const data = new Uint8Array(4 * shares.length).fill(255);
  for (let pixel = 0; pixel < shares.length; pixel++) {
    const x = pixel % width;
    const isNarrow =
      isInk[pixel] === 1 &&
      ((x > 0 && x < width - 1 && isInk[pixel - 1] === 0 && isInk[pixel + 1] === 0) ||
        (pixel >= width &&
          pixel + width < shares.length &&
          isInk[pixel - width] === 0 &&
          isInk[pixel + width] === 0));
    const share = Math.min(1, Math.max(0, shares[pixel]!)) / (isNarrow ? 2 : 1);
    for (let channel = 0; channel < 3; channel++)
      data[4 * pixel + channel] = Math.round(ink[channel]! + share * (paper[channel]! - ink[channel]!));
  }
  return { width, height, channels: 4, data };
}

/** Tests whether a pixel is darker than those two pixels of the image away on both sides, along its row or its column. */
function isLine(shares: Float32Array, pixel: number, { width, height }: Raster, times: number): boolean {
  const share = shares[pixel]!;
  if (share > LINE_MAX) return false;
  const reach = Math.ceil(2 * times);
  const x = pixel % width;
  const y = (pixel - x) / width;
  const isValley = (before: number, after: number): boolean =>
    Math.min(shares[before]!, shares[after]!) - share >= LINE_DEPTH_MIN;
  return (
    (x >= reach && x < width - reach && isValley(pixel - reach, pixel + reach)) ||
    (y >= reach && y < height - reach && isValley(pixel - reach * width, pixel + reach * width))
  );
}
