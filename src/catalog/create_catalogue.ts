import type { AnyTool } from '../features/definitions/tool.ts';
import { LIST_PRICES } from '../features/operator/prices/prices.ts';
import type { Prices } from '../features/operator/prices/types.ts';
import { closest } from './closest.ts';
import type { PaymentWays } from './payment_ways.ts';
import { searchTools } from './search_index.ts';
import { toolWithLetters } from './tool_with_letters.ts';
import type { AbsentTool, CatalogueIndex } from './types.ts';

/** Index of tools by name. @throws Error when two tools share a name */
export function createCatalogue(
  tools: readonly AnyTool[],
  ways: PaymentWays = {},
  absent: readonly AbsentTool[] = [],
  prices: Pick<Prices, 'forEverybody' | 'rules'> = LIST_PRICES,
): CatalogueIndex {
  const places = new Map(tools.map(({ name }, at) => [name, at]));
  if (places.size < tools.length) throw new Error(`duplicate tool name: ${findRepeatedName(tools)}`);
  return {
    get tools() {
      return prices.forEverybody(tools);
    },
    get priceRules() {
      return prices.rules();
    },
    absent,
    ways,
    find: (name) => prices.forEverybody(tools)[places.get(name) ?? -1],
    similar: (name) => similarNames(tools, name),
  };
}

/** Tools with a similarly spelled name; else with the same words in another order; else the results of a text search. */
function similarNames(tools: readonly AnyTool[], name: string): string[] {
  const near = closest(
    name,
    tools.map((tool) => tool.name),
  );
  if (near.length > 0) return near;
  const turned = toolWithLetters(tools, name);
  return (turned ? [turned] : searchTools(tools, name)).map((tool) => tool.name);
}

const findRepeatedName = (tools: readonly AnyTool[]): string | undefined =>
  tools.map(({ name }) => name).find((name, at, names) => names.indexOf(name) !== at);
