import { readQueries } from '../../museum_search/judge.ts';
import { type Judged, KINDS } from './judged.ts';

/** Queries that search was tuned on: those of the public benchmark. */
export const TUNED: readonly Judged[] = readQueries().map(({ kind, query, relevant }) => ({
  kind: KINDS.find((one) => one === kind)!,
  query,
  wanted: relevant,
}));
