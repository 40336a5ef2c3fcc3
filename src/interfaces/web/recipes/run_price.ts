import type { AnyTool } from '../../../features/definitions/tool.ts';
import { listedPrice } from '../tools/expect_run.ts';
import type { RecipeStep } from './read_recipe.ts';

/** Whole credits of one run by the price list; undefined where a step is gone, or its price follows from an input. */
export function runPrice(steps: readonly RecipeStep[], tools: readonly AnyTool[]): number | undefined {
  const prices = steps.map(({ tool: name, params }) => {
    const tool = tools.find((one) => one.name === name);
    return tool && listedPrice(tool, params);
  });
  return prices.reduce<number | undefined>(
    (sum, price) => (sum === undefined || price === undefined ? undefined : sum + price),
    0,
  );
}
