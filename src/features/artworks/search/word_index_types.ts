import type { WrittenRow } from '../records/record_store.ts';
import type { ParsedQuery } from './parse_query.ts';
import type { Among, Facets, LeftOut } from './types.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Full-text index over the words of works. */
export interface WordIndex {
  /**
   * @throws AtelierError busy while the index must be built first
   */
  lookUp(edition: number, asked: ParsedQuery, among: Among): Promise<LookedUp>;
  /**
   * Indexes works of a museum during an import.
   * @param vocabulary receives the words that typo correction may use
   */
  write(museum: string, vocabulary: Vocabulary): WordWriter;
  /**
   * Completes the index of a museum for an edition before the edition is published. Safe to interrupt and repeat.
   * @param written what the import of this edition wrote for the museum
   */
  complete(museum: string, edition: number, written: Written): Promise<void>;
}

interface Written {
  readonly writer: WordWriter | undefined;
  readonly vocabulary: Vocabulary;
}

export interface WordWriter {
  /** Number of the first work; Infinity before it arrives. */
  readonly first: number;
  add(works: readonly WrittenRow[]): Promise<void>;
  /** Flushes the rest. Returns the ids of the segments written. */
  finish(): Promise<number[]>;
}

/** A query with statistics of its words. */
export interface LookedUp {
  /** Term weight of each group in a partial match. */
  readonly worth: readonly number[];
  readonly hasYears: boolean;
  /** A museum or a filter is set: without words, every work that passes is a match. */
  readonly isFiltered: boolean;
  /** Approximate document frequency of each query word that may be a typo. */
  readonly words: ReadonlyMap<string, number>;
  /** Query words that occur in the name of a maker. */
  readonly names: ReadonlySet<string>;
  /** Number of works searched. */
  readonly works: number;
  /** True if a query word has so short a stem that unrelated words share it: "molen" and the town of Mol. */
  readonly isAmbiguous: boolean;
  /** Ranks full matches first, then partial matches with at least this share of the weight. */
  rank(limit: number, share?: number): Promise<Ranked>;
  /** The largest share of the weight that any work passing the filters reaches. */
  largestShare(): Promise<number>;
  /** Number of full matches at each point. */
  spread(): Promise<Spread>;
  /** Of these work numbers, those that match fully and pass the filters. */
  fit(candidates: ReadonlySet<number>): Promise<Fitting>;
}

/** Works on the map. */
export interface Spread {
  /** Full matches that pass the filters. */
  readonly works: number;
  /** Of these, works with a point; a work may be at several. */
  readonly placed: number;
  /** Most works first; in degrees, to a hundredth. */
  readonly points: readonly {
    readonly latitude: number;
    readonly longitude: number;
    readonly works: number;
  }[];
}

/** Matching works among the candidates, with their facet counts. */
export interface Fitting {
  readonly numbers: ReadonlySet<number>;
  /** Facet counts of the works that `select` accepts; default: all. */
  facets(select?: (number: number) => boolean): Facets;
  readonly leftOut: LeftOut;
}

export interface Ranked {
  /** Numbers of the best works, best first, with a bit set of the matched groups. */
  readonly best: readonly { readonly number: number; readonly found: number }[];
  readonly total: number;
  readonly facets: Facets;
  /** Works that match as much of the query but are excluded by filters. */
  readonly leftOut: LeftOut;
}
