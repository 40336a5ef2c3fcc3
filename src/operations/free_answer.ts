import { z } from 'zod';
import type { CatalogueIndex } from '../catalogue/index.ts';
import { nextSteps } from '../catalogue/next_steps.ts';
import type { Suggestion } from '../tools/tool.ts';

/** `cost` and `next_steps`, as every answer of the service carries them. */
export const costFields = {
  cost: z.object({
    credit: z.int().min(0).max(1_000_000),
    usd: z.number().min(0).max(1_000_000),
    note: z.string().optional(),
  }),
  next_steps: z.array(
    z.object({
      action: z.string(),
      cost: z.string(),
      endpoint: z.string(),
      why: z.string(),
      params: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
};

/** The two fields for an operation, which never costs anything. */
export const freeAnswer = (
  catalogue: CatalogueIndex,
  suggestions: readonly Suggestion[] = [],
  note?: string,
) => ({
  cost: { credit: 0, usd: 0, ...(note && { note }) },
  next_steps: nextSteps(catalogue, suggestions),
});
