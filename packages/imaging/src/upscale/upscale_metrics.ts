import { lumaPlane } from '../pixels/luma.ts';
import type { Raster } from '../pixels/raster.ts';

/** No-reference quality metrics of an upscaled image. */
export interface UpscaleMetrics {
  /** Steepness of edges relative to the Lanczos kernel at the same scale, which has 1. */
  readonly sharpness: number;
  /** Mean gradient of the whole image, likewise: steep edges between flat areas have little of it. */
  readonly detail: number;
  /** Mean gradient in the least textured quarter of the source blocks, likewise: above 1 noise was amplified, below 1 reduced. */
  readonly noise: number;
  /** Mean distance, in levels of 255, by which luminance leaves the range of the nine source pixels around it: halos, invented contrast. */
  readonly overshootLevels: number;
  /** Root-mean-square difference, in levels, between the downsampled result and the source: changed or invented content. */
  readonly departureLevels: number;
}

/**
 * @param large dimensions are an integer multiple of the source
 * @param plain the same, by the Lanczos kernel
 */
export function measureUpscale(source: Raster, large: Raster, plain: Raster): UpscaleMetrics {
  const [own, kernel] = [slopes(large), slopes(plain)];
  return {
    sharpness: ratio(own.rootMeanSquare, kernel.rootMeanSquare),
    detail: ratio(own.mean, kernel.mean),
    noise: noiseAgainst(source, large, plain),
    overshootLevels: overshoot(source, large),
    departureLevels: departure(source, large),
  };
}

/** Without edges, as in an image of one colour or one pixel, both are equal. */
const ratio = (own: number, kernel: number): number => (kernel < FLAT_LEVELS ? 1 : own / kernel);

/** Gradients below this are rounding errors. */
const FLAT_LEVELS = 0.25;

/** Luminance gradient. The root mean square distinguishes steep from gentle edges, which have the same mean. */
function slopes(picture: Raster): { mean: number; rootMeanSquare: number } {
  const { width, height } = picture;
  const light = lumaPlane(picture).data;
  let [sum, squares] = [0, 0];
  for (let y = 0; y + 1 < height; y += 1)
    for (let x = 0; x + 1 < width; x += 1) {
      const at = y * width + x;
      const square = (light[at + 1]! - light[at]!) ** 2 + (light[at + width]! - light[at]!) ** 2;
      sum += Math.sqrt(square);
      squares += square;
    }
  const count = Math.max(1, (width - 1) * (height - 1));
  return { mean: sum / count, rootMeanSquare: Math.sqrt(squares / count) };
}

/** Side of a source block in pixels. */
const BLOCK_PX = 8;

function noiseAgainst(source: Raster, large: Raster, plain: Raster): number {
  const blocks = blockSlopes(source, 1)
    .map((slope, at) => ({ slope, at }))
    .sort((one, other) => one.slope - other.slope);
  const calm = blocks.slice(0, Math.ceil(blocks.length / 4)).map(({ at }) => at);
  const [own, kernel] = [large, plain].map((picture) => {
    const slopes = blockSlopes(picture, large.width / source.width);
    return calm.reduce((sum, at) => sum + slopes[at]!, 0) / calm.length;
  });
  return ratio(own!, kernel!);
}

/** Mean gradient in each source block, in an image that is `scale` times as large. */
function blockSlopes(picture: Raster, scale: number): number[] {
  const { width, height } = picture;
  const side = BLOCK_PX * scale;
  const columns = Math.ceil(width / side);
  const light = lumaPlane(picture).data;
  const sums = new Float64Array(columns * Math.ceil(height / side));
  for (let y = 0; y + 1 < height; y += 1)
    for (let x = 0; x + 1 < width; x += 1) {
      const at = y * width + x;
      const step = Math.hypot(light[at + 1]! - light[at]!, light[at + width]! - light[at]!);
      sums[Math.floor(y / side) * columns + Math.floor(x / side)]! += step;
    }
  return Array.from(sums, (sum, at) => {
    const [wide, high] = [
      Math.min(side, width - (at % columns) * side),
      Math.min(side, height - Math.floor(at / columns) * side),
    ];
    return sum / (wide * high);
  });
}

function overshoot(source: Raster, large: Raster): number {
  const scale = large.width / source.width;
  const [small, light] = [lumaPlane(source).data, lumaPlane(large).data];
  let sum = 0;
  for (let y = 0; y < source.height; y += 1)
    for (let x = 0; x < source.width; x += 1) {
      let [low, high] = [255, 0];
      for (let row = Math.max(0, y - 1); row <= Math.min(source.height - 1, y + 1); row += 1)
        for (let column = Math.max(0, x - 1); column <= Math.min(source.width - 1, x + 1); column += 1) {
          low = Math.min(low, small[row * source.width + column]!);
          high = Math.max(high, small[row * source.width + column]!);
        }
      for (let row = 0; row < scale; row += 1)
        for (let column = 0; column < scale; column += 1) {
          const value = light[(y * scale + row) * large.width + x * scale + column]!;
          sum += Math.max(0, low - value, value - high);
        }
    }
  return sum / light.length;
}

function departure(source: Raster, large: Raster): number {
  const scale = large.width / source.width;
  let sum = 0;
  for (let index = 0; index < source.data.length; index += 1) {
    const [color, pixel] = [index % 3, Math.floor(index / 3)];
    const [x, y] = [pixel % source.width, Math.floor(pixel / source.width)];
    let total = 0;
    for (let row = 0; row < scale; row += 1)
      for (let column = 0; column < scale; column += 1)
        total += large.data[((y * scale + row) * large.width + x * scale + column) * 3 + color]!;
    sum += (total / scale ** 2 - source.data[index]!) ** 2;
  }
  return Math.sqrt(sum / source.data.length);
}
