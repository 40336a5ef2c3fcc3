import type { Statement } from './ask_parts.ts';
import { blocksOf, isOfSingleWords, neededOf } from './blocks.ts';
import { createValues, hasTerms, isDated } from './conditions.ts';
import type { PlannedQuery } from './plan_query.ts';
import { groupSets } from './sharing_sets.ts';

/** Sets of which the index can tell nothing are walked for through all works. */
const WALKED_MAX = 4;

/** Asks a part for the largest share of what is asked for that any of its works has that passes the filters, as `share`. */
export function shareStatement(query: PlannedQuery, edition: number): Statement {
  const values = createValues();
  const sets = groupSets(query);
  const asked = blocksOf(query, edition, values).flatMap(({ plan, among, failed }) => {
    const known = sets.flatMap((set) => {
      if (set.groups.some((at) => plan.groups[at]!.length === 0)) return [];
      return [{ ...set, ...neededOf(plan, set.groups, values) }];
    });
    const inIndex = known.filter(({ words }) => words !== undefined);
    const walked = known.filter(({ words }) => words === undefined).slice(0, WALKED_MAX);
    const [works, filtered] = [among(), failed()];
    const of = (table: string, conditions: readonly string[]) =>
      `exists (select from ${table} where ${[works, `${filtered} = 0`, ...conditions].join(' and ')})`;
    const hasSet = plan.groups.flatMap((terms, at) =>
      terms.length === 0 || isOfSingleWords(terms)
        ? []
        : [`(bits & ${2 ** at} = 0 or ${hasTerms(terms, values)})`],
    );
    const dated = query.years ? [`(not dated or ${isDated(query.years, values)})`] : [];
    const lists = [
      values.bind(
        inIndex.map(({ words }) => words),
        'text[]',
      ),
      values.bind(
        inIndex.map(({ bits }) => bits),
        'integer[]',
      ),
      values.bind(
        inIndex.map((set) => set.isDated),
        'boolean[]',
      ),
      values.bind(
        inIndex.map(({ share }) => share),
        'float8[]',
      ),
    ];
    return [
      // The first that any work has ends the search.
      (
        table: string,
      ) => `(select share from (select * from unnest(${lists.join(', ')}) as set (needed, bits, dated, share)
        order by share desc) as sets where ${of(table, ['words @@ needed::tsquery', ...hasSet, ...dated])} limit 1)`,
      ...walked.map(({ share, exact, isDated: needsDate }) => {
        const conditions = [...exact(), ...(needsDate ? [isDated(query.years!, values)] : [])];
        return (table: string) => `(select ${share}::float8 as share where ${of(table, conditions)})`;
      }),
    ];
  });
  const text = (table: string) =>
    `select coalesce(max(share), 0) as share from (${['(select 0::float8 as share)', ...asked.map((one) => one(table))].join(' union all ')}) as shares`;
  return { text, values: values.all };
}
