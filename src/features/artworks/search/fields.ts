import type { ArtworkRecord } from '../records/record.ts';
import { fold, wordsOf } from './fold.ts';

/** A part of a record that words are found in. */
export interface Field {
  /** Titles, tags, names: a phrase never reaches from one into the next. Folded. */
  readonly parts: readonly string[];
  /** How much a word of it says about the work. */
  readonly weight: number;
  /** Words such a field usually has: in a longer one each says less. */
  readonly usualWords: number;
  /** Names are looked up as they are written; other words by their stem. */
  readonly areNames?: true;
  /** What the work is made of and which kind of object it is. */
  readonly isMedium?: true;
}

export const LANGUAGES = ['english', 'dutch', 'french', 'german'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Stemmers by museum; names are never stemmed. */
export const languageOf = (museum: string): Language => OTHER_THAN_ENGLISH[museum] ?? 'english';
const OTHER_THAN_ENGLISH: Readonly<Record<string, Language>> = {
  rijks: 'dutch',
  paris: 'french',
  mkg: 'german',
};

/** What a work is found by, the weightiest first. */
export function fieldsOf(record: ArtworkRecord): readonly Field[] {
  const [maker, ...helpers] = record.artists.map(({ name }) => name);
  return [
    field(4, 5, [record.title]),
    { ...field(3.5, 3, [maker ?? '']), areNames: true },
    field(2, 6, [...record.other_titles, record.series ?? '']),
    // Publishers, printers, the painter a print is made after.
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

/** Notations of Iconclass with those above them, since "25F36" is found by "25F": a hierarchy in which each sign narrows what stands before it. */
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
/** Two digits and a letter; fewer are numbers like any other. */
const BROADEST = 3;

const field = (weight: number, usualWords: number, parts: readonly string[]): Field => ({
  parts: parts.filter(Boolean).map(fold),
  weight,
  usualWords,
});

const PAINTED = /paint|schilderij|peinture|oil on/;

/** How likely people are to look for a work at all, from 0 to 1: what its museum is proud of, paintings, described works, known makers. */
export function standingOf(record: ArtworkRecord): number {
  const isPainted = PAINTED.test(fold(`${record.classification} ${record.medium}`));
  return (
    (record.highlight ? 0.4 : 0) +
    (isPainted ? 0.25 : 0) +
    (record.description !== '' ? 0.15 : 0) +
    (record.artists.length > 0 ? 0.2 : 0)
  );
}

/** A part of a record as words, each part of it in the order it is written. */
export type FieldWords = Omit<Field, 'parts'> & { readonly parts: readonly (readonly string[])[] };

/** What a work is found by, cut into words. */
export const wordsOfRecord = (record: ArtworkRecord): readonly FieldWords[] =>
  fieldsOf(record).map(({ parts, ...field }) => ({ ...field, parts: parts.map(wordsOf) }));

/** Different words of a record that people may mistype, numbers and short ones among them: of its titles, makers and subjects. */
export const subjectWords = (fields: readonly FieldWords[]): Set<string> =>
  new Set(fields.slice(0, -2).flatMap(({ parts }) => parts.flat()));
