import { z } from 'zod';

/** Failures that developers of agents can request, by HTTP status; `refund` fails after the price was held. */
export const REHEARSALS = ['402', '429', '503', 'refund'] as const;
export type Rehearsal = (typeof REHEARSALS)[number];

export const rehearsedField = z
  .enum(REHEARSALS)
  .optional()
  .describe(
    'Returns a failure of the tool instead of the sample: 402 unpaid, 429 too many calls, 503 busy; refund: stopped after the price was held, and released.',
  );
