import type { Size } from '../pixels/plane.ts';
import {
  type Architecture,
  COLORS,
  DENSE_BLOCKS,
  DENSE_CONVOLUTIONS,
  SPAN_CONVOLUTIONS,
  SPAN_JOINED,
  SPAN_YIELDING_PX,
} from './architecture.ts';
import { planTiles, type TileRules } from './plan_tiles.ts';

/**
 * Pixels of features a network works on at once; about 3 KB of memory each in the trunk of an RRDBNet, 3 KB in SPAN and a
 * compact network, which keep the memory of a layer for the next.
 */
const TRUNK_PIXELS_MAX = 448 * 448;
const COMPACT_PIXELS_MAX = 640 * 640;
const SPAN_PIXELS_MAX = 384 * 384;
/** RRDBNet enlarges in its tail by this much, whatever it does to the picture before. */
export const TAIL_SCALE = 4;
/**
 * Surroundings after which no pixel of a photograph differs by more than one level of 255 from the whole picture at once
 * (measured, see docs/decisions/0026-network-files.md). What could matter in principle reaches 15 pixels further for every block.
 */
const TRUNK_CONTEXT_PX = { few: 64, many: 80 };
const FEW_BLOCKS = 8;
const KERNEL = 9;

/** What a network may be given at once. */
export function rulesOf(architecture: Architecture): TileRules {
  // Each convolution of a compact network sees one pixel further, so this much decides exactly.
  if (architecture.kind === 'SRVGGNetCompact')
    return { pixelsMax: COMPACT_PIXELS_MAX, contextPx: architecture.convolutions + 2, multipleOf: 1 };
  // Likewise: those of the blocks, the first, the two after them that look around, and what gives way to resampling.
  if (architecture.kind === 'SPAN')
    return {
      pixelsMax: SPAN_PIXELS_MAX,
      contextPx: SPAN_CONVOLUTIONS * architecture.blocks + 3 + SPAN_YIELDING_PX + 1,
      multipleOf: 1,
    };
  const fold = TAIL_SCALE / architecture.scale;
  const { few, many } = TRUNK_CONTEXT_PX;
  return {
    pixelsMax: TRUNK_PIXELS_MAX * fold ** 2,
    contextPx: (architecture.blocks <= FEW_BLOCKS ? few : many) * fold,
    multipleOf: fold,
  };
}

/** Pixels the network sees of a picture of that size: its own, and again what tiles share with their neighbours. */
export function pixelsSeen({ width, height }: Size, rules: TileRules): number {
  const evenly = (side: number) => Math.ceil(side / rules.multipleOf) * rules.multipleOf;
  const tiles = planTiles(evenly(width), evenly(height), rules).flat();
  return tiles.reduce((sum, { seen }) => sum + seen.width * seen.height, 0);
}

/** Side of the part that is checked against Lanczos: networks see at most 128 × 128 pixels for it, which takes the slowest 1 to 2 s. */
export const CHECKED_PX = 256;
/** Shorter sides of its reduced copy tell too little: most of it is edge. */
const REDUCED_PX_MIN = 24;

/** What networks are given to check an enlarging by `scale`: the size of the reduced copy; undefined where the picture is too small. */
export function checkedSize({ width, height }: Size, scale: number): Size | undefined {
  const [wide, high] = [width, height].map((side) => Math.floor(Math.min(CHECKED_PX, side) / scale));
  return Math.min(wide!, high!) < REDUCED_PX_MIN ? undefined : { width: wide!, height: high! };
}

/** Multiplications of a network for each pixel it sees. */
export function multiplicationsPerPixel(architecture: Architecture): number {
  if (architecture.kind === 'SRVGGNetCompact') {
    const { features, convolutions, scale } = architecture;
    return KERNEL * features * (COLORS + convolutions * features + COLORS * scale ** 2);
  }
  if (architecture.kind === 'SPAN') {
    const { features, blocks, scale } = architecture;
    const convolved = (SPAN_CONVOLUTIONS * blocks + 1) * features + COLORS + COLORS * scale ** 2;
    return features * (KERNEL * convolved + SPAN_JOINED * features);
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
