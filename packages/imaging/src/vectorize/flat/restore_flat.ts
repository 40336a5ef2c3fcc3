import { isOpaque, type Raster } from '../../pixels/raster.ts';
import type { ColorTable, FlatAreas } from './flat_colors.ts';

/**
 * Maximum range (8-bit steps) of luma and of weighted chroma in 3 × 3 pixels of an even area; ringing and edges exceed
 * it.
 */
const EVEN_RANGE = 14;
/** Spread of the pixels of one colour, in 8-bit steps. */
const SPREAD = 18;
const BIN = 4;
const COLORS_MAX = 24;
/** Opacity up to which a colour is transparent, and by which an opaque one may fall short. */
const TRANSPARENT_MAX = 6;
/** Maximum groups of similar pixels examined, including those too small for a colour. */
const TRIES_MAX = 64;
/** Part of the even pixels that a colour has at least, and their number. */
const COLOR_SHARE_MIN = 0.0004;
const COLOR_PIXELS_MIN = 12;
/** Part of the image that is even at least. */
const EVEN_SHARE_MIN = 0.25;
/** Part of the even pairs of neighbours that may have two colours; a gradient has more. */
const STEPS_MAX = 0.004;
/** Chroma is stored coarsely, and often at half the resolution: it counts so much of luma. */
const CHROMA_WEIGHT = 0.4;
const BLUE_WEIGHT = 0.564 * CHROMA_WEIGHT;
const RED_WEIGHT = 0.713 * CHROMA_WEIGHT;
/** Distances (pixels) within which the two sides of an edge are looked for. */
const REACHES = [2, 4, 6];
/** Maximum distance of a pixel from a mixture of adjacent colours (8-bit steps) before distant colours are tried. */
const MIXTURE_OFF_MAX = 24;
/** Factor (squared distance) by which a distant colour must fit better. */
const FAR_GAIN = 4;
/** Minimum share of a colour that is not adjacent: less is ringing. */
const RINGING_MAX = 0.25;
/** Share of pixels that may deviate from the restored image by more than this (8-bit steps). */
const MISSED_OFF = 30;
const MISSED_MAX = 0.003;
/** Maximum share of pixels in lines and small text: more errors are noise, which is not worth more time. */
const LINES_MAX = 0.15;
/** Part of the even pixels that are not exactly of their colour where an image was compressed with loss. */
const NOISY_MIN = 0.02;
/** Maximum number of colours added to explain the remaining pixels. */
const ROUNDS = 4;
/** Edges (pixels) of less width are along pixels. */
const HARD_WIDTH_MAX = 0.35;
/** A colour from elsewhere has at least this share of a pixel so near (pixels). */
const REACHED_MIN = 0.75;
const REACHED_PX = 4;
/** Factor by which the share of lines narrower than a pixel is raised. */
const LINE_GAIN = 1.5;
const SHARE_STEPS = 64;
/**
 * Maximum deviation (8-bit steps) of the mean of blocks of this side (pixels) from their colour, in this share of
 * blocks.
 */
const BLOCK_PX = 8;
const BLOCK_OFF_MAX = 4;
const SHADED_MAX = 0.02;

/** One value per plane. */
type Sample = readonly number[];

/** Luma and weighted chroma, as JPEG and WebP have them (ITU-R BT.601), multiplied by opacity, and opacity where the image has some. */
interface Planes {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly Float32Array[];
}

/** A colour of the artwork, opaque or fully transparent: in the planes, and as RGBA multiplied by opacity. */
interface FlatColor {
  readonly at: Sample;
  readonly rgba: Sample;
}

/** For each pixel: main colour, second colour, and the share of the second, up to one half. */
interface Mixtures {
  readonly ones: Int8Array;
  readonly others: Int8Array;
  readonly shares: Float32Array;
  /** Of mixtures with a colour that is not near: which one. -1 elsewhere. */
  readonly far: Int8Array;
}

/** Flat artwork restored from a noisy image. */
export interface Restored {
  readonly areas: FlatAreas;
  /** The artwork without the noise. */
  readonly picture: Raster;
}

/**
 * Restores flat artwork that was lossily compressed or enlarged: colours are read from even areas, every other pixel
 * becomes a mixture of two of them, and edges become as narrow as renderers draw them. Undefined for images with
 * translucent areas and images that are not flat.
 */
