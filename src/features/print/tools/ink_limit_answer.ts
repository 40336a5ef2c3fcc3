import type { InkLimit } from '@atelier/imaging/print/ink_limit.ts';
import { z } from 'zod';

/** What a printing condition takes, in per cent; four full inks are 400. */
export const inkLimitAnswer = z
  .object({
    percent: z.number(),
    condition: z.string(),
    rich_black: z.string(),
  })
  .describe('rich_black: C, M, Y, K of large areas.');

/** As `inkLimitAnswer` has it. */
export const inkLimitOf = ({ percent, of, richBlack }: InkLimit): z.output<typeof inkLimitAnswer> => ({
  percent,
  condition: of,
  rich_black: richBlack.join(', '),
});
