import type { ArtworkRecord } from '../records/record.ts';
import { fieldsOf } from './fields.ts';
import { fold, wordsOf } from './fold.ts';
import type { ParsedQuery } from './parse_query.ts';

/** Length of the prefix that two forms of a word must share. */
const STEM = 4;

/** Names the fields in which a query was found: "title, medium". */
export function matchReason(record: ArtworkRecord, { groups, years }: ParsedQuery): string {
  if (groups.length === 0 && !years) return 'filters';
  const wanted = groups.flat().map(({ text }) => text);
  const fields = {
    title: [record.title, ...record.other_titles].join(' '),
    artist: record.artists.map(({ name }) => name).join(' '),
    medium: record.medium,
    classification: record.classification,
    subject: record.tags.join(' '),
    culture: record.culture,
    description: record.description,
    iconclass: (record.iconclass ?? []).join(' '),
  };
  const found = Object.entries(fields)
    .filter(([, value]) => has(value, wanted))
    .map(([name]) => name);
  return [...found, ...(isDated(record, years) ? ['date'] : [])].join(', ') || 'several fields';
}

const LATIN = /[a-z]/;

/**
 * Whether a record contains the query words themselves, not only words with the same stem.
 * @param found bit set of the matched groups
 */
export function hasWords(record: ArtworkRecord, { groups }: ParsedQuery, found: number): boolean {
  const words = fieldsOf(record)
    .flatMap(({ parts }) => parts.flatMap(wordsOf))
    .join(' ');
  return groups.every(
    (terms, at) =>
      !(found & (1 << at)) ||
      terms.some(({ text, period, kinds }) => period || kinds || !LATIN.test(text) || has(words, [text])),
  );
}

function has(value: string, wanted: readonly string[]): boolean {
  const text = ` ${fold(value)}`;
  return wanted.some((word) => text.includes(` ${word.slice(0, Math.max(STEM, word.length - 2))}`));
}

const isDated = ({ year_from, year_to }: ArtworkRecord, years: ParsedQuery['years']): boolean =>
  years !== undefined &&
  year_from !== null &&
  year_to !== null &&
  year_to >= (years.from ?? year_to) &&
  year_from <= (years.to ?? year_from);
