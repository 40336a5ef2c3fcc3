import type { CatalogueIndex } from '../catalogue/index.ts';
import { nextSteps } from '../catalogue/next_steps.ts';
import type { Suggestion } from '../tools/tool.ts';

export { costFields } from '../catalogue/envelope_schema.ts';

/** The two fields for an operation, which never costs anything. */
export const freeAnswer = (
  catalogue: CatalogueIndex,
  suggestions: readonly Suggestion[] = [],
  note?: string,
) => ({
  cost: { credit: 0, usd: 0, ...(note && { note }) },
  next_steps: nextSteps(catalogue, suggestions),
});
