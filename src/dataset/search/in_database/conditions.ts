import type { Filters } from '../contract.ts';
import { FAILS } from '../filter_names.ts';
import type { YearRange } from '../query_years.ts';
import { CC0 } from '../traits.ts';
import { PERIOD_IMPACT } from '../weights.ts';
import { IMPACT_A_RANK, LABEL_WEIGHTS } from './impact_labels.ts';
import type { PlannedTerm, Wording } from './plan_query.ts';
import { quoted } from './text_rows.ts';

/** Values of a statement, each named by its number in the text. */
export interface Values {
  readonly all: readonly unknown[];
  /** `$3::tsquery`; the same value twice is one. */
  bind(value: unknown, type: string): string;
}

export function createValues(): Values {
  const all: unknown[] = [];
  const names = new Map<string, string>();
  return {
    all,
    bind(value, type) {
      const key = `${type} ${JSON.stringify(value)}`;
      const name = names.get(key) ?? `$${all.push(value)}::${type}`;
      names.set(key, name);
      return name;
    },
  };
}

/** Works that have every word of a wording, as the text of a `tsquery`; `labels`: only words that say so much about the work. */
export const wordsQuery = (wording: Wording, labels = ''): string =>
  wording.map((forms) => anyOf(forms.map((form) => quoted(form) + labels))).join(' & ');

const phraseQuery = (wording: Wording): string =>
  wording.map((forms) => anyOf(forms.map(quoted))).join(' <-> ');
export const anyOf = (queries: readonly string[]): string => `(${queries.join(' | ')})`;

/** Whether a work has a wording. */
export function hasWording(wording: Wording, { bind }: Values): string {
  const words = `words @@ ${bind(wordsQuery(wording), 'tsquery')}`;
  return wording.length === 1 ? words : `(${words} and places @@ ${bind(phraseQuery(wording), 'tsquery')})`;
}

/** Whether a work has any of the terms. Single words are asked for together. */
export function hasTerms(terms: readonly PlannedTerm[], values: Values): string {
  const single = terms
    .filter(({ wording }) => wording?.length === 1)
    .map(({ wording }) => wordsQuery(wording!));
  const others = terms.filter(({ wording }) => wording?.length !== 1).map((term) => hasTerm(term, values));
  const any = [
    ...(single.length > 0 ? [`words @@ ${values.bind(anyOf(single), 'tsquery')}`] : []),
    ...others,
  ];
  return any.length === 0 ? 'false' : `(${any.join(' or ')})`;
}

function hasTerm({ wording, period }: PlannedTerm, values: Values): string {
  if (wording) return hasWording(wording, values);
  const places = period!.places?.map((place) => hasWording(place, values));
  const isFrom = isMostlyFrom(period!.years, values);
  return places ? `(${isFrom} and (${places.join(' or ')}))` : isFrom;
}

/** What the index can tell of works that have any of the terms: all these have that, others may. Undefined where it can tell nothing. */
export function neededWords(terms: readonly PlannedTerm[], labels = ''): string | undefined {
  const needed = terms.flatMap(({ wording, period }) =>
    wording
      ? [wordsQuery(wording, labels)]
      : (period!.places?.map((place) => wordsQuery(place)) ?? [undefined]),
  );
  return needed.some((one) => one === undefined) ? undefined : anyOf(needed as string[]);
}

/** How much the best of the terms says about a work that has one of them, from 0 to 255. */
export function impactOfTerms(terms: readonly PlannedTerm[], values: Values): string {
  const impacts = terms.map((term) => `${term.share} * ${impactOfTerm(term, values)}`);
  return impacts.length === 1 ? impacts[0]! : `greatest(${impacts.join(', ')})`;
}

function impactOfTerm(term: PlannedTerm, values: Values): string {
  const { wording } = term;
  if (!wording) return `(case when ${hasTerm(term, values)} then ${PERIOD_IMPACT} else 0 end)`;
  const impact = greatest(wording.flat().map((form) => impactOfWord(form, values)));
  return wording.length === 1
    ? impact
    : `(case when ${hasWording(wording, values)} then ${impact} else 0 end)`;
}

const impactOfWord = (form: string, { bind }: Values): string =>
  `${IMPACT_A_RANK} * ts_rank_cd(${bind(LABEL_WEIGHTS, 'float4[]')}, words, ${bind(quoted(form), 'tsquery')})`;

const greatest = (sql: readonly string[]): string =>
  sql.length === 1 ? sql[0]! : `greatest(${sql.join(', ')})`;

/** Years of a work that were asked for, and all it may be from. */
const YEARS = 'year_to - year_from + 1';
function yearsShared({ from, to }: YearRange, { bind }: Values): string {
  const last = to === undefined ? 'year_to' : `least(year_to, ${bind(to, 'integer')})`;
  const first = from === undefined ? 'year_from' : `greatest(year_from, ${bind(from, 'integer')})`;
  return `(${last} - ${first} + 1)`;
}

/** As `isMostlyFrom` of filter_places.ts. */
const isMostlyFrom = (range: YearRange, values: Values): string =>
  `coalesce(2 * ${yearsShared(range, values)} >= ${YEARS}, false)`;

/** Whether a work may be from the years. Of a work without years nothing is known: `least` and `greatest` would pass over them. */
export function isDated({ from, to }: YearRange, { bind }: Values): string {
  const begins = to === undefined ? 'year_from is not null' : `year_from <= ${bind(to, 'integer')}`;
  const ends = from === undefined ? 'year_to is not null' : `year_to >= ${bind(from, 'integer')}`;
  return `coalesce(${begins} and ${ends}, false)`;
}

/** How much of the years a work may be from was asked for. */
export const shareOfYears = (range: YearRange, values: Values): string =>
  `coalesce(greatest(0, ${yearsShared(range, values)})::float8 / (${YEARS}), 0)`;

/** The filters a work fails, a bit each, as `filterPlaces` says it. @param media of each group of words of the medium, its wordings */
export function failedFilters(
  filters: Filters | undefined,
  media: readonly (readonly Wording[])[],
  values: Values,
): string {
  if (!filters) return '0';
  const { isCc0, hasImage, longSideMin, kinds, century, years } = filters;
  const isMade = media.map((wordings) =>
    wordings.length === 0 ? 'false' : `(${wordings.map((one) => hasWording(one, values)).join(' or ')})`,
  );
  const ofKind = kinds === 0 ? [] : [`traits & ${values.bind(kinds, 'integer')} <> 0`];
  const medium = [...ofKind, ...isMade];
  const holds: Partial<Record<keyof typeof FAILS, string | false>> = {
    licence: isCc0 && `traits & ${CC0} <> 0`,
    // The bit of WITH_PICTURE is the sign here.
    has_image: hasImage && 'traits < 0',
    min_px: longSideMin > 0 && `long_side >= ${values.bind(longSideMin, 'integer')}`,
    medium: medium.length > 0 && medium.join(' and '),
    century: century !== undefined && isMostlyFrom(century, values),
    years: years !== undefined && isMostlyFrom(years, values),
  };
  const failed = Object.entries(holds).flatMap(([name, sql]) =>
    sql === false ? [] : [`(case when ${sql} then 0 else ${FAILS[name as keyof typeof FAILS]} end)`],
  );
  return ['0', ...failed].join(' + ');
}
