import type { ArtworkRecord } from '../../../src/features/artworks/records/record.ts';

const SAMPLE = 100;

interface Numbered {
  readonly query: string;
  /** Museums occasionally assign a number twice. */
  readonly ids: ReadonlySet<string>;
}

/**
 * For each museum: accession numbers, ids of this project, and the museum's object numbers in them, for works
 * spread evenly over it.
 */
export function numbersOf(records: readonly ArtworkRecord[]): Map<string, Numbered[][]> {
  const museums = Map.groupBy(records, ({ museum }) => museum);
  return new Map(
    [...museums].map(([museum, works]) => {
      const step = Math.max(1, works.length / SAMPLE);
      const some = Array.from(
        { length: Math.min(SAMPLE, works.length) },
        (_, at) => works[Math.floor(at * step)]!,
      );
      const numberOf = (id: string) => id.slice(museum.length + 1);
      // A number alone may refer to any museum.
      const among = (of: (record: ArtworkRecord) => string) => {
        const byNumber = Map.groupBy(records, of);
        return some
          .filter((record) => of(record) !== '')
          .map((record) => ({
            query: of(record),
            ids: new Set(byNumber.get(of(record))!.map(({ id }) => id)),
          }));
      };
      const accession = among((record) => record.accession_number);
      return [museum, [accession, among(({ id }) => id), among(({ id }) => numberOf(id))]] as const;
    }),
  );
}
