import { boxMean } from '../pixels/box_mean.ts';
import { downsample2x } from '../pixels/downsample_2x.ts';
import { luminanceOf } from '../pixels/luma.ts';
import { oklabOf } from '../pixels/oklab.ts';
import type { Plane } from '../pixels/plane.ts';
import { LINEAR } from '../pixels/srgb_transfer.ts';

/** An image as planes for analysis: one value per pixel and plane, rows from the top. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  /** CIE lightness L*, 0 to 100. */
  readonly lightness: Float32Array;
  /** OKLab a (green to red) and b (blue to yellow), about -0.4 to 0.4. */
  readonly a: Float32Array;
  readonly b: Float32Array;
}

/** Rate of change of a plane along x and y, one value per pixel. */
export interface Gradient {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly size: Float32Array;
}

/** Converts 8-bit RGB samples to planes. */
export function planesOf(rgb: Uint8Array, width: number, height: number): Planes {
  const count = width * height;
  const planes = {
    width,
    height,
    lightness: new Float32Array(count),
    a: new Float32Array(count),
    b: new Float32Array(count),
  };
  for (let pixel = 0; pixel < count; pixel++) {
    const [red, green, blue] = [rgb[3 * pixel]!, rgb[3 * pixel + 1]!, rgb[3 * pixel + 2]!];
    const [, a, b] = oklabOf(red, green, blue);
    planes.lightness[pixel] = lightnessOf(red, green, blue);
    planes.a[pixel] = a;
    planes.b[pixel] = b;
  }
  return planes;
}

/** CIE 1976 L* of an 8-bit sRGB colour, by its luminance (IEC 61966-2-1). */
function lightnessOf(red: number, green: number, blue: number): number {
  const luminance = luminanceOf(LINEAR[red]!, LINEAR[green]!, LINEAR[blue]!);
  return luminance > 216 / 24389 ? 116 * Math.cbrt(luminance) - 16 : (24389 / 27) * luminance;
}

/** Half the width and height, each pixel the mean of four; drops an odd last row or column. */
export function halvePlanes({ width, height, lightness, a, b }: Planes): Planes {
  const half = (data: Float32Array) => downsample2x({ width, height, data });
  const light = half(lightness);
  return {
    width: light.width,
    height: light.height,
    lightness: light.data,
    a: half(a).data,
    b: half(b).data,
  };
}

/** Central differences, in units of the plane per pixel; 0 at the edges. */
export function gradientOf(plane: Float32Array, width: number, height: number): Gradient {
  const [x, y, size] = [0, 0, 0].map(() => new Float32Array(plane.length)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let row = 1; row < height - 1; row++)
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      x[at] = (plane[at + 1]! - plane[at - 1]!) / 2;
      y[at] = (plane[at + width]! - plane[at - width]!) / 2;
      size[at] = Math.sqrt(x[at]! * x[at]! + y[at]! * y[at]!);
    }
  return { x, y, size };
}

/** Three box means per direction, approximating a Gaussian of this sigma in pixels; at the edges, only existing pixels are averaged. */
export function blurPlane(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const radius = Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  if (radius < 1) return plane;
  let current: Plane = { width, height, data: plane };
  for (let round = 0; round < 3; round++) current = boxMean(current, radius);
  return current.data;
}

export function meanOf(plane: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < plane.length; at++) sum += plane[at]!;
  return sum / Math.max(1, plane.length);
}

/** Histogram of L* in tenths, 0 to 1000. */
export function levelsOf(lightness: Float32Array): Uint32Array {
  const levels = new Uint32Array(1001);
  for (const value of lightness) levels[Math.round(10 * Math.min(100, Math.max(0, value)))]!++;
  return levels;
}

/** L* below which this fraction (0 to 1) of the pixels is. */
export function levelBelow(levels: Uint32Array, part: number): number {
  const total = levels.reduce((sum, count) => sum + count, 0);
  let below = 0;
  const level = levels.findIndex((count) => {
    below += count;
    return below > part * total;
  });
  return level < 0 ? 100 : level / 10;
}

/** Value below which this fraction (0 to 1) of the numbers is. */
export function quantile(sorted: ArrayLike<number>, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** Pearson's correlation; 0 if either does not vary. */
export function correlation(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const [meanOne, meanOther] = [meanOf(one), meanOf(other)];
  let [both, squareOne, squareOther] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [u, v] = [one[at]! - meanOne, other[at]! - meanOther];
    both += u * v;
    squareOne += u * u;
    squareOther += v * v;
  }
  const size = Math.sqrt(squareOne * squareOther);
  return size < 1e-9 ? 0 : both / size;
}
