import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Language } from './fields.ts';
import type { YearRange } from './query_years.ts';

/** Filters as callers name them; a work fails some of them, the bit of each by its place here. */
export const FILTER_NAMES = ['licence', 'has_image', 'min_px', 'medium', 'century', 'years'] as const;
type FilterName = (typeof FILTER_NAMES)[number];

export const FAILS = {
  licence: 1,
  has_image: 2,
  min_px: 4,
  medium: 8,
  century: 16,
  years: 32,
} as const satisfies Record<FilterName, number>;

export interface Search extends Among {
  readonly query: string;
  readonly limit: number;
  /** Works that are passed over first; absent: none. */
  readonly offset?: number | undefined;
}

/** Which works are looked among at all. */
export interface Among {
  readonly museum?: MuseumName | undefined;
  /** Absent: any. */
  readonly filters?: Filters | undefined;
}

/** What has to hold of every work that is found. What is not known of a work does not hold. */
export interface Filters {
  /** Only works that their museum dedicates to the public domain. */
  readonly isCc0: boolean;
  /** Only works whose record names a picture. */
  readonly hasImage: boolean;
  /** Pixels the long side of the picture has at least; 0: any. */
  readonly longSideMin: number;
  /** Any one of these kinds (kinds.ts), a bit each; 0: any. */
  readonly kinds: number;
  /** Of each group any term has to stand in the medium or the kind of object. */
  readonly mediumWords: readonly (readonly Term[])[];
  readonly century?: YearRange | undefined;
  readonly years?: YearRange | undefined;
}

/** Works that filters leave out of those that have what the query asks for. */
export interface LeftOut {
  readonly works: number;
  /** By filter, those that it alone leaves out: without it they would be found. */
  readonly alone: Readonly<Partial<Record<FilterName, number>>>;
  /** Of the works excluded by size alone: those of unknown size. */
  readonly sizeUnknown: number;
}

export interface Hit {
  readonly record: ArtworkRecord;
  readonly why: string;
  /** What of the query the work does not have, as it was typed; absent where it has all. */
  readonly missing?: readonly string[];
}

export interface Found {
  readonly hits: readonly Hit[];
  /** All works that were found, however many are shown. */
  readonly total: number;
  readonly facets: Facets;
  /** Absent where no filter was asked for. */
  readonly leftOut?: LeftOut;
  /** The query as it was understood after typing errors were repaired. */
  readonly didYouMean?: string;
  /** What was given up to find anything, in words. */
  readonly relaxed: readonly string[];
  /** The query named the works by their number; nothing else was looked for. */
  readonly isByNumber?: true;
}

/** How many works each has. */
export interface Facets {
  readonly museum: Record<string, number>;
  readonly century: Record<string, number>;
  /** By kind; a work may be of two. */
  readonly medium: Record<string, number>;
  /** What each licence would find: CC0 is in the public domain, too. */
  readonly licence: Record<string, number>;
}

/** One wording of what is looked for, folded. */
export interface Term {
  readonly text: string;
  /** Of the catalogues it is looked for in; absent: all. */
  readonly languages?: readonly Language[];
  /** It was typed in quotes, and means nothing else. */
  readonly isQuoted?: true;
  /** Works from there and then instead of works that have the words. */
  readonly period?: Period;
}

export interface Period {
  /** First and last year. */
  readonly from: number;
  readonly to: number;
  /** Any one of these; none: wherever. */
  readonly places: readonly string[];
}
