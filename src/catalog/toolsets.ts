import { isFree } from '../features/definitions/price.ts';
import type { AnyContract } from '../features/definitions/tool.ts';

/** Part of every selection of groups: tools that the responses of other tools refer to. */
export const isAlwaysOffered = ({ toolset }: Pick<AnyContract, 'toolset'>): boolean => toolset === 'always';

/** Names of the groups that an MCP connection may select: toolsets, categories, `free` and `all`. */
export const toolsetNames = (tools: readonly AnyContract[]): string[] => [
  ...new Set([
    ...tools.flatMap((tool) => (tool.toolset && !isAlwaysOffered(tool) ? [tool.toolset] : [])),
    ...tools.map(({ category }) => category),
    'free',
    'all',
  ]),
];

/** Whether the tool belongs to one of these groups. */
export const isInToolsets = (tool: AnyContract, names: ReadonlySet<string>): boolean =>
  isAlwaysOffered(tool) ||
  names.has('all') ||
  names.has(tool.category) ||
  (tool.toolset !== undefined && names.has(tool.toolset)) ||
  (names.has('free') && isFree(tool.price));

/**
 * Why a selection of groups is invalid; undefined if it is valid.
 * @param names as sent, in lower case
 */
export function unknownToolset(
  tools: readonly AnyContract[],
  names: ReadonlySet<string>,
): string | undefined {
  const known = toolsetNames(tools);
  const unknown = [...names].find((name) => !known.includes(name));
  return unknown === undefined
    ? undefined
    : `Unknown toolset ${JSON.stringify(unknown.slice(0, 100))}. Choose from ${known.join(', ')}, several separated by commas: /mcp?toolsets=${known.slice(0, 2).join(',')}.`;
}
