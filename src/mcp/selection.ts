import { isReadOnly } from '../tools/is_read_only.ts';
import { highestPrice } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Exchange } from './exchange.ts';

/**
 * The part of the catalogue a client asked for, in catalogue order: `?tools=a,b` or X-MCP-Tools, `?toolsets=creative`
 * or X-MCP-Toolsets (a category, `free` or `all`), `?readonly=true` or X-MCP-Readonly. Tools and toolsets add up;
 * without either all tools are offered.
 */
export function selected(tools: readonly AnyTool[], exchange: Exchange): AnyTool[] {
  const names = wanted(exchange, 'tools');
  const sets = wanted(exchange, 'toolsets');
  const readOnly = [...wanted(exchange, 'readonly')].some((value) => value === 'true' || value === '1');
  const everything = names.size + sets.size === 0 || sets.has('all');
  return tools
    .filter((tool) => everything || names.has(tool.name) || sets.has(tool.category) || isFreeIn(sets, tool))
    .filter((tool) => !readOnly || isReadOnly(tool));
}

/** True when two clients at the same address may see different lists, so a shared cache must not keep one. */
export const selectsByHeader = ({ headers }: Exchange): boolean =>
  ['tools', 'toolsets', 'readonly'].some((name) => headers.has(`x-mcp-${name}`));

function wanted({ url, headers }: Exchange, name: string): Set<string> {
  const texts = [...url.searchParams.getAll(name), headers.get(`x-mcp-${name}`) ?? ''];
  return new Set(
    texts
      .join(',')
      .split(',')
      .map((item) => item.trim().toLowerCase())
      .filter(Boolean),
  );
}

const isFreeIn = (sets: Set<string>, tool: AnyTool): boolean =>
  sets.has('free') && highestPrice(tool.price) === 0;
