import type { AnyTool } from '../../../features/definitions/tool.ts';
import { listedPrice } from '../tools/expect_run.ts';
import type { RecipeStep } from './read_recipe.ts';

/** List price of a run in whole credits; undefined if a step's tool is missing or its price depends on an input. */
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