export function restoreFlat(picture: Raster): Restored | undefined {
  const { width, height } = picture;
  const planes = planesOf(picture);
  const isEven = evenPixels(planes);
  const evenCount = isEven.reduce((sum, even) => sum + even, 0);
  if (evenCount < EVEN_SHARE_MIN * isEven.length) return undefined;
  const colors = colorsOf(picture, planes, isEven, evenCount);
  if (colors === undefined || colors.length === 0) return undefined;
  const areaColors = colors.length;
  const rounds = isNoisy(picture, labelEven(planes, isEven, colors), colors) ? ROUNDS : 0;
  const isLine = new Uint8Array(isEven.length);
  for (let round = 0; colors.length <= COLORS_MAX; round++) {
    const labels = labelEven(planes, isEven, colors);
    if (round === 0 && (isStepped(labels, width, height) || isShaded(planes, labels, colors)))
      return undefined;
    const mixtures = mixturesOf(planes, labels, colors, { areaColors, isLine });
    dropRinging(mixtures, width, height);
    const missed = [
      ...restorationError(planes, mixtures, colors),
      ...unexplainedPixels(mixtures, width, height),
    ];
    if (missed.length <= MISSED_MAX * labels.length) {
      if (colors.length < 2) return undefined;
      strengthenLines(mixtures, areaColors);
      narrowEdges(mixtures, width, height, colors.length);
      return restoredOf(picture, mixtures, colors);
    }
    const mayBeLines = round < rounds && missed.length <= LINES_MAX * labels.length;
    const color = mayBeLines ? colorOf(picture, planes, missed) : undefined;
    if (color === undefined) return undefined;
    colors.push(color);
    for (const pixel of missed) isLine[pixel] = 1;
  }
  return undefined;
}

/** Tests whether pixels of one colour vary slightly, as after lossy compression. */
function isNoisy({ data }: Raster, labels: Int8Array, colors: readonly FlatColor[]): boolean {
  let [labelled, noisy] = [0, 0];
  for (const [pixel, label] of labels.entries()) {
    if (label < 0) continue;
    labelled++;
    const opacity = data[4 * pixel + 3]! / 255;
    const { rgba } = colors[label]!;
    if (rgba.some((value, channel) => Math.round(premultiplied(data, pixel, channel, opacity)) !== value))
      noisy++;
  }
  return noisy > NOISY_MIN * labelled;
}

/** Pixels that deviate from their restoration. */
function restorationError(
  { planes }: Planes,
  { ones, others, shares }: Mixtures,
  colors: readonly FlatColor[],
): number[] {
  const missed: number[] = [];
  for (let pixel = 0; pixel < ones.length; pixel++) {
    const [one, other] = [colors[ones[pixel]!]!.at, colors[others[pixel]!]!.at];
    let off = 0;
    for (let axis = 0; axis < planes.length; axis++)
      off += (planes[axis]![pixel]! - one[axis]! - shares[pixel]! * (other[axis]! - one[axis]!)) ** 2;
    if (off > MISSED_OFF ** 2) missed.push(pixel);
  }
  return missed;
}

/**
 * Pixels mixed with a distant colour that no neighbour contains: small grey text looks like a mixture of white and
 * black, but is a separate colour.
 */
function unexplainedPixels({ ones, shares, far }: Mixtures, width: number, height: number): number[] {
  const missed: number[] = [];
  const weightOf = (pixel: number, color: number): number =>
    far[pixel] !== color ? 0 : ones[pixel] === color ? 1 - shares[pixel]! : shares[pixel]!;
  for (let pixel = 0; pixel < far.length; pixel++) {
    const color = far[pixel]!;
    if (color < 0 || weightOf(pixel, color) < RINGING_MAX) continue;
    const x = pixel % width;
    const y = (pixel - x) / width;
    let most = 0;
    for (let down = Math.max(0, y - REACHED_PX); down <= Math.min(height - 1, y + REACHED_PX); down++)
      for (let across = Math.max(0, x - REACHED_PX); across <= Math.min(width - 1, x + REACHED_PX); across++)
        most = Math.max(most, weightOf(down * width + across, color));
    if (most < REACHED_MIN) missed.push(pixel);
  }
  return missed;
}

