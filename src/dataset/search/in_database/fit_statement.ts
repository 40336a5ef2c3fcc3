import type { Statement } from './ask_parts.ts';
import { blocksOf, neededOf } from './blocks.ts';
import { createValues, isDated } from './conditions.ts';
import type { PlannedQuery } from './plan_query.ts';

/** A work that has all that is asked for, with the filters it fails. */
export type FittingRow = readonly [
  number: number,
  museum: string,
  traits: number,
  century: number,
  failed: number,
  isUnsized: boolean,
];

/** Asks a part which of some works have all that is asked for, as `fitting`. */
export function fitStatement(
  query: PlannedQuery,
  edition: number,
  candidates: readonly number[],
): Statement | undefined {
  const values = createValues();
  const numbers = values.bind(candidates, 'bigint[]');
  const blocks = blocksOf(query, edition, values).flatMap(({ plan, among, failed }) => {
    if (plan.groups.some(({ length }) => length === 0)) return [];
    const { words, exact } = neededOf(plan, [...plan.groups.keys()], values);
    const conditions = [
      `number = any(${numbers})`,
      among(),
      ...(words === undefined ? [] : [`words @@ ${values.bind(words, 'tsquery')}`]),
      ...exact(),
      ...(query.years ? [isDated(query.years, values)] : []),
    ];
    const filtered = failed();
    return [
      (table: string) => `select json_build_array(number, museum, traits & 2147483647,
        coalesce((year_from + year_to + 198) / 200, 0), ${filtered}, long_side = 0) as row
        from ${table} where ${conditions.join(' and ')}`,
    ];
  });
  if (blocks.length === 0) return undefined;
  const text = (table: string) =>
    `select coalesce(json_agg(row), '[]') as fitting from (${blocks.map((one) => one(table)).join(' union all ')}) as found`;
  return { text, values: values.all };
}
