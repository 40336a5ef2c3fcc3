import type { Database } from '../../database/contract.ts';
import type { MuseumName } from '../museums/museums.ts';
import { lookUp } from './look_up.ts';
import { matchSegment } from './match.ts';
import { openIndex } from './open_index.ts';
import type { ParsedQuery } from './parse_query.ts';

/**
 * Which of these works, by their numbers, are of the museum and have every word and date that is asked for and nothing
 * that is excluded. Nothing is given up to find more.
 */
export async function whichFit(
  database: Database,
  edition: number,
  asked: ParsedQuery,
  museum: MuseumName | undefined,
  works: Iterable<number>,
): Promise<Set<number>> {
  const candidates = new Set(works);
  const fitting = new Set<number>();
  const { parts, years } = await lookUp(openIndex(database), edition, asked, museum);
  for (const part of parts) {
    const { numbers } = part.segment;
    for (const place of matchSegment(part, years, true).places) {
      const number = numbers[place]!;
      if (candidates.has(number)) fitting.add(number);
    }
  }
  return fitting;
}
