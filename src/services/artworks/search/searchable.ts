import type { ArtworkRecord } from '../record.ts';
import { fold, wordsOf } from './fold.ts';

/** What a work is found by, folded. `language` names the stemmer of its museum. */
export interface Searchable {
  readonly language: Language;
  readonly title: string;
  readonly makers: string;
  /** Medium, kind, subjects, culture. */
  readonly about: string;
  readonly rest: string;
  /** Lexemes that no text has, to filter inside the index. */
  readonly marks: readonly string[];
}

export const LANGUAGES = ['english', 'dutch', 'french'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Works people are likely to look for; they are searched first, so that common words cost no more than rare ones. */
export const TOP = '~top';
export const museumMark = (museum: string): string => `~museum:${museum}`;

/** Works of a longer span have one mark for all decades, as asking for so many would be no help. */
const DECADES_MAX = 12;
const MANY_DECADES = '~decade:many';

/** One of these is on every work that may be from these years; undefined where the years are too many to say so. */
export function decadeMarks(from: number, to: number): string[] | undefined {
  const [first, last] = [Math.floor(from / 10), Math.floor(to / 10)];
  if (last - first >= DECADES_MAX) return undefined;
  return Array.from({ length: last - first + 1 }, (_, at) => `~decade:${first + at}`);
}

export const decadesAsked = (from: number, to: number): string[] | undefined => {
  const marks = decadeMarks(from, to);
  return marks && [...marks, MANY_DECADES];
};

/** Stemmers by museum; names are never stemmed. */
export const languageOf = (museum: string): Language =>
  museum === 'rijks' ? 'dutch' : museum === 'paris' ? 'french' : 'english';

export function searchable(record: ArtworkRecord): Searchable {
  const joined = (...parts: readonly string[]) => fold(parts.filter(Boolean).join(' . '));
  return {
    language: languageOf(record.museum),
    title: joined(record.title, ...record.other_titles),
    makers: joined(...record.artists.map(({ name }) => name)),
    about: joined(record.medium, record.classification, record.culture, ...record.tags),
    rest: joined(
      record.description,
      record.date,
      record.department,
      record.credit_line,
      record.accession_number,
      ...record.artists.map(({ nationality }) => nationality),
    ),
    marks: [museumMark(record.museum), ...datesOf(record), ...(isTop(record) ? [TOP] : [])],
  };
}

const datesOf = ({ year_from, year_to }: ArtworkRecord): string[] =>
  year_from === null || year_to === null ? [] : (decadeMarks(year_from, year_to) ?? [MANY_DECADES]);

const PAINTED = /paint|schilderij|peinture|oil on/;

/** What its museum is proud of, and paintings and described works by somebody known. */
function isTop(record: ArtworkRecord): boolean {
  if (record.highlight) return true;
  const isKnown = record.artists.length > 0;
  return (
    isKnown && (record.description !== '' || PAINTED.test(fold(`${record.classification} ${record.medium}`)))
  );
}

/** Different words of a record that people may mistype: of its title, makers and subjects. */
export function vocabularyOf({ title, makers, about }: Searchable): Set<string> {
  const words = wordsOf(`${title} ${makers} ${about}`);
  return new Set(words.filter((word) => word.length >= 4 && word.length <= 24 && /^\p{L}+$/u.test(word)));
}
