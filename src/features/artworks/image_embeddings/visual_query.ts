import { parseQuery } from '../search/parse_query.ts';

/** Excluded words and phrases, matching parseQuery. */
const EXCLUDED = /(^|\s)-("[^"]*"|[\p{L}\p{N}]+)|\bnot\s+[\p{L}\p{N}]+/giu;

/**
 * The part of a query that an image can show. Words stay as typed, because the encoder is trained on
 * sentences. Undefined for queries that only records can answer: quoted words, numbers of works, dates alone.
 */
export function visualQuery(query: string): string | undefined {
  const { groups } = parseQuery(query);
  const isNumber = groups.some(([typed]) => /\d/.test(typed?.text ?? ''));
  if (groups.length === 0 || isNumber || query.replace(EXCLUDED, '').includes('"')) return undefined;
  return query.replace(EXCLUDED, ' ').replace(/\s+/g, ' ').trim() || undefined;
}
