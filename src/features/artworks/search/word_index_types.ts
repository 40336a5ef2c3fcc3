import type { WrittenRow } from '../records/record_store.ts';
import type { ParsedQuery } from './parse_query.ts';
import type { Among, Facets, LeftOut } from './types.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Full-text index over the words of works. */
export interface WordIndex {
  /** @throws AtelierError busy while the index has to be made first */
  lookUp(edition: number, asked: ParsedQuery, among: Among): Promise<LookedUp>;
  /** Takes works of a museum as an import writes them. @param vocabulary gets the words that may be mistyped */
  write(museum: string, vocabulary: Vocabulary): WordWriter;
  /**
   * Completes what an edition is searched by of a museum, before the edition is published; it may be cut short at any moment and done again.
   * @param written what the import that makes the edition wrote of the museum
   */
  complete(museum: string, edition: number, written: Written): Promise<void>;
}

interface Written {
  readonly writer: WordWriter | undefined;
  readonly vocabulary: Vocabulary;
}

export interface WordWriter {
  /** The number of the first work that came; Infinity before one has. */
  readonly first: number;
  add(works: readonly WrittenRow[]): Promise<void>;
  /** Writes what is left; answers the ids of segments, if it makes any. */
  finish(): Promise<number[]>;
}

/** A query with what is known of its words. */
export interface LookedUp {
  /** Of each group what it counts where a work has some of them and not all. */
  readonly worth: readonly number[];
  readonly hasYears: boolean;
  /** A museum or a filter is asked for: without words every work that passes is found. */
  readonly isFiltered: boolean;
  /** About how many works have each word of the query that may be an error. */
  readonly words: ReadonlyMap<string, number>;
  /** Words of the query that are in the name of a maker. */
  readonly names: ReadonlySet<string>;
  /** How many works were looked among. */
  readonly works: number;
  /** Ranks the works that have all that is asked for, or at least a share of it; those that have all come first. */
  rank(limit: number, share?: number): Promise<Ranked>;
  /** The largest share of what is asked for that any work has that passes the filters. */
  largestShare(): Promise<number>;
  /** Of some works, by their numbers, those that have all that is asked for and pass the filters. */
  fit(candidates: ReadonlySet<number>): Promise<Fitting>;
}

/** Of some works, by their numbers, those that fit, and how they are spread. */
export interface Fitting {
  readonly numbers: ReadonlySet<number>;
  /** Of those among them that `select` takes, all where it is left out. */
  facets(select?: (number: number) => boolean): Facets;
  readonly leftOut: LeftOut;
}

export interface Ranked {
  /** Numbers of the best works, the best first, with the bits of what was found. */
  readonly best: readonly { readonly number: number; readonly found: number }[];
  readonly total: number;
  readonly facets: Facets;
  /** Works that have as much of what is asked for, and that filters leave out. */
  readonly leftOut: LeftOut;
}
