import { STANDING_SHARE, WHOLE } from '../weights.ts';
import type { Statement } from './ask_parts.ts';
import { allBits, type Block, blocksOf, neededOf, shareInSql } from './blocks.ts';
import { anyOf, createValues, isDated, neededWords, type Values } from './conditions.ts';
import type { Plan, PlannedQuery } from './plan_query.ts';
import { sharingSets } from './sharing_sets.ts';

/** Works of a part that are weighed exactly. Of more, those whose words say much about them are taken, and of these the likeliest. */
const WEIGHED_MAX = 1000;

/** A work with its bits and score. */
export type RankedRow = readonly [number: number, bits: number, score: number];
/** Works of a part that have the same museum, traits, century and failed filters; whether the size of their pictures is unknown. */
export type CountedRow = readonly [
  museum: string,
  traits: number,
  century: number,
  failed: number,
  isUnsized: boolean,
  works: number,
];

export interface RankedPart {
  readonly best: readonly RankedRow[];
  readonly counted: readonly CountedRow[];
}

/**
 * Asks a part for the best works that have all that is asked for, or at least a share of it, and how all such works are spread. Undefined
 * where no museum can have any.
 */
export function rankStatement(
  query: PlannedQuery,
  edition: number,
  { limit, share }: { limit: number; share: number },
): Statement | undefined {
  const values = createValues();
  const found: ((table: string) => string)[] = [];
  const scores: string[] = [];
  for (const block of blocksOf(query, edition, values)) {
    const works = foundIn(block, query, share, values);
    if (!works) continue;
    found.push(works);
    scores.push(`when ${block.at} then ${block.score()}`);
  }
  if (found.length === 0) return undefined;
  const most = values.bind(limit, 'integer');
  const had = share === 1 ? '1' : shareInSql(query, 'found_bits');
  const text = (
    table: string,
  ) => `with found as materialized (${found.map((one) => one(table)).join(' union all ')}),
    likely as (select * from found where failed = 0 order by strong desc, own_standing desc, found_number limit ${WEIGHED_MAX}),
    weighed as (
      select found_number, found_bits, (case block ${scores.join(' ')} end)
        * (1 + ${STANDING_SHARE} * own_standing / 255) * power(${had}, 2) + (case when found_bits = ${allBits(query)} then ${WHOLE} else 0 end) as score
      from likely join ${table} on number = found_number),
    best as (select * from weighed order by score desc, found_number limit ${most}),
    counted as (select own_museum, own_traits, century, failed, is_unsized, count(*)::integer as works from found group by 1, 2, 3, 4, 5)
    select
      coalesce((select json_agg(json_build_array(found_number, found_bits, score)) from best), '[]') as best,
      coalesce((select json_agg(json_build_array(own_museum, own_traits, century, failed, is_unsized, works)) from counted), '[]') as counted`;
  return { text, values: values.all };
}

/** Works of a block with what is counted of them. */
function foundIn(
  block: Block,
  query: PlannedQuery,
  share: number,
  values: Values,
): ((table: string) => string) | undefined {
  const { plan } = block;
  const where = share === 1 ? whole(plan, query, values) : partly(plan, query, share, values);
  if (where === undefined) return undefined;
  const bits = share === 1 ? `${allBits(query)}` : block.bits();
  const [failed, marks] = [block.failed(), strong(plan, values)];
  const conditions = [block.among(), ...where].join(' and ');
  const all = (
    table: string,
  ) => `select number as found_number, museum as own_museum, traits & 2147483647 as own_traits,
      coalesce((year_from + year_to + 198) / 200, 0) as century, ${failed} as failed, long_side = 0 as is_unsized, standing as own_standing,
      ${bits} as found_bits, ${marks} as strong, ${block.at} as block
    from ${table} where ${conditions}`;
  if (share === 1) return all;
  const anyWord = `found_bits & ${2 ** query.worth.length - 1} <> 0`;
  return (table) =>
    `select * from (${all(table)}) as having_some where ${anyWord} and ${shareInSql(query, 'found_bits')} >= ${share}`;
}

/** What holds of works that have all of it; undefined where none can. */
function whole({ groups, ...plan }: Plan, { years }: PlannedQuery, values: Values): string[] | undefined {
  if (groups.some(({ length }) => length === 0)) return undefined;
  const { words, exact } = neededOf({ groups, ...plan }, [...groups.keys()], values);
  return [
    ...(words === undefined ? [] : [`words @@ ${values.bind(words, 'tsquery')}`]),
    ...exact(),
    ...(years ? [isDated(years, values)] : []),
  ];
}

/** What at least holds of works that have a share of it, as far as the index can tell. */
function partly(plan: Plan, query: PlannedQuery, share: number, values: Values): string[] | undefined {
  const sets = sharingSets(query, share).filter(({ groups }) =>
    groups.every((at) => plan.groups[at]!.length > 0),
  );
  if (sets.length === 0) return undefined;
  const needed = sets.map(({ groups, isDated: dated }) => ({
    dated,
    words: neededOf(plan, groups, values).words,
  }));
  // Of one of them the index can tell nothing: whatever has it has to be looked for among all.
  if (needed.some(({ words, dated }) => words === undefined && !dated)) return [];
  // One question for all of them is one walk through the index.
  const undated = needed.flatMap(({ words, dated }) => (dated ? [] : [`(${words})`]));
  const dated = needed.flatMap(({ words, dated }) => {
    if (!dated) return [];
    const inWords = words === undefined ? [] : [`words @@ ${values.bind(words, 'tsquery')}`];
    return [`(${[...inWords, isDated(query.years!, values)].join(' and ')})`];
  });
  const any = undated.length > 0 ? [`words @@ ${values.bind(anyOf(undated), 'tsquery')}`, ...dated] : dated;
  return [`(${any.join(' or ')})`];
}

/** How many of two marks the words of a work pass: that they say much about it, and that they say a good deal. */
function strong({ groups }: Plan, values: Values): string {
  const marks = [':A', ':AB'].flatMap((labels) => {
    const words = groups.flatMap((terms) => (terms.length === 0 ? [] : (neededWords(terms, labels) ?? [])));
    return words.length === 0 ? [] : [`(words @@ ${values.bind(words.join(' & '), 'tsquery')})::integer`];
  });
  return ['0', ...marks].join(' + ');
}
