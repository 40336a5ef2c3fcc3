/** Size to which the two images were brought for comparison. */
export type ComparedAt = 'source_size' | 'result_size';

/**
 * Quality measures of a result against its source. A measure that does not apply or was not taken is absent; no figure stands for
 * "unknown". docs/concepts/quality.md describes the methods and typical values.
 */
export interface Quality {
  readonly compared_at?: ComparedAt;
  /** Decibels over RGB samples of 0 to 255; 99 if both are equal. */
  readonly psnr_db?: number;
  /** Structural similarity of luma; 1 if both are equal (Wang and others, 2004). */
  readonly ssim?: number;
  /** CIEDE2000 over the image: mean and 95th percentile. */
  readonly delta_e00_mean?: number;
  readonly delta_e00_p95?: number;
  /** Percentage of the pixels next to edges that are lighter or darker than every source pixel around them. */
  readonly halo_percent?: number;
  /** Percentage of the cutout whose edge is uncertain. */
  readonly uncertain_percent?: number;
  /** Percentage of the image with invented detail. */
  readonly invented_percent?: number;
  /** 95th percentile of the distance between drawn lines and the edges they follow, in source pixels. */
  readonly line_error_px?: number;
}
