import { parseBoundedJson } from './parse_bounded_json.ts';

/** Longer texts are truncated: models do not write that much. */
const CHARACTERS_MAX = 100_000;

/** Extracts the JSON object from a model response, which may contain a code fence or prose; undefined if there is none. */
export function objectInText(answer: string): Record<string, unknown> | undefined {
  const text = answer.slice(0, CHARACTERS_MAX);
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) return undefined;
  try {
    const value = parseBoundedJson(text.slice(from, to + 1));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
