import { encodeLight, lightTable } from '../../editor/light_tables.ts';
import { gaussianBlur } from '../../pixels/gaussian_blur.ts';
import { oklabOf } from '../../pixels/oklab.ts';
import type { Plane, Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';

/** What a white, unprinted place of the surface would give back at each pixel, in linear light. */
export interface SurfaceLight {
  readonly table: Float32Array;
  /** Paper and white cloth: the photo itself is what white art would look like. */
  readonly isWhite: boolean;
  /** Else: luminance of the bare surface in full light, and what white art shows there. */
  readonly bare: number;
  readonly level: number;
}

/** Luminance of linear light, of sRGB's primaries. IEC 61966-2-1 */
export const luminanceOf = (red: number, green: number, blue: number): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Shadows on a dark surface are mostly noise: so much light is added to both sides of the ratio. */
const NOISE = 0.015;
/** Gloss brightens art by this at most. */
const GLOSS_MAX = 1.15;
/** A white surface gives back at least so much light, and has at most so much colour. */
const WHITE_LIGHT = 0.2;
const WHITE_CHROMA = 0.045;

/** @param places positions of pixels of the surface that nothing hides */
export function surfaceLight(photo: Raster, places: Int32Array): SurfaceLight {
  const table = lightTable(photo);
  const { data } = photo;
  const lightAt = (at: number): number =>
    luminanceOf(table[data[3 * at]!]!, table[data[3 * at + 1]!]!, table[data[3 * at + 2]!]!);
  const lights = Float32Array.from(places, lightAt);
  const ordered = lights.toSorted();
  const [low, high] = [
    ordered[Math.floor(0.7 * ordered.length)]!,
    ordered[Math.floor(0.95 * ordered.length)]!,
  ];
  const sums = [0, 0, 0];
  let count = 0;
  for (const [index, at] of places.entries()) {
    if (lights[index]! < low || lights[index]! > high) continue;
    count += 1;
    for (let channel = 0; channel < 3; channel += 1) sums[channel]! += table[data[3 * at + channel]!]!;
  }
  const [red, green, blue] = sums.map((sum) => sum / Math.max(1, count)) as [number, number, number];
  const bare = luminanceOf(red, green, blue);
  const [, a, b] = oklabOf(255 * encodeLight(red), 255 * encodeLight(green), 255 * encodeLight(blue));
  const isWhite = bare >= WHITE_LIGHT && Math.hypot(a, b) <= WHITE_CHROMA;
  return { table, isWhite, bare, level: brightest(photo, lightAt) };
}

/** White in the light of the photo: its brightest places, as far as there are any. */
function brightest({ width, height }: Size, lightAt: (at: number) => number): number {
  const step = Math.max(1, Math.floor((width * height) / 20_000));
  const samples = Float32Array.from({ length: Math.floor((width * height) / step) }, (_, index) =>
    lightAt(index * step),
  ).sort();
  return Math.max(0.55, Math.min(0.92, samples[Math.floor(0.98 * samples.length)]!));
}

/** What white art gives back where the bare surface gives back this light, into `out`. */
export function whiteOf(
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

/** Folds are this wide, as a part of the surface, and shift art by at most this part of it. */
const FOLD = 0.012;
const SHIFT_MAX = 0.02;
const SHIFT = 0.9;

/** How far folds shift art at each pixel, in pixels: towards where it darkens, for what lies in a fold is hidden. */
export function foldShifts(photo: Raster, light: SurfaceLight, width: number): { x: Plane; y: Plane } {
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
  const sigma = Math.max(1, FOLD * width);
  const even = gaussianBlur(brightness, sigma).data;
  const most = SHIFT_MAX * width;
  const shift = (from: number, to: number): number =>
    Math.max(-most, Math.min(most, (SHIFT * sigma * sigma * (even[to]! - even[from]!)) / 2));
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
