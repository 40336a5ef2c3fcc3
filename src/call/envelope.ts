import type { CatalogueIndex } from '../catalogue/index.ts';
import { highestPrice, priceOf, usd } from '../tools/price.ts';
import type { AnyTool, Suggestion } from '../tools/tool.ts';

interface Finished {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  readonly warnings: string[];
  /** What a paid call paid. */
  readonly receipt?: Record<string, unknown> | undefined;
}

/** The flat answer: the tool's own fields, then cost, payment, next_steps, warnings. */
export function envelope(catalogue: CatalogueIndex, tool: AnyTool, finished: Finished): Record<string, unknown> {
  const credit = priceOf(tool.price, finished.input);
  return {
    ...finished.output,
    cost: { credit, usd: usd(credit) },
    ...(finished.receipt && { payment: finished.receipt }),
    next_steps: nextSteps(catalogue, tool.next?.(finished.output, finished.input) ?? []),
    ...(finished.warnings.length > 0 && { warnings: finished.warnings }),
  };
}

/** Looks up cost and endpoint of each suggestion; tools this server does not offer are left out. */
export function nextSteps(catalogue: CatalogueIndex, suggestions: readonly Suggestion[]): Record<string, unknown>[] {
  return suggestions.flatMap(({ action, tool: name, why, params }) => {
    const tool = catalogue.find(name);
    return tool ? [{ action, cost: costText(tool), endpoint: `POST /api/tools/${name}`, why, ...(params && { params }) }] : [];
  });
}

function costText({ price }: AnyTool): string {
  const most = highestPrice(price);
  if (most === 0) return 'free';
  const upTo = price.kind === 'by' ? 'up to ' : '';
  return `${upTo}${most} ${most === 1 ? 'credit' : 'credits'} (${upTo}${usd(most).toFixed(2)} USD)`;
}
