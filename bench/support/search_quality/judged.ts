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

/** A query with what is relevant to it: a record of which every part of the rule holds. */
export interface Judged {
  readonly kind: (typeof KINDS)[number];
  readonly query: string;
  readonly wanted: Rule;
}
