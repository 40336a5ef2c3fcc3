export const FILTER_SPECKLE_MAX = 100;
export const SVG_BYTES_MAX = 8 * 1024 * 1024;
export const VECTOR_NODES_MAX = 250_000;
/** Larger images are downscaled before tracing: finer detail is lost in shapes anyway. */
export const VECTORIZE_PIXELS_MAX = 1_500_000;
/** Maximum pixels of images that a network upscales four times and twice before tracing; takes seconds. */
const FOURFOLD_PIXELS_MAX = 150_000;
const TWOFOLD_PIXELS_MAX = 750_000;

/** Upscaling factor before tracing for an image of this size; 1: none. */
export function upscalingFactor({ width, height }: { width: number; height: number }): 1 | 2 | 4 {
  if (width * height <= FOURFOLD_PIXELS_MAX) return 4;
  return width * height <= TWOFOLD_PIXELS_MAX ? 2 : 1;
}

/** Pixels traced for an image of this size, if it may be upscaled. */
export const tracedPixels = (size: { width: number; height: number }): number =>
  Math.min(VECTORIZE_PIXELS_MAX, upscalingFactor(size) ** 2 * size.width * size.height);

/** Sides of a drawing that has a size in the world. */
export const DRAWING_SIDE_MM_MIN = 1;
export const DRAWING_SIDE_MM_MAX = 10_000;
export const KERF_MM_MAX = 10;
export const BRIDGE_MM_MIN = 0.1;
export const BRIDGE_MM_MAX = 100;
/** Parts that would fall out of a stencil. */
export const ISLANDS_MAX = 2000;
/** Points of straight pieces that are offset or written as DXF; of 600,000 points of noise a kerf took 28 s and 1.4 GB. */
export const STRAIGHT_POINTS_MAX = 200_000;
