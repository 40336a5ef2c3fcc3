import { DESCRIPTION } from '../../catalogue/about.ts';
import type { AnyOperation } from '../operation.ts';

/** The page a person finds at the address itself. */
export function landingText(
  operations: readonly AnyOperation[],
  { publicUrl, version }: { publicUrl: string; version: string },
): string {
  const places = operations
    .filter(({ tag, path }) => tag === 'discovery' && path !== '/' && !path.includes('{'))
    .map(({ path, summary }) => `${publicUrl}${path}\n    ${summary}`);
  return [
    `Atelier ${version}`,
    DESCRIPTION,
    '',
    `Call a tool:  POST ${publicUrl}/api/tools/<name> with one JSON object`,
    `Over MCP:     ${publicUrl}/mcp`,
    '',
    ...places,
    '',
  ].join('\n');
}
