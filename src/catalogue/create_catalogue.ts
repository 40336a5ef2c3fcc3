import type { AnyTool } from '../tools/tool.ts';
import { closest } from './closest.ts';
import type { CatalogueIndex } from './contract.ts';
import type { PaymentWays } from './payment_ways.ts';

/** Looks tools up by name. @throws Error when two tools share a name */
export function createCatalogue(tools: readonly AnyTool[], ways: PaymentWays = {}): CatalogueIndex {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) throw new Error(`two tools share a name: ${findRepeatedName(tools)}`);
  const names = [...byName.keys()];
  return {
    tools,
    ways,
    find: (name) => byName.get(name),
    similar: (name) => closest(name, names),
  };
}

const findRepeatedName = (tools: readonly AnyTool[]): string | undefined =>
  tools.map(({ name }) => name).find((name, at, names) => names.indexOf(name) !== at);
