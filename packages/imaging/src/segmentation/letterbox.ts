import type { Raster } from '../pixels/raster.ts';

/** A rectangle in pixels. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Video and JPEG black, in levels of 0 to 255. */
const BLACK_MAX = 24;
/** Share of black pixels in a row of a bar; compression artefacts affect a few pixels. */
const BAR_SHARE_MIN = 0.995;
/**
 * Share of a row that must not be black just inside a bar, for a straight frame edge. An object on a black background begins with a few
 * pixels.
 */
const FRAME_SHARE_MIN = 0.5;
/** Ambiguous rows between bar and frame, caused by scaling. */
const EDGE_ROWS = 3;
/** Limits as fractions of the side: thinner bars are harmless; thicker ones leave no usable image. */
const BAR_MIN = 0.02;
const BAR_MAX = 0.4;

/**
 * Detects the frame inside the black bars of a letterboxed or pillarboxed image: pairs of bars on opposite sides with a straight edge.
 * @returns undefined if there are no bars
 */
export function findFrame(picture: Raster): Region | undefined {
  const rows = barsAlong(darkShares(picture, 'rows'));
  const columns = barsAlong(darkShares(picture, 'columns'));
  if (!rows && !columns) return undefined;
  const [top, bottom] = rows ?? [0, picture.height];
  const [left, right] = columns ?? [0, picture.width];
  return { left, top, width: right - left, height: bottom - top };
}

/** Share of black pixels in each row or column. */
function darkShares({ width, height, channels, data }: Raster, along: 'rows' | 'columns'): Float32Array {
  const counts = new Float32Array(along === 'rows' ? height : width);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * channels;
    if (Math.max(data[at]!, data[at + 1]!, data[at + 2]!) > BLACK_MAX) continue;
    counts[along === 'rows' ? Math.floor(pixel / width) : pixel % width]! += 1;
  }
  const length = along === 'rows' ? width : height;
  return counts.map((count) => count / length);
}

/** Start and end of the frame, if there are bars on both sides of it. */
function barsAlong(dark: Float32Array): [number, number] | undefined {
  const before = dark.findIndex((share) => share < BAR_SHARE_MIN);
  const after = dark.findLastIndex((share) => share < BAR_SHARE_MIN);
  const bars = [before, dark.length - 1 - after];
  if (before < 0 || bars.some((bar) => bar < BAR_MIN * dark.length || bar > BAR_MAX * dark.length))
    return undefined;
  const isFrame = (edge: number, step: 1 | -1) =>
    Array.from({ length: EDGE_ROWS }, (_, row) => dark[edge + step * row] ?? 1).some(
      (share) => 1 - share >= FRAME_SHARE_MIN,
    );
  return isFrame(before, 1) && isFrame(after, -1) ? [before, after + 1] : undefined;
}

/** Crops a raster to a region. */
export function cropRaster({ width, channels, data }: Raster, region: Region): Raster {
  const cropped = new Uint8Array(region.width * region.height * channels);
  for (let y = 0; y < region.height; y++) {
    const from = ((region.top + y) * width + region.left) * channels;
    cropped.set(data.subarray(from, from + region.width * channels), y * region.width * channels);
  }
  return { width: region.width, height: region.height, channels, data: cropped };
}
