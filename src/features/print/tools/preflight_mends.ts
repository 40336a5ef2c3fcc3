import { creditsText, type NextStep, nextSteps, priceText } from '../../../catalog/next_steps.ts';
import type { CatalogueIndex } from '../../../catalog/types.ts';
import { highestPrice } from '../../definitions/price.ts';

/** A way out of a fault of a sheet: one call, or several that are sent as one recipe. */
export interface Mend {
  readonly action: string;
  /** What it gives. */
  readonly why: string;
  /** Each works on the picture the one before has made; `print_ready` is asked for what was asked for before, but for these fields. */
  readonly steps: readonly { readonly tool: string; readonly params: Record<string, unknown> }[];
}

interface Asked {
  readonly catalogue: Pick<CatalogueIndex, 'find'>;
  /** The art, kept. */
  readonly handle: string;
  /** What the sheet was asked for with. */
  readonly wanted: Record<string, unknown>;
}

/** The mend as a call that can be sent as it stands; undefined where this server does not offer it. */
export function callOf(mend: Mend, { catalogue, handle, wanted }: Asked): NextStep | undefined {
  const steps = mend.steps.map(({ tool, params }, at) => ({
    tool,
    params: {
      image: at === 0 ? handle : `$step_${at}`,
      ...(tool === 'print_ready' ? wanted : {}),
      ...params,
    },
  }));
  const [first] = steps;
  const call = steps.length === 1 ? first! : { tool: 'run_recipe', params: { steps } };
  const [step] = nextSteps(catalogue as CatalogueIndex, [{ ...mend, ...call }]);
  return step && { ...step, cost: costOf(mend, catalogue) };
}

function costOf({ steps }: Mend, catalogue: Asked['catalogue']): string {
  const prices = steps.flatMap(({ tool }) => catalogue.find(tool)?.price ?? []);
  const sum = prices.reduce((credits, price) => credits + highestPrice(price), 0);
  return prices.length === 1 ? priceText(prices[0]!) : sum === 0 ? 'free' : creditsText(sum);
}
