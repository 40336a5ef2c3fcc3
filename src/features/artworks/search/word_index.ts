import type { Database } from '../../../core/database/types.ts';
import { createSegments, indexMuseum } from './index_museum.ts';
import { deleteOldIndexes } from './index_store.ts';
import { type FoundLists, lookUp } from './look_up.ts';
import { matchSegment } from './match.ts';
import { openIndex } from './open_index.ts';
import { largestShare, rank } from './rank.ts';
import { createTally } from './tally.ts';
import type { Fitting, WordIndex } from './word_index_types.ts';

const INDEXES = new WeakMap<Database, WordIndex>();

/** The word index of a database, opened once for each. */
export function wordIndexOf(database: Database): WordIndex {
  const index = INDEXES.get(database) ?? createWordIndex(database);
  INDEXES.set(database, index);
  return index;
}

/** Reads posting lists from the database on demand and joins them in this process; keeps a few bytes a work in memory. */
function createWordIndex(database: Database): WordIndex {
  const index = openIndex(database);
  return {
    async lookUp(edition, asked, among) {
      const found = await lookUp(index, edition, asked, among);
      return {
        ...found,
        hasYears: found.years !== undefined,
        rank: async (limit, share) => rank(found, limit, share),
        largestShare: async () => largestShare(found),
        fit: async (candidates) => fittingOf(found, candidates),
      };
    },
    write: (museum, vocabulary) => createSegments(database, museum, vocabulary),
    async complete(museum, edition, { writer, vocabulary }) {
      await indexMuseum(database, museum, edition, { fresh: writer, vocabulary });
      await deleteOldIndexes(database, museum, edition);
    },
  };
}

function fittingOf({ parts, years }: FoundLists, candidates: ReadonlySet<number>): Fitting {
  const numbers = new Set<number>();
  const tally = createTally();
  const places = parts.map((part) => {
    const { segment, filter } = part;
    const counted = tally.of(segment);
    const fitting: number[] = [];
    for (const place of matchSegment(part, years, true).places) {
      const number = segment.numbers[place]!;
      if (!candidates.has(number)) continue;
      const failed = filter ? filter(place) : 0;
      if (failed !== 0) counted.leaveOut(place, failed);
      else {
        numbers.add(number);
        fitting.push(place);
      }
    }
    return { segment, fitting };
  });
  return {
    numbers,
    facets(select = () => true) {
      const own = createTally();
      for (const { segment, fitting } of places) {
        const counted = own.of(segment);
        counted.add(fitting.filter((place) => select(segment.numbers[place]!)));
      }
      return own.facets();
    },
    leftOut: tally.leftOut(),
  };
}
