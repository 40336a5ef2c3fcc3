import { sharp } from '../codecs/sharp.ts';
import { lumaOf } from '../pixels/luma.ts';
import type { Size } from '../pixels/plane.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { flattenedColors } from './flattened_colors.ts';

/** Side in source pixels of the blocks that are assessed as a unit. */
export const BLOCK_PX = 8;
/** Radius in pixels of the analysed neighbourhood. */
const REACH = 2;
/** Expected error, of 255 levels, from which a block counts as invented. */
const INVENTED_LEVELS = 8;

/**
 * Weights of the log expected error, fitted on fifteen images of published sets (docs/concepts/quality.md): departure from the source,
 * first differences, third differences, mixed differences; 1 at a scale of 2; constant 1.
 */
const WEIGHTS: readonly number[] = [0.245, -0.753, 0.916, 0.297, -0.42, -0.05];

/** Blocks, row by row, with the expected mean luma error of the enlarged image in levels. */
interface ExpectedError extends Size {
  readonly levels: Float32Array;
}

/** Number of blocks across and down; a partial block at the right or lower edge counts. */
const blocksOf = ({ width, height }: Size): Size => ({
  width: Math.ceil(width / BLOCK_PX),
  height: Math.ceil(height / BLOCK_PX),
});

/**
 * Estimates the error of an enlarged image without a reference, from its departure from the source and the roughness there, both at source
 * size. Enlargement is uncertain where structure is as fine as pixels, and hardly elsewhere.
 * @param reduced the enlarged image at the size of the source
 * @param scale enlargement factor; fitted at 2 and 4
 */
export function estimateError(source: DeepRaster, reduced: DeepRaster, scale: number): ExpectedError {
  const blocks = blocksOf(source);
  const levels = new Float32Array(blocks.width * blocks.height);
  for (let row = 0; row < blocks.height; row += 1) {
    const features = rowFeatures(source, reduced, row);
    for (let column = 0; column < blocks.width; column += 1)
      levels[row * blocks.width + column] = errorOf(features[column]!, scale);
  }
  return { ...blocks, levels };
}

/** Expected error in levels of a block with these features. */
function errorOf(features: readonly number[], scale: number): number {
  const sum = explain(features, scale).reduce((total, value, at) => total + value * WEIGHTS[at]!, 0);
  return Math.min(255, Math.exp(sum));
}

/** The regressors, in the order of WEIGHTS. */
const explain = (features: readonly number[], scale: number): number[] => [
  ...features.map((value) => Math.log1p(value)),
  scale <= 2 ? 1 : 0,
  1,
];

/** Percentage of blocks with an expected error above 8 of 255 levels. */
export const inventedPercent = ({ levels }: ExpectedError): number =>
  Math.round((1000 * levels.filter((level) => level > INVENTED_LEVELS).length) / levels.length) / 10;

/** Mean features of each block of one row: departure, first differences, third differences, mixed differences. */
function rowFeatures(source: DeepRaster, reduced: DeepRaster, row: number): number[][] {
  const { width, height } = source;
  const [from, to] = [row * BLOCK_PX, Math.min(height, (row + 1) * BLOCK_PX)];
  const [made, sent] = [reduced, source].map((picture) => brightness(picture, from - REACH, to + REACH));
  const at = (x: number, y: number) =>
    made![(y - from + REACH) * width + Math.min(width - 1, Math.max(0, x))]!;
  return Array.from({ length: Math.ceil(width / BLOCK_PX) }, (_, column) => {
    const sums = [0, 0, 0, 0];
    const right = Math.min(width, (column + 1) * BLOCK_PX);
    for (let y = from; y < to; y += 1)
      for (let x = column * BLOCK_PX; x < right; x += 1) {
        const here = at(x, y);
        sums[0]! += Math.abs(here - sent![(y - from + REACH) * width + x]!);
        sums[1]! += Math.hypot(at(x + 1, y) - here, at(x, y + 1) - here);
        sums[2]! += Math.hypot(
          at(x + 2, y) - 3 * at(x + 1, y) + 3 * here - at(x - 1, y),
          at(x, y + 2) - 3 * at(x, y + 1) + 3 * here - at(x, y - 1),
        );
        const corners = at(x - 1, y - 1) + at(x + 1, y - 1) + at(x - 1, y + 1) + at(x + 1, y + 1);
        const sides = at(x, y - 1) + at(x - 1, y) + at(x + 1, y) + at(x, y + 1);
        sums[3]! += Math.abs(corners - 2 * sides + 4 * here);
      }
    return sums.map((sum) => sum / ((to - from) * (right - column * BLOCK_PX)));
  });
}

/** Luma of rows `from` to `to`; rows outside repeat the nearest row inside. */
function brightness(picture: DeepRaster, from: number, to: number): Float32Array {
  const { width, height } = picture;
  const [top, bottom] = [Math.max(0, from), Math.min(height, to)];
  const seen = flattenedColors(picture, { left: 0, top, width, height: bottom - top });
  const luma = new Float32Array(width * (to - from));
  for (let y = from; y < to; y += 1) {
    const inside = Math.min(bottom - 1, Math.max(top, y)) - top;
    for (let x = 0; x < width; x += 1) {
      const pixel = 3 * (inside * width + x);
      luma[(y - from) * width + x] = lumaOf(seen[pixel]!, seen[pixel + 1]!, seen[pixel + 2]!);
    }
  }
  return luma;
}

/** Longer side of a map. */
const SIDE_PX = 512;
/** Expected error, in levels, drawn as white. */
const WHITE_LEVELS = 32;

export interface DetailMap extends Size {
  /** A greyscale PNG. */
  readonly bytes: Buffer;
  readonly inventedPercent: number;
}

/**
 * Draws a small greyscale map of the expected error: black where detail is from the source, lighter where more is invented.
 * @param size of the source; determines the aspect ratio
 */
export async function drawExpectedError(expected: ExpectedError, size: Size): Promise<DetailMap> {
  const { width, height, levels } = expected;
  const grey = Buffer.from(levels.map((level) => Math.min(255, Math.round((255 * level) / WHITE_LEVELS))));
  const share = Math.min(1, SIDE_PX / Math.max(size.width, size.height));
  const [wide, high] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * share)));
  const { data, info } = await sharp(grey, { raw: { width, height, channels: 1 } })
    .resize({ width: wide!, height: high!, fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .png()
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, inventedPercent: inventedPercent(expected) };
}
