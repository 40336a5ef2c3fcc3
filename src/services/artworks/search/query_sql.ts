import { LANGUAGES } from './searchable.ts';

/** Configurations a wording is looked up under: names are indexed unstemmed, the rest by the language of the museum. */
const CONFIGURATIONS = ['simple', ...LANGUAGES];

/**
 * SQL and values that make PostgreSQL turn each list of wordings into one tsquery, as text, in which nothing comes twice.
 * A list of which nothing remains (stop words) is null.
 */
export function tsquerySql(lists: readonly (readonly string[])[]) {
  const values: string[] = [];
  const queries = (wording: string) => {
    values.push(wording);
    return CONFIGURATIONS.map((name) => `phraseto_tsquery('${name}', $${values.length})`);
  };
  const columns = lists.map(
    (wordings) =>
      `(select string_agg(distinct query::text, ' | ') from unnest(array[${wordings.flatMap(queries).join(', ')}]) as query where numnode(query) > 0)`,
  );
  return { text: `select array[${columns.join(', ')}]::text[] as queries`, values };
}
