import { readFileSync } from 'node:fs';

/**
 * Grades the relevance of a record for a query by the museum's own texts. Depends on Node only, so that the
 * folder works on its own.
 */

export interface Query {
  readonly id: string;
  readonly kind: string;
  readonly query: string;
  readonly relevant: Rule;
}

/** The queries of the benchmark. */
export const readQueries = (): Query[] =>
  (JSON.parse(readFileSync(new URL('./queries.json', import.meta.url), 'utf8')) as { queries: Query[] })
    .queries;

/** Source of a regular expression, for folded text. */
type Pattern = string | RegExp;

/** Conditions for a record; all present parts must match. */
export interface Rule {
  readonly ids?: readonly string[];
  /** In title, other titles or subjects. */
  readonly shown?: Pattern;
  /** In the names of the makers. */
  readonly maker?: Pattern;
  /** In kind of object and medium. */
  readonly kind?: Pattern;
  /** In culture, subjects and the nationality of the makers. */
  readonly place?: Pattern;
  /** At least half of the possible years of the work are in this range. */
  readonly years?: readonly [number, number];
}

/** A line of the corpus: a record of `artworks.jsonl`, or one of `batch_download`. */
export interface Work {
  readonly id: string;
  readonly title: string;
  readonly other_titles?: readonly string[];
  readonly artists?: readonly (string | { readonly name: string; readonly nationality?: string })[];
  readonly artist_nationalities?: readonly string[];
  readonly year_from?: number | null;
  readonly year_to?: number | null;
  readonly medium?: string;
  readonly classification?: string;
  readonly culture?: string;
  readonly tags?: readonly string[];
}

/** 3: in the title. 2: in another title or a subject. 1: one of several parts is missing. 0: not relevant. */
export type Grade = 0 | 1 | 2 | 3;

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Lower case without accents. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter]!)
    .replace(/[’‘ʼ`´]/g, "'");

/** Texts of a record, folded once for all queries. */
export interface Folded {
  readonly id: string;
  readonly title: string;
  readonly shown: string;
  readonly maker: string;
  readonly kind: string;
  readonly place: string;
  readonly years: readonly [number, number] | undefined;
}

export function foldWork(work: Work): Folded {
  const makers = (work.artists ?? []).map((one) => (typeof one === 'string' ? { name: one } : one));
  const tags = work.tags ?? [];
  const nationalities = [
    ...makers.map((one) => ('nationality' in one ? (one.nationality ?? '') : '')),
    ...(work.artist_nationalities ?? []),
  ];
  const joined = (parts: readonly string[]) => fold(parts.join(' | '));
  const { year_from: from, year_to: to } = work;
  return {
    id: work.id,
    title: fold(work.title),
    shown: joined([work.title, ...(work.other_titles ?? []), ...tags]),
    maker: joined(makers.map(({ name }) => name)),
    kind: joined([work.classification ?? '', work.medium ?? '']),
    place: joined([work.culture ?? '', ...tags, ...nationalities]),
    years: typeof from === 'number' && typeof to === 'number' ? [from, to] : undefined,
  };
}

/** Compiles the rule of a query into a function for every record. */
export function graderOf({ ids, shown, maker, kind, place, years }: Rule): (work: Folded) => Grade {
  const pattern = (source: Pattern | undefined) => (source === undefined ? undefined : new RegExp(source));
  const [ofShown, ofMaker, ofKind, ofPlace] = [shown, maker, kind, place].map(pattern);
  const known = ids && new Set(ids);
  return (work) => {
    if (known && !known.has(work.id)) return 0;
    const isShown = ofShown?.test(work.shown);
    const isMaker = ofMaker?.test(work.maker);
    const parts = [
      isShown,
      isMaker,
      ofKind?.test(work.kind),
      ofPlace?.test(work.place),
      years && isFrom(work.years, years),
    ];
    const missing = parts.filter((holds) => holds === false).length;
    if (missing === 0) return !ofShown || ofShown.test(work.title) ? 3 : 2;
    const hasSubject = ofShown ? isShown : isMaker;
    return missing === 1 && hasSubject ? 1 : 0;
  };
}

function isFrom(years: Folded['years'], [from, to]: readonly [number, number]): boolean {
  if (!years) return false;
  const shared = Math.min(years[1], to) - Math.max(years[0], from) + 1;
  return 2 * shared >= years[1] - years[0] + 1;
}
