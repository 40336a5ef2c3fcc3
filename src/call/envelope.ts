import type { CatalogueIndex } from '../catalogue/index.ts';
import { nextSteps } from '../catalogue/next_steps.ts';
import { costOf, priceOf } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';

interface Finished {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  readonly warnings: string[];
  /** What a paid call paid. */
  readonly receipt?: Record<string, unknown> | undefined;
}

const PAID_BY_CARD = 'Paid by card: no credits were taken.';

/** The flat answer: the tool's own fields, then cost, payment, next_steps, warnings. */
export function envelope(
  catalogue: CatalogueIndex,
  tool: AnyTool,
  finished: Finished,
): Record<string, unknown> {
  const credit = priceOf(tool.price, finished.input);
  return {
    ...finished.output,
    cost: { ...costOf(credit), ...(finished.receipt?.method === 'card' && { note: PAID_BY_CARD }) },
    ...(finished.receipt && { payment: finished.receipt }),
    next_steps: nextSteps(catalogue, tool.next?.(finished.output, finished.input) ?? []),
    ...(finished.warnings.length > 0 && { warnings: finished.warnings }),
  };
}
