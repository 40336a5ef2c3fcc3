import { boxMean } from '../pixels/box_mean.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import type { Sides } from './estimate_foreground.ts';
import { upsampleRows } from './resample.ts';

/** Alpha of one row of a larger image. Row `y` of `colors` starts at `y · width` pixels. */
type AlphaRows = (y: number, colors: Raster, into: Float32Array) => void;

const RADIUS = 2;
/** Guided filter regularisation: below this colour variance (colours 0 to 1), alpha is smoothed rather than fitted to the colours. */
const EPSILON = 2e-4;
/** Low-resolution alpha this close to 0 or 1 is kept. */
const ALPHA_SETTLED = 0.004;

/**
 * Upsamples alpha along the edges of the full-size image. Source: He and Sun, "Fast guided filter", 2015: in each window alpha is a linear
 * function of colour; the coefficients are upsampled and applied to the large image.
 */
function guidedAlpha(small: Raster, alpha: Plane, size: { width: number; height: number }): AlphaRows {
  const lines = fitLines(small, alpha);
  const enlarged = [...lines, alpha].map((plane) => upsampleRows(plane, size));
  const rows = enlarged.map(() => new Float32Array(size.width));
  return (y, { channels, data }, into) => {
    for (const [at, row] of rows.entries()) enlarged[at]!(y, row);
    const [red, green, blue, rest, plain] = rows as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    for (let x = 0; x < size.width; x++) {
      const color = (y * size.width + x) * channels;
      const opacity =
        (red[x]! * data[color]! + green[x]! * data[color + 1]! + blue[x]! * data[color + 2]!) / 255 +
        rest[x]!;
      const soft = plain[x]!;
      into[x] =
        soft < ALPHA_SETTLED || soft > 1 - ALPHA_SETTLED
          ? Math.round(soft)
          : Math.min(1, Math.max(0, opacity));
    }
  };
}

/** Mean coefficients of all windows that cover a pixel: three slopes and an offset. */
function fitLines(picture: Raster, alpha: Plane): [Plane, Plane, Plane, Plane] {
  const colors = [0, 1, 2].map((side) => channelOf(picture, side));
  const means = colors.map((plane) => boxMean(plane, RADIUS).data);
  const meanAlpha = boxMean(alpha, RADIUS).data;
  const products = (one: Plane, other: Plane) =>
    boxMean({ ...one, data: one.data.map((value, at) => value * other.data[at]!) }, RADIUS).data;
  const pairs = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const;
  const variances = pairs.map(([one, other]) => products(colors[one]!, colors[other]!));
  const withAlpha = colors.map((plane) => products(plane, alpha));
  const lines = [0, 1, 2, 3].map(() => planeOf(picture));
  for (let pixel = 0; pixel < meanAlpha.length; pixel++) {
    const [r, g, b] = [means[0]![pixel]!, means[1]![pixel]!, means[2]![pixel]!];
    const xx = variances[0]![pixel]! - r * r + EPSILON;
    const xy = variances[1]![pixel]! - r * g;
    const xz = variances[2]![pixel]! - r * b;
    const yy = variances[3]![pixel]! - g * g + EPSILON;
    const yz = variances[4]![pixel]! - g * b;
    const zz = variances[5]![pixel]! - b * b + EPSILON;
    const mean = meanAlpha[pixel]!;
    const [u, v, w] = [
      withAlpha[0]![pixel]! - r * mean,
      withAlpha[1]![pixel]! - g * mean,
      withAlpha[2]![pixel]! - b * mean,
    ];
    const [a, d, e] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
    const over = 1 / (xx * a + xy * d + xz * e);
    const red = (a * u + d * v + e * w) * over;
    const green = (d * u + (xx * zz - xz * xz) * v + (xy * xz - xx * yz) * w) * over;
    const blue = (e * u + (xy * xz - xx * yz) * v + (xx * yy - xy * xy) * w) * over;
    lines[0]!.data[pixel] = red;
    lines[1]!.data[pixel] = green;
    lines[2]!.data[pixel] = blue;
    lines[3]!.data[pixel] = mean - red * r - green * g - blue * b;
  }
  return lines.map((line) => boxMean(line, RADIUS)) as [Plane, Plane, Plane, Plane];
}

function channelOf(picture: Raster, side: number): Plane {
  const plane = planeOf(picture);
  for (let pixel = 0; pixel < plane.data.length; pixel++)
    plane.data[pixel] = picture.data[pixel * picture.channels + side]! / 255;
  return plane;
}

export interface Cutout {
  /** The image as received. */
  readonly picture: Raster;
  /** The image at the size used for matting, possibly reduced. */
  readonly workingImage: Raster;
  readonly alpha: Plane;
  readonly sides: Sides;
  /** The background colours are known, so alpha can be computed for every full-size pixel. */
  readonly isFlat: boolean;
}

/** Output: the object on transparency, the object on a colour, or its alpha as greyscale. */
export type OutputStyle =
  | { kind: 'transparent' }
  | { kind: 'mask' }
  | { kind: 'on_color'; color: readonly [number, number, number] };

