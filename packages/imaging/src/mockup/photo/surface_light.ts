import { encodeLight, lightTable } from '../../editor/light_tables.ts';
import { gaussianBlur } from '../../pixels/gaussian_blur.ts';
import { oklabOf } from '../../pixels/oklab.ts';
import type { Plane, Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';

/** Light that a white, unprinted surface would reflect at each pixel, linear RGB. */
export interface SurfaceLight {
  readonly table: Float32Array;
  /** White paper or cloth: the photo already shows what white artwork would look like. */
  readonly isWhite: boolean;
  /** Otherwise: luminance of the fully lit bare surface, and of white artwork there. */
  readonly bare: number;
  readonly level: number;
}

/** Luminance of linear sRGB (IEC 61966-2-1). */
export const luminanceOf = (red: number, green: number, blue: number): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Added to both sides of the ratio, because shadows on a dark surface are mostly noise. */
const NOISE = 0.015;
/** Highlights brighten the artwork by at most this factor. */
const GLOSS_MAX = 1.15;
/** Smallest luminance and largest chroma of a white surface. */
const WHITE_LIGHT = 0.2;
const WHITE_CHROMA = 0.045;

/**
 * Estimates the shading of the surface.
 * @param positions indices of surface pixels that are not occluded
 */
export function surfaceLight(photo: Raster, positions: Int32Array): SurfaceLight {
  const table = lightTable(photo);
  const { data } = photo;
  const lightAt = (at: number): number =>
    luminanceOf(table[data[3 * at]!]!, table[data[3 * at + 1]!]!, table[data[3 * at + 2]!]!);
  const lights = Float32Array.from(positions, lightAt);
  const ordered = lights.toSorted();
  const [low, high] = [
    ordered[Math.floor(0.7 * ordered.length)]!,
    ordered[Math.floor(0.95 * ordered.length)]!,
  ];
  const sums = [0, 0, 0];
  let count = 0;
  for (const [index, at] of positions.entries()) {
    if (lights[index]! < low || lights[index]! > high) continue;
    count += 1;
    for (let channel = 0; channel < 3; channel += 1) sums[channel]! += table[data[3 * at + channel]!]!;
  }
  const [red, green, blue] = sums.map((sum) => sum / Math.max(1, count)) as [number, number, number];
  const bare = luminanceOf(red, green, blue);
  const [, a, b] = oklabOf(255 * encodeLight(red), 255 * encodeLight(green), 255 * encodeLight(blue));
  const isWhite = bare >= WHITE_LIGHT && Math.hypot(a, b) <= WHITE_CHROMA;
  return { table, isWhite, bare, level: whiteLevel(photo, lightAt) };
}

/** White level of the photo: the 98th percentile of luminance, clamped to 0.55 to 0.92. */
function whiteLevel({ width, height }: Size, lightAt: (at: number) => number): number {
  const step = Math.max(1, Math.floor((width * height) / 20_000));
  const samples = Float32Array.from({ length: Math.floor((width * height) / step) }, (_, index) =>
    lightAt(index * step),
  ).sort();
  return Math.max(0.55, Math.min(0.92, samples[Math.floor(0.98 * samples.length)]!));
}

/** Writes to `out` what white artwork reflects where the bare surface reflects `light`. */
export function whiteArtLight(
  { isWhite, bare, level }: SurfaceLight,
  light: Float64Array,
  out: Float64Array,
): void {
  if (isWhite) {
    out.set(light);
    return;
  }
  const shade = (luminanceOf(light[0]!, light[1]!, light[2]!) + NOISE) / (bare + NOISE);
  out.fill(level * Math.min(GLOSS_MAX, shade));
}

/** Width of folds, and the largest displacement of the artwork, as fractions of the surface. */
const FOLD_WIDTH = 0.012;
const SHIFT_MAX = 0.02;
const SHIFT = 0.9;

/** Displacement map of folds, in pixels: towards darker shading, because a fold hides a part of the surface. */
export function foldDisplacement(photo: Raster, light: SurfaceLight, width: number): { x: Plane; y: Plane } {
  const { width: columns, height: rows, data } = photo;
  const { table, bare } = light;
  const brightness = {
    width: columns,
    height: rows,
    data: Float32Array.from({ length: columns * rows }, (_, at) =>
      Math.min(
        1.5,
        luminanceOf(table[data[3 * at]!]!, table[data[3 * at + 1]!]!, table[data[3 * at + 2]!]!) /
          (bare + NOISE),
      ),
    ),
  };
  const sigma = Math.max(1, FOLD_WIDTH * width);
  const even = gaussianBlur(brightness, sigma).data;
  const maximum = SHIFT_MAX * width;
  const shift = (from: number, to: number): number =>
    Math.max(-maximum, Math.min(maximum, (SHIFT * sigma * sigma * (even[to]! - even[from]!)) / 2));
  const along = (step: number, isInside: (at: number) => boolean): Plane => ({
    width: columns,
    height: rows,
    data: even.map((_, at) => (isInside(at) ? shift(at - step, at + step) : 0)),
  });
  return {
    x: along(1, (at) => at % columns > 0 && at % columns < columns - 1),
    y: along(columns, (at) => at >= columns && at < columns * (rows - 1)),
  };
}
