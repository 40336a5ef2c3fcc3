import type { Database } from '../../../database/index.ts';
import { lookUp } from '../search/look_up.ts';
import { matchSegment } from '../search/match.ts';
import { openIndex } from '../search/open_index.ts';
import type { ParsedQuery } from '../search/parse_query.ts';

/** Says of the number of a work in an edition whether all words and the date of a query hold of it, and no exclusion. */
export async function wordsFilter(
  database: Database,
  edition: number,
  { groups, excluded, years }: ParsedQuery,
): Promise<(number: number) => boolean> {
  const numbersOf = async (parsed: ParsedQuery) => {
    const { parts } = await lookUp(openIndex(database), edition, parsed);
    const numbers = new Set<number>();
    for (const part of parts) {
      for (const place of matchSegment(part, parsed.years, true).places)
        numbers.add(part.segment.numbers[place]!);
    }
    return numbers;
  };
  if (groups.length > 0 || years) {
    const wanted = await numbersOf({ groups, excluded, ...(years && { years }) });
    return (number) => wanted.has(number);
  }
  const unwanted = excluded.length > 0 ? await numbersOf({ groups: [excluded], excluded: [] }) : undefined;
  return (number) => !unwanted?.has(number);
}
