/** How the two pictures were brought to one size before they were held against each other. */
export type ComparedAt = 'source_size' | 'result_size';

/**
 * What was measured of a picture that was made, against the one it was made of. What does not apply, or was not measured, is absent:
 * no figure stands for "unknown". docs/concepts/quality.md says how each is measured and what is much of it.
 */
export interface Quality {
  readonly compared_at?: ComparedAt;
  /** Decibels over red, green and blue of 0 to 255; 99 where both are the same. */
  readonly psnr_db?: number;
  /** Structural similarity of brightness, 1 where both are the same (Wang and others, 2004). */
  readonly ssim?: number;
  /** CIEDE2000 over the picture: its mean, and what 95 of 100 pixels stay below. */
  readonly delta_e00_mean?: number;
  readonly delta_e00_p95?: number;
  /** Percent of the pixels beside edges that are lighter or darker than anything around them in the source. */
  readonly halo_percent?: number;
  /** Percent of what was cut out whose edge is a guess. */
  readonly uncertain_percent?: number;
  /** Percent of the picture in which detail was made up rather than found. */
  readonly invented_percent?: number;
  /** Pixels of the source that 95 of 100 points of a drawn line stay within, of the edge they follow. */
  readonly line_error_px?: number;
}
