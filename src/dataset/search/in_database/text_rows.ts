import type { WrittenRow } from '../../records/record_store.ts';
import { type FieldWords, standingOf, wordsOfRecord } from '../fields.ts';
import { entriesOf, impactOf } from '../segment_builder.ts';
import type { Stemmer } from '../stems.ts';
import { longSideOf, traitsOf } from '../traits.ts';
import { labelsOf } from './impact_labels.ts';

/** A work as the tables of the index have it. */
export interface TextRow {
  readonly number: number;
  readonly museum: string;
  readonly year_from: number | null;
  readonly year_to: number | null;
  readonly standing: number;
  readonly traits: number;
  readonly long_side: number;
  /** Texts of a `tsvector` each. */
  readonly words: string;
  readonly places: string;
}

/** PostgreSQL keeps no longer words, no later places and no more of them for one word. */
const WORD_CHARACTERS_MAX = 200;
const PLACE_MAX = 16_383;
const PLACES_A_WORD_MAX = 255;

/** What is kept of a word, and looked for. */
export const lexemeOf = (word: string): string => word.slice(0, WORD_CHARACTERS_MAX);

/** A lexeme as PostgreSQL reads it in the text of a `tsvector` or a `tsquery`. */
export const quoted = (word: string): string =>
  `'${lexemeOf(word).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** What the index keeps of a work, and the words that are counted with it. */
export function rowOf(
  { number, record }: WrittenRow,
  stem: Stemmer,
  fields: readonly FieldWords[] = wordsOfRecord(record),
): { row: TextRow; lexemes: string[] } {
  const words: string[] = [];
  const places: string[] = [];
  const lexemes: string[] = [];
  for (const [word, { weight, positions }] of entriesOf(fields, stem)) {
    lexemes.push(lexemeOf(word));
    // Of a word in a maker's name it is only counted how many works have it.
    if (positions.length === 0) continue;
    words.push(`${quoted(word)}:${labelsOf(impactOf(weight))}`);
    const kept = positions.filter((place) => place <= PLACE_MAX).slice(0, PLACES_A_WORD_MAX);
    if (kept.length > 0) places.push(`${quoted(word)}:${kept}`);
  }
  const row = {
    ...{ number, museum: record.museum, year_from: record.year_from, year_to: record.year_to },
    ...columnsOf(record),
    standing: Math.round(255 * standingOf(record)),
    words: words.join(' '),
    places: places.join(' '),
  };
  return { row, lexemes };
}

/** What filters ask of a record. The bits are those of a signed number here. */
export const columnsOf = (record: WrittenRow['record']): Pick<TextRow, 'traits' | 'long_side'> => ({
  traits: traitsOf(record) | 0,
  long_side: longSideOf(record),
});
