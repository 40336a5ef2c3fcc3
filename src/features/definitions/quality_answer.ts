import { z } from 'zod';

const percent = z.number().min(0).max(100).optional();
const deltaE = z.number().min(0).max(200).optional();

/** Quality measurements of a result, the same in every response (docs/concepts/quality.md). */
export const qualityAnswer = {
  quality: z
    .object({
      compared_at: z.enum(['source_size', 'result_size']).optional(),
      psnr_db: z.number().min(0).max(99).optional().describe('99: identical.'),
      ssim: z.number().min(-1).max(1).optional(),
      delta_e00_mean: deltaE,
      delta_e00_p95: deltaE,
      halo_percent: percent.describe('Share of pixels at edges that overshoot their surroundings.'),
      uncertain_percent: percent.describe('Share of the cutout whose edge is uncertain.'),
      invented_percent: percent.describe('Share of invented detail in the image.'),
      line_error_px: z.number().min(0).optional().describe('Of the source, for drawn lines.'),
    })
    .optional()
    .describe('Measured against the image sent; fields that do not apply are absent.'),
};

export type QualityAnswer = z.input<NonNullable<typeof qualityAnswer.quality>>;
