import type { Queryable } from '../../../core/database/types.ts';
import { type LiveMoment, readLiveSince } from '../on_demand/live_store.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { type Columns, NO_YEAR } from './segment_builder.ts';
import { longSideOf, traitsOf } from './traits.ts';

const ROWS_AT_A_TIME = 500;
/** Who asked earlier may write later. */
const OVERLAP_MS = 60_000;
const BEGINNING: LiveMoment = { askedAt: new Date(0), id: '' };

type OfMuseum = Columns & { readonly museum: string };

/** Keeps what filters ask as museums have answered it since: works that were completed one by one, in place of what the edition has. */
export function createLiveColumns(database: Queryable) {
  let known: { edition: number; segments: readonly OfMuseum[]; last: LiveMoment } | undefined;
  let following: Promise<unknown> = Promise.resolve();

  const followNow = async (edition: number, segments: readonly OfMuseum[]) => {
    const isSame = known?.edition === edition && known.segments === segments;
    let last = isSame ? earlier(known!.last) : BEGINNING;
    for (;;) {
      const rows = await readLiveSince(database, edition, last, ROWS_AT_A_TIME);
      for (const { number, record } of rows) put(segments, number, record);
      last = rows.at(-1) ?? last;
      if (rows.length < ROWS_AT_A_TIME) break;
    }
    const reached = isSame && known!.last.askedAt > last.askedAt ? known!.last : last;
    known = { edition, segments, last: reached };
  };
  return {
    /** One reading after the other. */
    follow(edition: number, segments: readonly OfMuseum[]): Promise<void> {
      const next = following.then(() => followNow(edition, segments));
      following = next.catch(() => {});
      return next;
    },
  };
}

const earlier = ({ askedAt }: LiveMoment): LiveMoment => ({
  askedAt: new Date(Math.max(0, askedAt.getTime() - OVERLAP_MS)),
  id: '',
});

function put(segments: readonly OfMuseum[], number: number, record: ArtworkRecord): void {
  for (const { museum, numbers, traits, longSides, yearsFrom, yearsTo } of segments) {
    const place = museum === record.museum ? numbers.indexOf(number) : -1;
    if (place < 0) continue;
    traits[place] = traitsOf(record);
    longSides[place] = longSideOf(record);
    yearsFrom[place] = record.year_from ?? NO_YEAR;
    yearsTo[place] = record.year_to ?? NO_YEAR;
    return;
  }
}
