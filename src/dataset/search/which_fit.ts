import type { Database } from '../../database/contract.ts';
import type { Among, Facets, LeftOut } from './contract.ts';
import { lookUp } from './look_up.ts';
import { matchSegment } from './match.ts';
import { openIndex } from './open_index.ts';
import type { ParsedQuery } from './parse_query.ts';
import { createTally } from './tally.ts';

/** Of some works, by their numbers, those that fit, and how they are spread. */
export interface Fitting {
  readonly numbers: ReadonlySet<number>;
  /** Of those among them that `select` takes, all where it is left out. */
  facets(select?: (number: number) => boolean): Facets;
  readonly leftOut: LeftOut;
}

/**
 * Which of these works, by their numbers, are of the museum, pass the filters and have every word and date that is asked for and nothing
 * that is excluded. Nothing is given up to find more.
 */
export async function whichFit(
  database: Database,
  edition: number,
  asked: ParsedQuery,
  among: Among,
  works: Iterable<number>,
): Promise<Fitting> {
  const candidates = new Set(works);
  const numbers = new Set<number>();
  const tally = createTally();
  const { parts, years } = await lookUp(openIndex(database), edition, asked, among);
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
