import type { Rule } from '../../museum_search/judge.ts';

export const KINDS = [
  'number',
  'known work',
  'subject',
  'foreign word',
  'long sentence',
  'typing error',
  'name, date, medium',
  'style, school, period',
] as const;

/** A query with its relevance rule: a record is relevant if every part matches. */
export interface Judged {
  readonly kind: (typeof KINDS)[number];
  readonly query: string;
  readonly wanted: Rule;
}
