import type { Rgba } from '../color/css_color.ts';
import type { Size } from '../pixels/plane.ts';
import { createCoverage } from '../vectorize/coverage.ts';
import type { Region } from './layer.ts';
import type { Outlines } from './outline.ts';

/** Coverage of each pixel of a region, 0 to 255. */
export interface Mask extends Region {
  readonly data: Uint8Array;
}

/** The region that groups of outlines touch, extended by a margin and clipped to the canvas. Undefined if empty. */
export function regionOf(groups: readonly Outlines[], margin: number, canvas: Size): Region | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const outlines of groups)
    for (const points of outlines)
      for (let at = 0; at < points.length; at += 2) {
        left = Math.min(left, points[at]!);
        right = Math.max(right, points[at]!);
        top = Math.min(top, points[at + 1]!);
        bottom = Math.max(bottom, points[at + 1]!);
      }
  const from = { left: Math.max(0, Math.floor(left - margin)), top: Math.max(0, Math.floor(top - margin)) };
  const width = Math.min(canvas.width, Math.ceil(right + margin)) - from.left;
  const height = Math.min(canvas.height, Math.ceil(bottom + margin)) - from.top;
  return width > 0 && height > 0 ? { ...from, width, height } : undefined;
}

/** The smallest region that contains both. */
export function joinRegions(one: Region | undefined, other: Region | undefined): Region | undefined {
  if (!one || !other) return one ?? other;
  const [left, top] = [Math.min(one.left, other.left), Math.min(one.top, other.top)];
  const right = Math.max(one.left + one.width, other.left + other.width);
  const bottom = Math.max(one.top + one.height, other.top + other.height);
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Antialiased coverage of filled outlines in a region: exact, except for overlaps within one pixel. Each group is filled separately and
 * coverage adds up where groups meet, so that joined letters show no seam.
 */
export function coverageMask(groups: readonly Outlines[], region: Region): Mask {
  const { left, top, width, height } = region;
  const data = new Uint8Array(width * height);
  const cover = createCoverage(width, height);
  for (const outlines of groups) {
    if (outlines.length === 0) continue;
    const moved = outlines.map((points) => points.map((value, at) => value - (at % 2 === 0 ? left : top)));
    const { left: x0, top: y0, width: across, height: down, shares } = cover(moved);
    const columns = Math.min(across, width - x0);
    for (let y = 0; y < down; y += 1)
      for (let x = 0; x < columns; x += 1) {
        const share = shares[y * across + x]!;
        if (share === 0) continue;
        const at = (y0 + y) * width + x0 + x;
        data[at] = Math.min(255, data[at]! + Math.round(255 * share));
      }
  }
  return { ...region, data };
}

/** The mask shifted, with subpixel precision, and blurred. Source: three box blurs approximate a Gaussian, W3C Filter Effects 1, 9.5. */
export function shadowOf({ data, width, height, ...place }: Mask, { x, y, sigma }: ShadowShape): Mask {
  const moved = shift({ data, width, height }, x, y);
  const radii = boxRadii(sigma);
  let plane = moved;
  for (const radius of radii)
    plane = boxBlurRows(boxBlurRows(plane, width, height, radius), height, width, radius);
  return { ...place, width, height, data: Uint8Array.from(plane, (value) => Math.round(value)) };
}

/** Standard deviations at which a shadow is cut off. */
const SHADOW_REACH = 3;

/** How far a shadow extends beyond its shape, px. Its blur is two standard deviations. */
export const shadowReach = ({ x, y, blur }: Record<'x' | 'y' | 'blur', number>): number =>
  Math.ceil(Math.max(Math.abs(x), Math.abs(y)) + (SHADOW_REACH * blur) / 2);

interface ShadowShape {
  readonly x: number;
  readonly y: number;
  readonly sigma: number;
}

/** Bilinear, for subpixel shifts. */
function shift(
  { data, width, height }: Pick<Mask, 'data' | 'width' | 'height'>,
  x: number,
  y: number,
): Float32Array {
  const moved = new Float32Array(data.length);
  const [dx, dy] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - dx, y - dy];
  const at = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : data[row * width + column]!;
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const [u, v] = [column - dx, row - dy];
      moved[row * width + column] =
        (1 - fx) * (1 - fy) * at(u, v) +
        (fx && fx * (1 - fy) * at(u - 1, v)) +
        (fy && (1 - fx) * fy * at(u, v - 1)) +
        (fx && fy && fx * fy * at(u - 1, v - 1));
    }
  return moved;
}

/** Radii of three box blurs whose variances add up to sigma². */
function boxRadii(sigma: number): number[] {
  if (sigma <= 0) return [];
  const width = Math.sqrt(4 * sigma * sigma + 1);
  const radius = Math.max(0, Math.round((width - 1) / 2));
  return [radius, radius, radius];
}

/** Blurs rows and returns the transposed plane, so that two calls blur rows and columns. */
function boxBlurRows(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const blurred = new Float32Array(plane.length);
  const scale = 1 / (2 * radius + 1);
  for (let row = 0; row < height; row += 1) {
    const start = row * width;
    let sum = 0;
    for (let x = -radius; x <= radius; x += 1) sum += x >= 0 && x < width ? plane[start + x]! : 0;
    for (let x = 0; x < width; x += 1) {
      blurred[x * height + row] = sum * scale;
      const enters = x + radius + 1;
      const leaves = x - radius;
      sum += (enters < width ? plane[start + enters]! : 0) - (leaves >= 0 ? plane[start + leaves]! : 0);
    }
  }
  return blurred;
}

/** One colour through a mask, or RGBA pixels of the whole region with alpha not premultiplied. */
export type Paint = { readonly mask: Mask; readonly color: Rgba } | { readonly pixels: Uint8Array };

/** Composites paints of one region, the first at the bottom. @returns RGBA, alpha not premultiplied */
export function paintRegion(paints: readonly Paint[], { width, height }: Size, opacity = 1): Uint8Array {
  const pixels = new Uint8Array(4 * width * height);
  for (let at = 0; at < width * height; at += 1) {
    let [red, green, blue, alpha] = [0, 0, 0, 0];
    for (const paint of paints) {
      const isPixels = 'pixels' in paint;
      const share = isPixels
        ? paint.pixels[4 * at + 3]! / 255
        : (paint.mask.data[at]! / 255) * paint.color[3];
      if (share === 0) continue;
      const under = 1 - share;
      red = red * under + (isPixels ? paint.pixels[4 * at]! / 255 : paint.color[0]) * share;
      green = green * under + (isPixels ? paint.pixels[4 * at + 1]! / 255 : paint.color[1]) * share;
      blue = blue * under + (isPixels ? paint.pixels[4 * at + 2]! / 255 : paint.color[2]) * share;
      alpha = alpha * under + share;
    }
    if (alpha === 0) continue;
    pixels[4 * at] = Math.round((255 * red) / alpha);
    pixels[4 * at + 1] = Math.round((255 * green) / alpha);
    pixels[4 * at + 2] = Math.round((255 * blue) / alpha);
    pixels[4 * at + 3] = Math.round(255 * alpha * opacity);
  }
  return pixels;
}
