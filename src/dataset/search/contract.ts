import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';

export interface Search {
  readonly query: string;
  readonly museum?: MuseumName | undefined;
  readonly limit: number;
}

export interface Found {
  readonly hits: readonly { readonly record: ArtworkRecord; readonly why: string }[];
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