/** Writes the result at full size, row by row, so that no other full-size buffer is needed. */
export function compose(cutOut: Cutout, look: OutputStyle): Raster {
  const { picture, workingImage, alpha } = cutOut;
  const { width, height } = picture;
  const channels = { mask: 1, on_color: 3, transparent: 4 }[look.kind] as 1 | 3 | 4;
  const data = new Uint8Array(width * height * channels);
  const opacity = new Float32Array(width);
  const isSameSize = workingImage.width === width && workingImage.height === height;
  const alphaRow = isSameSize ? undefined : guidedAlpha(workingImage, alpha, picture);
  const estimates = sideRows(cutOut);
  const colors = new Float32Array(width * 3);
  for (let y = 0; y < height; y++) {
    if (alphaRow) alphaRow(y, picture, opacity);
    else opacity.set(alpha.data.subarray(y * width, (y + 1) * width));
    const sides = estimates(y);
    if (alphaRow && cutOut.isFlat) alphaFromColors(picture, y, sides, opacity);
    if (look.kind !== 'mask') decontaminateColors(picture, y, { sides, opacity }, colors);
    limitToOwnAlpha(picture, y, opacity);
    writeRow(data, { y, width, opacity, colors }, look);
  }
  return { width, height, channels, data };
}

/** Limits alpha to the image's own alpha channel. */
function limitToOwnAlpha({ width, channels, data }: Raster, y: number, opacity: Float32Array): void {
  if (channels !== 4) return;
  for (let x = 0; x < width; x++) opacity[x]! *= data[(y * width + x) * 4 + 3]! / 255;
}

/** Colour estimates for one row: red, green and blue of the foreground, then of the background. */
type SideRow = readonly Float32Array[];

function sideRows({ picture, sides }: Cutout): (y: number) => SideRow {
  const enlarged = [sides.foreground, sides.background].flatMap((colors) =>
    [0, 1, 2].map((side) => upsampleRows(channelPlane(sides, colors, side), picture)),
  );
  const rows = enlarged.map(() => new Float32Array(picture.width));
  return (y) => {
    for (const [at, row] of rows.entries()) enlarged[at]!(y, row);
    return rows;
  };
}

/**
 * If foreground and background differ by less than this (levels of 0 to 255), alpha is unchanged; from twice this on, it is computed from
 * the colours alone.
 */
const CONTRAST_MIN = 40;

/** Alpha from the position of a pixel's colour between the background and foreground colours. */
function alphaFromColors(
  { width, channels, data }: Raster,
  y: number,
  sides: SideRow,
  opacity: Float32Array,
): void {
  for (let x = 0; x < width; x++) {
    const before = opacity[x]!;
    if (before === 0 || before === 1) continue;
    let [along, length2] = [0, 0];
    for (let side = 0; side < 3; side++) {
      const span = sides[side]![x]! - sides[3 + side]![x]!;
      along += span * (data[(y * width + x) * channels + side]! - sides[3 + side]![x]!);
      length2 += span * span;
    }
    const trust = Math.min(1, Math.max(0, Math.sqrt(length2) / CONTRAST_MIN - 1));
    if (trust > 0) opacity[x] = (1 - trust) * before + trust * Math.min(1, Math.max(0, along / length2));
  }
}

/**
 * Corrects the foreground colours of a row so that compositing over the estimated background reproduces the image; where alpha is 1 they
 * equal the image.
 */
function decontaminateColors(
  { width, channels, data }: Raster,
  y: number,
  { sides, opacity }: { sides: SideRow; opacity: Float32Array },
  into: Float32Array,
): void {
  for (let x = 0; x < width; x++) {
    const alpha = opacity[x]!;
    const gain = alpha / (alpha * alpha + (1 - alpha) * (1 - alpha));
    for (let side = 0; side < 3; side++) {
      const [foreground, background] = [sides[side]![x]!, sides[3 + side]![x]!];
      const seen = data[(y * width + x) * channels + side]!;
      into[x * 3 + side] = foreground + gain * (seen - alpha * foreground - (1 - alpha) * background);
    }
  }
}

function channelPlane({ width, height }: Sides, colors: Float32Array, side: number): Plane {
  return {
    width,
    height,
    data: Float32Array.from({ length: width * height }, (_, pixel) => colors[pixel * 3 + side]!),
  };
}

/** Alpha below half an 8-bit level is transparent. */
const VISIBLE = 0.5 / 255;

function writeRow(
  into: Uint8Array,
  { y, width, opacity, colors }: { y: number; width: number; opacity: Float32Array; colors: Float32Array },
  look: OutputStyle,
): void {
  for (let x = 0; x < width; x++) {
    const alpha = opacity[x]!;
    const pixel = y * width + x;
    if (look.kind === 'mask') {
      into[pixel] = 255 * alpha + 0.5;
    } else if (look.kind === 'on_color') {
      for (let side = 0; side < 3; side++)
        into[pixel * 3 + side] = level(
          alpha * clampLevel(colors[x * 3 + side]!) + (1 - alpha) * look.color[side]!,
        );
    } else if (alpha >= VISIBLE) {
      for (let side = 0; side < 3; side++) into[pixel * 4 + side] = level(colors[x * 3 + side]!);
      into[pixel * 4 + 3] = 255 * alpha + 0.5;
    }
  }
}

const clampLevel = (value: number): number => Math.min(255, Math.max(0, value));
/** Rounds like the typed array that stores it. */
const level = (value: number): number => Math.min(255, clampLevel(value) + 0.5);
