import type { AnyTool } from '../features/definitions/tool.ts';
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
): CatalogueIndex {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) throw new Error(`two tools share a name: ${findRepeatedName(tools)}`);
  return {
    tools,
    absent,
    ways,
    find: (name) => byName.get(name),
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