/** The colour that most of some pixels have, if many do. */
function colorOf(picture: Raster, planes: Planes, pixels: readonly number[]): FlatColor | undefined {
  const chosen = new Uint8Array(picture.width * picture.height);
  for (const pixel of pixels) chosen[pixel] = 1;
  const [most] = colorsOf(picture, planes, chosen, pixels.length) ?? [];
  return most;
}

function planesOf(picture: Raster): Planes {
  const { width, height, data } = picture;
  const count = width * height;
  const planes = Array.from({ length: isOpaque(picture) ? 3 : 4 }, () => new Float32Array(count));
  const [lumas, blues, reds, alphas] = planes as [Float32Array, Float32Array, Float32Array, Float32Array?];
  for (let pixel = 0, at = 0; pixel < count; pixel++, at += 4) {
    const opacity = data[at + 3]! / 255;
    const [red, blue] = [opacity * data[at]!, opacity * data[at + 2]!];
    const luma = 0.299 * red + 0.587 * opacity * data[at + 1]! + 0.114 * blue;
    lumas[pixel] = luma;
    blues[pixel] = BLUE_WEIGHT * (blue - luma);
    reds[pixel] = RED_WEIGHT * (red - luma);
    if (alphas) alphas[pixel] = data[at + 3]!;
  }
  return { width, height, planes };
}

const premultiplied = (data: Uint8Array, pixel: number, channel: number, opacity: number): number =>
  channel === 3 ? data[4 * pixel + 3]! : data[4 * pixel + channel]! * opacity;

function sampleOf([red, green, blue, alpha]: Sample): Sample {
  const luma = 0.299 * red! + 0.587 * green! + 0.114 * blue!;
  return [luma, BLUE_WEIGHT * (blue! - luma), RED_WEIGHT * (red! - luma), alpha!];
}

const sampleAt = (planes: Planes['planes'], pixel: number): Sample => planes.map((plane) => plane[pixel]!);

/** Tests whether a pixel and its neighbours differ only by noise. */
function evenPixels({ width, height, planes }: Planes): Uint8Array {
  const even = new Uint8Array(width * height).fill(1);
  const least = new Float32Array(width);
  const most = new Float32Array(width);
  for (const plane of planes)
    for (let y = 0; y < height; y++) {
      const [above, own, below] = [
        Math.max(0, y - 1) * width,
        y * width,
        Math.min(height - 1, y + 1) * width,
      ];
      for (let x = 0; x < width; x++) {
        least[x] = Math.min(plane[above + x]!, plane[own + x]!, plane[below + x]!);
        most[x] = Math.max(plane[above + x]!, plane[own + x]!, plane[below + x]!);
      }
      for (let x = 0; x < width; x++) {
        const [before, after] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
        const range =
          Math.max(most[before]!, most[x]!, most[after]!) -
          Math.min(least[before]!, least[x]!, least[after]!);
        if (range > EVEN_RANGE) even[own + x] = 0;
      }
    }
  return even;
}

/** Squared distance over the planes of the first. */
function squareApart(one: Sample, other: Sample): number {
  let sum = 0;
  for (let axis = 0; axis < one.length; axis++) sum += (one[axis]! - other[axis]!) ** 2;
  return sum;
}

interface Bin {
  readonly at: Sample;
  readonly count: number;
}

