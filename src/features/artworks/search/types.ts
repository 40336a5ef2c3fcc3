import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Language } from './fields.ts';
import type { YearRange } from './query_years.ts';

/** Filters by their names in the API. The index is the bit of a failed filter. */
export const FILTER_NAMES = [
  'licence',
  'has_image',
  'min_px',
  'medium',
  'century',
  'years',
  'height_cm',
  'width_cm',
  'area',
] as const;
type FilterName = (typeof FILTER_NAMES)[number];

export const FAILS = {
  licence: 1,
  has_image: 2,
  min_px: 4,
  medium: 8,
  century: 16,
  years: 32,
  height_cm: 64,
  width_cm: 128,
  area: 256,
} as const satisfies Record<FilterName, number>;

export interface Search extends Among {
  readonly query: string;
  readonly limit: number;
  /** Works to skip; absent: none. */
  readonly offset?: number | undefined;
}

/** The set of works to search. */
export interface Among {
  readonly museum?: MuseumName | undefined;
  /** Absent: no filter. */
  readonly filters?: Filters | undefined;
}

/** Conditions for every result. A work with an unknown value fails. */
export interface Filters {
  /** Only works that their museum dedicates to the public domain by CC0. */
  readonly isCc0: boolean;
  /** Only works whose record has an image address. */
  readonly hasImage: boolean;
  /** Minimum long side of the image in pixels; 0: any. */
  readonly longSideMin: number;
  /** Bit set of accepted kinds (kinds.ts); 0: any. */
  readonly kinds: number;
  /** Any term of each group must occur in the medium or the kind of object. */
  readonly mediumWords: readonly (readonly Term[])[];
  readonly century?: YearRange | undefined;
  readonly years?: YearRange | undefined;
  /** Size of the work itself. */
  readonly height?: SizeRange | undefined;
  readonly width?: SizeRange | undefined;
  /** At least one place of the work is inside. */
  readonly area?: Area | undefined;
}

/** An area on the map, in degrees, WGS 84. */
export type Area =
  | { readonly latitude: number; readonly longitude: number; readonly km: number }
  | { readonly south: number; readonly west: number; readonly north: number; readonly east: number };

/** Limits in millimetres, both inclusive. */
export interface SizeRange {
  readonly from: number;
  readonly to: number;
}

/** Works that match the query but fail filters. */
export interface LeftOut {
  readonly works: number;
  /** By filter: works excluded by that filter alone. */
  readonly alone: Readonly<Partial<Record<FilterName, number>>>;
  /** Of the works excluded by size alone: those of unknown size. */
  readonly sizeUnknown: number;
}

/** A similar work. The reason is only worded when it is shown. */
export interface SimilarHit {
  readonly id: string;
  why(): string;
}

export interface Hit {
  readonly record: ArtworkRecord;
  readonly why: string;
  /** Parts of the query that the work lacks, as typed; absent for a full match. */
  readonly missing?: readonly string[];
}

export interface Found {
  readonly hits: readonly Hit[];
  /** Number of all matches, regardless of the page size. */
  readonly total: number;
  readonly facets: Facets;
  /** Absent without filters. */
  readonly leftOut?: LeftOut;
  /** The query after typo correction. */
  readonly didYouMean?: string;
  /** Conditions dropped to find any results, as sentences. */
  readonly relaxed: readonly string[];
  /** Why nothing could be found whatever the records say, as a sentence. */
  readonly unsearched?: string;
  /** The query named works by number; nothing else was searched. */
  readonly isByNumber?: true;
}

/** Number of works per facet value. */
export interface Facets {
  readonly museum: Record<string, number>;
  readonly century: Record<string, number>;
  /** By kind; a work may have two. */
  readonly medium: Record<string, number>;
  /** Number of works per licence filter: CC0 also counts as public domain. */
  readonly licence: Record<string, number>;
}

/** One folded term to search for. */
export interface Term {
  readonly text: string;
  /** Languages of the catalogues to search; absent: all. */
  readonly languages?: readonly Language[];
  /** Typed in quotes: no synonyms. */
  readonly isQuoted?: true;
  /** A related word with a broader or narrower meaning: a crab, for lobsters. */
  readonly isRelated?: true;
  /** A narrower term: a horse, for animals. */
  readonly isNarrower?: true;
  /** Type of object or medium, searched only in those fields. */
  readonly isMedium?: true;
  /** Describes the setting or accessory of an earlier word. Set on the typed term only. */
  readonly isSetting?: true;
  /** The main subject of a sentence. Set on the typed term only. */
  readonly isSubject?: true;
  /** Finds works of these kinds (a bit each, kinds.ts) instead of the words. */
  readonly kinds?: number;
  /** Finds works of this period and place instead of the words. */
  readonly period?: Period;
}

export interface Period {
  /** First and last year. */
  readonly from: number;
  readonly to: number;
  /** Any of these places; empty: anywhere. */
  readonly places: readonly string[];
}
