import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Language } from './fields.ts';

export interface Search {
  readonly query: string;
  readonly museum?: MuseumName | undefined;
  readonly limit: number;
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
  readonly facets: { readonly museum: Record<string, number>; readonly century: Record<string, number> };
  /** The query as it was understood after typing errors were repaired. */
  readonly didYouMean?: string;
  /** What was given up to find anything, in words. */
  readonly relaxed: readonly string[];
  /** The query named the works by their number; nothing else was looked for. */
  readonly isByNumber?: true;
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
