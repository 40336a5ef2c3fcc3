import type { CatalogueIndex } from '../catalogue/contract.ts';
import { nextSteps } from '../catalogue/next_steps.ts';
import { costOf } from '../tools/price.ts';
import type { Suggestion } from '../tools/tool.ts';

export { costFields } from '../catalogue/envelope_schema.ts';

/** `cost` and `next_steps` of an operation, which never costs anything. */
export const freeAnswer = (catalogue: CatalogueIndex, suggestions: readonly Suggestion[] = []) => ({
  cost: costOf(0),
  next_steps: nextSteps(catalogue, suggestions),
});
