import type { ArtworkRecord } from '../records/record.ts';
import { fold, wordsOf } from './fold.ts';

/** A searchable part of a record. */
export interface Field {
  /** Separate texts, such as titles, tags and names, folded: a phrase never spans two of them. */
  readonly parts: readonly string[];
  /** Weight of a word in this field. */
  readonly weight: number;
  /** Usual length in words: words of a longer field weigh less. */
  readonly usualWords: number;
  /** Names are indexed in their exact form; other words by their stem. */
  readonly areNames?: true;
  /** Medium or type of object. */
  readonly isMedium?: true;
}

export const LANGUAGES = ['english', 'dutch', 'french', 'german'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Stemmer language by museum. Names are never stemmed. */
export const languageOf = (museum: string): Language => OTHER_THAN_ENGLISH[museum] ?? 'english';
const OTHER_THAN_ENGLISH: Readonly<Record<string, Language>> = {
  rijks: 'dutch',
  paris: 'french',
  mkg: 'german',
};

/** Searchable fields of a record, highest weight first. */
export function fieldsOf(record: ArtworkRecord): readonly Field[] {
  const [maker, ...helpers] = record.artists.map(({ name }) => name);
  return [
    field(4, 5, [record.title]),
    { ...field(3.5, 3, [maker ?? '']), areNames: true },
    field(2, 6, [...record.other_titles, record.series ?? '']),
    // Publishers, printers, and the painter of the model for a print.
    { ...field(1.5, 4, helpers), areNames: true },
    { ...field(1.5, 4, [record.medium, record.classification]), isMedium: true },
    field(1.5, 6, [record.culture, ...record.tags]),
    field(0.6, 40, [record.description]),
    field(0.4, 12, [
      record.date,
      record.department,
      record.credit_line,
      record.accession_number,
      ...notationWords(record.iconclass),
      ...record.artists.map(({ nationality }) => nationality),
    ]),
  ];
}

/**
 * Iconclass notations with all their parents, so that "25F" finds "25F36": a hierarchy in which each
 * character narrows the preceding ones.
 */
const notationWords = (notations: readonly string[] = []): string[] => [
  ...new Set(
    notations.flatMap((notation) => {
      const [code = ''] = notation.split('(');
      return [
        notation,
        ...Array.from({ length: Math.max(0, code.length - BROADEST) }, (_, at) =>
          code.slice(0, BROADEST + at),
        ),
      ];
    }),
  ),
];
/** Two digits and a letter. Shorter notations would be ordinary numbers. */
const BROADEST = 3;

const field = (weight: number, usualWords: number, parts: readonly string[]): Field => ({
  parts: parts.filter(Boolean).map(fold),
  weight,
  usualWords,
});

const PAINTED = /paint|schilderij|peinture|oil on/;

/** Static rank, 0 to 1: prefers highlights, paintings, described works and known makers. */
export function staticRankOf(record: ArtworkRecord): number {
  const isPainted = PAINTED.test(fold(`${record.classification} ${record.medium}`));
  return (
    (record.highlight ? 0.4 : 0) +
    (isPainted ? 0.25 : 0) +
    (record.description !== '' ? 0.15 : 0) +
    (record.artists.length > 0 ? 0.2 : 0)
  );
}

/** A field split into words, text by text, in order. */
export type FieldWords = Omit<Field, 'parts'> & { readonly parts: readonly (readonly string[])[] };

/** Searchable fields of a record, split into words. */
export const wordsOfRecord = (record: ArtworkRecord): readonly FieldWords[] =>
  fieldsOf(record).map(({ parts, ...field }) => ({ ...field, parts: parts.map(wordsOf) }));

/** Distinct words of titles, makers and subjects for typo correction, including numbers and short words. */
export const subjectWords = (fields: readonly FieldWords[]): Set<string> =>
  new Set(fields.slice(0, -2).flatMap(({ parts }) => parts.flat()));