/** Colours of even areas, the most frequent first. Undefined if there are too many for flat artwork. */
function colorsOf(
  { data }: Raster,
  { planes }: Planes,
  isEven: Uint8Array,
  evenCount: number,
): FlatColor[] | undefined {
  let open = binsOf(planes, isEven);
  const least = Math.max(COLOR_PIXELS_MIN, COLOR_SHARE_MIN * evenCount);
  const found: Sample[] = [];
  for (let tries = 0; open.length > 0; tries++) {
    if (tries > TRIES_MAX) return undefined;
    let center = open[0]!.at;
    for (let round = 0; round < 3; round++) center = meanWithin(open, center, SPREAD / 2);
    const isNear = ({ at }: Bin) => squareApart(at, center) <= SPREAD ** 2;
    const count = open.reduce((sum, bin) => sum + (isNear(bin) ? bin.count : 0), 0);
    if (open[0]!.count < least / 8 && count < least) break;
    if (count >= least) found.push(center);
    if (found.length > COLORS_MAX) return undefined;
    const [first, ...rest] = open;
    open = rest.filter((bin) => !isNear(bin) && bin !== first);
  }
  const sums = found.map(() => [0, 0, 0, 0, 0]);
  for (let pixel = 0; pixel < isEven.length; pixel++) {
    if (isEven[pixel] === 0) continue;
    const at = sampleAt(planes, pixel);
    const nearest = found.findIndex((center) => squareApart(at, center) <= (SPREAD / 2) ** 2);
    if (nearest < 0) continue;
    const opacity = data[4 * pixel + 3]! / 255;
    for (let channel = 0; channel < 4; channel++)
      sums[nearest]![channel]! += premultiplied(data, pixel, channel, opacity);
    sums[nearest]![4]!++;
  }
  const colors = sums.flatMap(([red, green, blue, alpha, count]) => {
    if (count === 0) return [];
    const rgba = [red!, green!, blue!, alpha!].map((sum) => Math.round(sum / count!));
    const solid = rgba[3]! <= TRANSPARENT_MAX ? [0, 0, 0, 0] : [...rgba.slice(0, 3), 255];
    return [{ at: sampleOf(solid), rgba: solid, isSolid: Math.abs(rgba[3]! - solid[3]!) <= TRANSPARENT_MAX }];
  });
  return colors.every(({ isSolid }) => isSolid) ? colors : undefined;
}

function binsOf(planes: Planes['planes'], isEven: Uint8Array): Bin[] {
  const bins = new Map<number, number>();
  for (let pixel = 0; pixel < isEven.length; pixel++) {
    if (isEven[pixel] === 0) continue;
    const key = planes.reduce((sum, plane) => 256 * sum + Math.round(plane[pixel]! / BIN) + 128, 0);
    bins.set(key, (bins.get(key) ?? 0) + 1);
  }
  const axis = (key: number): number => BIN * ((key % 256) - 128);
  return [...bins]
    .sort(([, one], [, other]) => other - one)
    .map(([key, count]) => ({
      at: planes.map((_, plane) => axis(Math.floor(key / 256 ** (planes.length - 1 - plane)))),
      count,
    }));
}

function meanWithin(bins: readonly Bin[], center: Sample, radius: number): Sample {
  const sum = center.map(() => 0);
  let total = 0;
  for (const { at, count } of bins) {
    if (squareApart(at, center) > radius ** 2) continue;
    for (const [axis, value] of at.entries()) sum[axis]! += count * value;
    total += count;
  }
  return total === 0 ? center : sum.map((value) => value / total);
}

/** The colour of each even pixel; -1 elsewhere, and where none is near. */
function labelEven({ planes }: Planes, isEven: Uint8Array, colors: readonly FlatColor[]): Int8Array {
  return Int8Array.from(isEven, (even, pixel) => {
    if (even === 0) return -1;
    const at = sampleAt(planes, pixel);
    let [best, least] = [-1, SPREAD ** 2];
    for (const [index, color] of colors.entries()) {
      const off = squareApart(at, color.at);
      if (off <= least) [best, least] = [index, off];
    }
    return best;
  });
}

/** Tests whether colours follow each other without an edge, like the steps of a gradient. */
function isStepped(labels: Int8Array, width: number, height: number): boolean {
  let [pairs, steps] = [0, 0];
  const see = (one: number, other: number): void => {
    if (one < 0 || other < 0) return;
    pairs++;
    if (one !== other) steps++;
  };
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      if (x + 1 < width) see(labels[pixel]!, labels[pixel + 1]!);
      if (y + 1 < height) see(labels[pixel]!, labels[pixel + width]!);
    }
  return steps > STEPS_MAX * pairs;
}

/** Tests whether areas of one colour vary in lightness across the image. */
function isShaded(
  { width, height, planes }: Planes,
  labels: Int8Array,
  colors: readonly FlatColor[],
): boolean {
  let [blocks, shaded] = [0, 0];
  for (let top = 0; top + BLOCK_PX <= height; top += BLOCK_PX)
    for (let left = 0; left + BLOCK_PX <= width; left += BLOCK_PX) {
      const label = labels[top * width + left]!;
      if (label < 0) continue;
      const sum = planes.map(() => 0);
      let isOne = true;
      for (let y = top; y < top + BLOCK_PX && isOne; y++)
        for (let x = left; x < left + BLOCK_PX; x++) {
          const pixel = y * width + x;
          isOne &&= labels[pixel] === label;
          for (let axis = 0; axis < planes.length; axis++) sum[axis]! += planes[axis]![pixel]!;
        }
      if (!isOne) continue;
      blocks++;
      const mean = sum.map((value) => value / BLOCK_PX ** 2);
      if (squareApart(mean, colors[label]!.at) > BLOCK_OFF_MAX ** 2) shaded++;
    }
  return shaded > SHADED_MAX * blocks;
}

