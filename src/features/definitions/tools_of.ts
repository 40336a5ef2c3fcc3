import { closest } from '../../catalog/closest.ts';
import { tools } from '../tools.ts';

/**
 * Parses a list of tools in a setting: `all` (undefined), `none` (an empty list), or names.
 * @param setting name of the setting, for the message
 * @throws Error naming unknown tools
 */
export function toolsOf(text: string, setting: string): readonly string[] | undefined {
  if (text === 'all') return undefined;
  const names = text === 'none' ? [] : text.split(',').map((name) => name.trim());
  const known = tools.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return names;
  const [guess] = closest(unknown[0]!, known);
  throw new Error(
    `${setting}: unknown tool ${unknown.join(' or ')}.${guess ? ` Did you mean ${guess}?` : ''} List them with: atelier tools`,
  );
}
