import type { Size } from '../pixels/plane.ts';
import {
  type Architecture,
  COLORS,
  DENSE_BLOCKS,
  DENSE_CONVOLUTIONS,
  SPAN_CONCATENATED,
  SPAN_CONVOLUTIONS,
  SPAN_FALLBACK_PX,
} from './architecture.ts';
import { planTiles, type TileRules } from './plan_tiles.ts';

/**
 * Feature pixels processed at once; about 3 KB of memory each in the trunk of an RRDBNet, in SPAN and in a compact model, which reuse the
 * memory of a layer for the next.
 */
const TRUNK_PIXELS_MAX = 448 * 448;
const COMPACT_PIXELS_MAX = 640 * 640;
const SPAN_PIXELS_MAX = 384 * 384;
/** The tail of RRDBNet upsamples by this factor, whatever its input scale. */
export const TAIL_SCALE = 4;
/**
 * Tile overlap from which no pixel of a photograph differs by more than one level of 255 from processing the whole image (measured, see
 * docs/decisions/0026-network-files.md). The theoretical receptive field grows by 15 pixels per block.
 */
const TRUNK_OVERLAP_PX = { few: 64, many: 80 };
const FEW_BLOCKS = 8;
const KERNEL = 9;

/** Limits on tiles for a model. */
export function tileRulesOf(architecture: Architecture): TileRules {
  // Each convolution of a compact model extends the receptive field by one pixel, so this overlap is exact.
  if (architecture.kind === 'SRVGGNetCompact')
    return { pixelsMax: COMPACT_PIXELS_MAX, overlapPx: architecture.convolutions + 2, multipleOf: 1 };
  // Exact as well: the convolutions of the blocks, the first, the two 3 × 3 convolutions after them, and the fallback radius.
  if (architecture.kind === 'SPAN')
    return {
      pixelsMax: SPAN_PIXELS_MAX,
      overlapPx: SPAN_CONVOLUTIONS * architecture.blocks + 3 + SPAN_FALLBACK_PX + 1,
      multipleOf: 1,
    };
  const fold = TAIL_SCALE / architecture.scale;
  const { few, many } = TRUNK_OVERLAP_PX;
  return {
    pixelsMax: TRUNK_PIXELS_MAX * fold ** 2,
    overlapPx: (architecture.blocks <= FEW_BLOCKS ? few : many) * fold,
    multipleOf: fold,
  };
}

/** Pixels a model processes for an image of that size, including the overlap of its tiles. */
export function inputPixels({ width, height }: Size, rules: TileRules): number {
  const evenly = (side: number) => Math.ceil(side / rules.multipleOf) * rules.multipleOf;
  const tiles = planTiles(evenly(width), evenly(height), rules).flat();
  return tiles.reduce((sum, { input }) => sum + input.width * input.height, 0);
}

/** Side of the crop that is compared with Lanczos: models process at most 128 × 128 pixels for it, 1 to 2 s for the slowest. */
export const CHECKED_PX = 256;
/** A reduced copy with a shorter side is mostly border, so it is not informative. */
const REDUCED_PX_MIN = 24;

/** Input size for checking an upscale by `scale`: the size of the reduced copy; undefined if the image is too small. */
export function checkedSize({ width, height }: Size, scale: number): Size | undefined {
  const [wide, high] = [width, height].map((side) => Math.floor(Math.min(CHECKED_PX, side) / scale));
  return Math.min(wide!, high!) < REDUCED_PX_MIN ? undefined : { width: wide!, height: high! };
}

/** Multiplications of a model per input pixel. */
export function multiplicationsPerPixel(architecture: Architecture): number {
  if (architecture.kind === 'SRVGGNetCompact') {
    const { features, convolutions, scale } = architecture;
    return KERNEL * features * (COLORS + convolutions * features + COLORS * scale ** 2);
  }
  if (architecture.kind === 'SPAN') {
    const { features, blocks, scale } = architecture;
    const convolved = (SPAN_CONVOLUTIONS * blocks + 1) * features + COLORS + COLORS * scale ** 2;
    return features * (KERNEL * convolved + SPAN_CONCATENATED * features);
  }
  const { features, growth, blocks, scale } = architecture;
  const fold = TAIL_SCALE / scale;
  const dense = Array.from({ length: DENSE_CONVOLUTIONS }, (_, index) => {
    const outputs = index < DENSE_CONVOLUTIONS - 1 ? growth : features;
    return (features + index * growth) * outputs;
  }).reduce((sum, channels) => sum + channels, 0);
  const trunk = COLORS * fold ** 2 * features + blocks * DENSE_BLOCKS * dense + features ** 2;
  // One convolution at twice the size, two and the last one at four times.
  const tail = 4 * features ** 2 + 16 * (2 * features ** 2 + features * COLORS);
  return (KERNEL * (trunk + tail)) / fold ** 2;
}