/** Expresses every pixel as a mixture of two colours; even pixels have one. */
function mixturesOf(
  { width, height, planes }: Planes,
  labels: Int8Array,
  colors: readonly FlatColor[],
  { areaColors, isLine }: { readonly areaColors: number; readonly isLine: Uint8Array },
): Mixtures {
  const ones = labels.slice();
  const others = labels.slice();
  const shares = new Float32Array(labels.length);
  const far = new Int8Array(labels.length).fill(-1);
  const all = [...colors.keys()];
  const ofLines = all.slice(areaColors);
  for (let pixel = 0; pixel < labels.length; pixel++) {
    if (labels[pixel]! >= 0) continue;
    const at = sampleAt(planes, pixel);
    const near = colorsNear(labels, pixel, width, height);
    let best = bestMixture(at, near, near, colors);
    if (best.off > MIXTURE_OFF_MAX ** 2) {
      const from = near.length > 0 ? near : all;
      const line = isLine[pixel] === 1 ? bestMixture(at, from, ofLines, colors) : undefined;
      const other = line && line.off <= MIXTURE_OFF_MAX ** 2 ? line : bestMixture(at, from, all, colors);
      if (FAR_GAIN * other.off < best.off) {
        best = other;
        far[pixel] = other.other;
      }
    }
    const isSecond = best.share > 0.5;
    ones[pixel] = isSecond ? best.other : best.one;
    others[pixel] = isSecond ? best.one : best.other;
    shares[pixel] = isSecond ? 1 - best.share : best.share;
  }
  return { ones, others, shares, far };
}

function colorsNear(labels: Int8Array, pixel: number, width: number, height: number): number[] {
  const x = pixel % width;
  const y = (pixel - x) / width;
  const found: number[] = [];
  for (const reach of REACHES) {
    for (let down = Math.max(0, y - reach); down <= Math.min(height - 1, y + reach); down++)
      for (let across = Math.max(0, x - reach); across <= Math.min(width - 1, x + reach); across++) {
        const label = labels[down * width + across]!;
        if (label >= 0 && !found.includes(label)) found.push(label);
      }
    if (found.length > 1) break;
  }
  return found;
}

function bestMixture(
  at: Sample,
  ones: readonly number[],
  others: readonly number[],
  colors: readonly FlatColor[],
) {
  let best = { one: ones[0] ?? 0, other: ones[0] ?? 0, share: 0, off: Infinity };
  for (const one of ones)
    for (const other of others) {
      const { share, off } = mixtureOf(at, colors[one]!.at, colors[other]!.at);
      if (off < best.off) best = { one, other, share, off };
    }
  return best;
}

/** The share of the second in the nearest mixture, and its squared distance. */
function mixtureOf(at: Sample, one: Sample, other: Sample): { share: number; off: number } {
  let [along, length] = [0, 0];
  for (let axis = 0; axis < at.length; axis++) {
    const step = other[axis]! - one[axis]!;
    along += (at[axis]! - one[axis]!) * step;
    length += step * step;
  }
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, along / length));
  let off = 0;
  for (let axis = 0; axis < at.length; axis++)
    off += (at[axis]! - one[axis]! - share * (other[axis]! - one[axis]!)) ** 2;
  return { share, off };
}

/** Assigns a single colour to pixels with a small share of a colour that is not adjacent. */
function dropRinging({ ones, others, shares }: Mixtures, width: number, height: number): void {
  for (let pixel = 0; pixel < ones.length; pixel++) {
    const share = shares[pixel]!;
    if (share === 0 || share >= RINGING_MAX) continue;
    const x = pixel % width;
    const y = (pixel - x) / width;
    const other = others[pixel]!;
    let isBeside = false;
    for (let down = Math.max(0, y - 1); down <= Math.min(height - 1, y + 1); down++)
      for (let across = Math.max(0, x - 1); across <= Math.min(width - 1, x + 1); across++)
        isBeside ||= ones[down * width + across] === other;
    if (!isBeside) shares[pixel] = 0;
  }
}

