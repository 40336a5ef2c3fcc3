import type { CatalogueIndex } from '../catalogue/index.ts';
import { nextSteps } from '../catalogue/next_steps.ts';
import { costOf, priceOf } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';

interface Finished {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  /** Who called, where that is known. */
  readonly wallet?: string | undefined;
  readonly warnings: readonly string[];
  /** Why a call that has a price costs nothing. */
  readonly waived?: string | undefined;
  /** What a paid call paid. */
  readonly receipt?: Record<string, unknown> | undefined;
}

/** By method; credits speak for themselves. */
const PAID_WITHOUT_CREDITS: Record<string, string> = {
  card: 'Paid by card: no credits were taken.',
  x402: 'Paid by x402: no credits were taken.',
};

/** The flat answer: the tool's own fields, then cost, payment, next_steps, warnings. */
export function envelope(
  catalogue: CatalogueIndex,
  tool: AnyTool,
  finished: Finished,
): Record<string, unknown> {
  const { input, output, wallet } = finished;
  const note = finished.waived ?? PAID_WITHOUT_CREDITS[String(finished.receipt?.method)];
  const credit = finished.waived === undefined ? priceOf(tool.price, input) : 0;
  return {
    ...output,
    cost: { ...costOf(credit), ...(note && { note }) },
    ...(finished.receipt && { payment: finished.receipt }),
    next_steps: nextSteps(catalogue, tool.next?.(output, input, { wallet }) ?? []),
    ...(finished.warnings.length > 0 && { warnings: finished.warnings }),
  };
}
