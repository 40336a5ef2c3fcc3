import { DATED } from '../match.ts';
import type { YearRange } from '../query_years.ts';
import { DATE_WEIGHT, DATE_WORTH, SCORE_MIN } from '../weights.ts';
import {
  failedFilters,
  hasTerms,
  hasWording,
  impactOfTerms,
  isDated,
  neededWords,
  shareOfYears,
  type Values,
} from './conditions.ts';
import type { Plan, PlannedQuery, PlannedTerm } from './plan_query.ts';

/** What is asked of the works of some museums, as SQL on the columns of one part. A value nobody asks with may not be bound: each is made when it is called. */
export interface Block {
  readonly at: number;
  readonly plan: Plan;
  /** Holds of works that may be found at all. */
  among(): string;
  /** The bits of what a work has (match.ts), and those of the filters it fails. */
  bits(): string;
  failed(): string;
  /** How well its words fit, without its standing. */
  score(): string;
}

/** @param edition of which works are looked for */
export function blocksOf(query: PlannedQuery, edition: number, values: Values): Block[] {
  return query.plans.map((plan, at) => ({
    ...{ at, plan },
    among: () =>
      [
        `museum = any(${values.bind(plan.museums, 'text[]')})`,
        `added_in <= ${values.bind(edition, 'integer')} and removed_in > ${values.bind(edition, 'integer')}`,
        ...plan.excluded.map((wording) => `not ${hasWording(wording, values)}`),
      ].join(' and '),
    bits: () => bitsOf(plan, query.years, values),
    failed: () => failedFilters(query.filters, plan.media, values),
    score: () => scoreOf(plan, query, values),
  }));
}

function bitsOf({ groups }: Plan, years: YearRange | undefined, values: Values): string {
  const bits = groups.map((terms, at) => `(case when ${hasTerms(terms, values)} then ${2 ** at} else 0 end)`);
  if (years) bits.push(`(case when ${isDated(years, values)} then ${DATED} else 0 end)`);
  return ['0', ...bits].join(' + ');
}

function scoreOf({ groups }: Plan, { weights, years }: PlannedQuery, values: Values): string {
  const scores = groups.flatMap((terms, at) =>
    terms.length === 0 ? [] : [`${weights[at]! / 255} * (${impactOfTerms(terms, values)})`],
  );
  if (years) scores.push(`${DATE_WEIGHT} * ${shareOfYears(years, values)}`);
  return [SCORE_MIN, ...scores].join(' + ');
}

/** Of a work with all that is asked for. */
export const allBits = ({ worth, years }: PlannedQuery): number =>
  2 ** worth.length - 1 + (years ? DATED : 0);

/** What share of the whole these bits are worth. */
export function shareOfBits({ worth, years }: PlannedQuery, bits: number): number {
  const all = worth.reduce((sum, one) => sum + one, years ? DATE_WORTH : 0);
  const had = worth.reduce(
    (sum, one, at) => sum + (bits & (1 << at) ? one : 0),
    bits & DATED ? DATE_WORTH : 0,
  );
  return had / all;
}

/** The same, as SQL on a column of bits. */
export function shareInSql({ worth, years }: PlannedQuery, bits: string): string {
  const all = worth.reduce((sum, one) => sum + one, years ? DATE_WORTH : 0);
  const had = worth.map((one, at) => `((${bits} >> ${at}) & 1) * ${one}`);
  if (years) had.push(`((${bits} >> ${Math.log2(DATED)}) & 1) * ${DATE_WORTH}`);
  return `((${['0', ...had].join(' + ')})::float8 / ${all})`;
}

/** What has to hold of works that have some of the groups, and what of it the index can tell. */
export interface Needed {
  /** Text of a `tsquery`; undefined: the index can tell nothing. */
  readonly words: string | undefined;
  exact(): string[];
}

/** @param asked groups by their places */
export function neededOf({ groups }: Plan, asked: readonly number[], values: Values): Needed {
  const terms = asked.map((at) => groups[at]!);
  const words = terms.flatMap((some) => neededWords(some) ?? []);
  return {
    words: words.length > 0 ? words.join(' & ') : undefined,
    exact: () => terms.filter((some) => !isOfSingleWords(some)).map((some) => hasTerms(some, values)),
  };
}

/** The index alone tells which works have any of them. */
export const isOfSingleWords = (terms: readonly PlannedTerm[]): boolean =>
  terms.length > 0 && terms.every(({ wording }) => wording?.length === 1);