/** Keeps lines connected that are partly narrower than a pixel: those of colours without areas. */
function strengthenLines({ ones, others, shares }: Mixtures, areaColors: number): void {
  for (let pixel = 0; pixel < ones.length; pixel++) {
    const share = LINE_GAIN * shares[pixel]!;
    if (others[pixel]! < areaColors || ones[pixel]! >= areaColors) continue;
    if (share > 0.5) [ones[pixel], others[pixel]] = [others[pixel]!, ones[pixel]!];
    shares[pixel] = share > 0.5 ? Math.max(0, 1 - share) : share;
  }
}

/**
 * Sharpens edges to a width of one pixel. The edge width of two colours is the sum of 4 s (1 - s) over their pixels,
 * which is 2/3 per pixel of length for an edge one pixel wide; the length is the number of steps between their pixels
 * times π / 4 (Cauchy and Crofton).
 */
function narrowEdges({ ones, others, shares }: Mixtures, width: number, height: number, count: number): void {
  const soft = new Float64Array(count * count);
  const steps = new Float64Array(count * count);
  const pairOf = (one: number, other: number): number => Math.min(one, other) * count + Math.max(one, other);
  for (let pixel = 0; pixel < ones.length; pixel++) {
    const share = shares[pixel]!;
    if (share > 0) soft[pairOf(ones[pixel]!, others[pixel]!)]! += 4 * share * (1 - share);
    const x = pixel % width;
    if (x + 1 < width) steps[pairOf(ones[pixel]!, ones[pixel + 1]!)]!++;
    if (pixel + width < width * height) steps[pairOf(ones[pixel]!, ones[pixel + width]!)]!++;
  }
  for (let pixel = 0; pixel < ones.length; pixel++) {
    const share = shares[pixel]!;
    if (share === 0) continue;
    const pair = pairOf(ones[pixel]!, others[pixel]!);
    const edgeWidth = (1.5 * soft[pair]!) / Math.max(1, (steps[pair]! * Math.PI) / 4);
    const narrowed =
      edgeWidth <= HARD_WIDTH_MAX ? 0 : Math.max(0, 0.5 + (share - 0.5) * Math.max(1, edgeWidth));
    shares[pixel] = Math.round(narrowed * SHARE_STEPS) / SHARE_STEPS;
  }
}

function restoredOf(
  { width, height }: Raster,
  { ones, others, shares }: Mixtures,
  colors: readonly FlatColor[],
): Restored {
  const values: number[] = [];
  const counts: number[] = [];
  const known = new Map<number, number>();
  const idOf = (one: number, other: number, share: number): number => {
    const key = (one * colors.length + other) * (SHARE_STEPS + 1) + share * SHARE_STEPS;
    const found = known.get(key);
    if (found !== undefined) return found;
    const [from, to] = [colors[one]!.rgba, colors[other]!.rgba];
    known.set(key, counts.length);
    values.push(...from.map((value, channel) => value + share * (to[channel]! - value)));
    return counts.push(0) - 1;
  };
  const cores = [...colors.keys()].map((color) => idOf(color, color, 0));
  const data = new Uint8Array(4 * ones.length);
  const ids = new Int32Array(ones.length);
  for (let pixel = 0; pixel < ones.length; pixel++) {
    const share = shares[pixel]!;
    const id = idOf(ones[pixel]!, share > 0 ? others[pixel]! : ones[pixel]!, share);
    ids[pixel] = id;
    counts[id]!++;
    const opacity = values[4 * id + 3]! / 255;
    data[4 * pixel + 3] = Math.round(255 * opacity);
    for (let channel = 0; opacity > 0 && channel < 3; channel++)
      data[4 * pixel + channel] = Math.round(values[4 * id + channel]! / opacity);
  }
  const table: ColorTable = { width, height, values: Float64Array.from(values), counts, ids };
  return {
    picture: { width, height, channels: 4, data },
    areas: {
      cores,
      labels: Int16Array.from(ones),
      isMixed: Uint8Array.from(shares, (share) => (share > 0 ? 1 : 0)),
      others: Int16Array.from(others),
      shares,
      table,
    },
  };
}
