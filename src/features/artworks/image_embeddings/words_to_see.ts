import { parseQuery } from '../search/parse_query.ts';

/** Excluded words and phrases, as parseQuery reads them. */
const EXCLUDED = /(^|\s)-("[^"]*"|[\p{L}\p{N}]+)|\bnot\s+[\p{L}\p{N}]+/giu;

/**
 * What of a query a picture can show; the encoder knows sentences, so that words stay as they were typed. Undefined for what no picture
 * says: words that have to stand in the record ("in quotes"), numbers of works, dates alone.
 */
export function wordsToSee(query: string): string | undefined {
  const { groups } = parseQuery(query);
  const isNumber = groups.some(([typed]) => /\d/.test(typed?.text ?? ''));
  if (groups.length === 0 || isNumber || query.replace(EXCLUDED, '').includes('"')) return undefined;
  return query.replace(EXCLUDED, ' ').replace(/\s+/g, ' ').trim() || undefined;
}
