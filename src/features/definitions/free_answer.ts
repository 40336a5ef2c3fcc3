import { nextSteps } from '../../catalog/next_steps.ts';
import type { CatalogueIndex } from '../../catalog/types.ts';
import { costOf } from './price.ts';
import type { Suggestion } from './tool.ts';

export { costFields } from '../../catalog/envelope_schema.ts';

/** `cost` and `next_steps` of an operation; operations are free. */
export const freeAnswer = (catalogue: CatalogueIndex, suggestions: readonly Suggestion[] = []) => ({
  cost: costOf(0),
  next_steps: nextSteps(catalogue, suggestions),
});
