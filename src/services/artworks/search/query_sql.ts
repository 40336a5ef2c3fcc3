import { LANGUAGES } from './searchable.ts';

/** Configurations a wording is looked up under: names are indexed unstemmed, the rest by the language of the museum. */
const CONFIGURATIONS = ['simple', ...LANGUAGES];

/** SQL and values that make PostgreSQL turn wordings into one tsquery. */
export function tsquerySql(groups: readonly (readonly string[])[], excluded: readonly string[]) {
  const values: string[] = [];
  const wording = (text: string) => {
    values.push(text);
    const place = `$${values.length}`;
    return CONFIGURATIONS.map((name) => `phraseto_tsquery('${name}', ${place})`).join(' || ');
  };
  const wanted = groups.map((wordings) => `(${wordings.map(wording).join(' || ')})`);
  const unwanted = excluded.map((text) => `!! (${wording(text)})`);
  return { text: `select (${[...wanted, ...unwanted].join(' && ')})::text as query`, values };
}
