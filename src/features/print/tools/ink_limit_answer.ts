import type { InkLimit } from '@atelier/imaging/print/ink_limit.ts';
import { z } from 'zod';

/** Total ink limit of a printing condition in percent; four full inks are 400. */
export const inkLimitAnswer = z
  .object({
    percent: z.number(),
    condition: z.string(),
    rich_black: z.string(),
  })
  .describe('rich_black: C, M, Y, K of large areas.');

/** The ink limit as response fields. */
export const inkLimitOf = ({ percent, condition, richBlack }: InkLimit): z.output<typeof inkLimitAnswer> => ({
  percent,
  condition,
  rich_black: richBlack.join(', '),
});
