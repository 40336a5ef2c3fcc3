import type { SimilarityMetrics } from './compare_tiles.ts';

/** Reported without measurement for an image that was stored pixel for pixel. */
export const LOSSLESS_METRICS: Required<SimilarityMetrics> = {
  psnr_db: 99,
  ssim: 1,
  delta_e00_mean: 0,
  delta_e00_p95: 0,
};
