import type { Database } from '../../../database/contract.ts';
import type { Reserve } from '../../../services/visits/contract.ts';
import { reserveNothing } from '../../../services/visits/visits.ts';
import { LOOK_CANDIDATES_MAX } from '../../limits.ts';
import type { IndexParts } from '../../search/in_database/ask_parts.ts';
import { indexBeingMade, inTime } from '../../search/open_index.ts';
import { followLooks, packRows } from '../follow_looks.ts';
import { hitsOf, type LookHit } from '../look_hit.ts';
import type { LookIndex, ShippedLook } from '../look_index.ts';
import { countLooksOf, readLooksByNumber, readLooksOf } from '../look_store.ts';
import type { PackedLooks } from '../packed_looks.ts';
import { type LookAsked, rankLooks } from '../rank_looks.ts';
import { type Folded, type ListsState, readState } from './block_store.ts';
import { findCandidates } from './find_candidates.ts';
import { foldLooks } from './fold_looks.ts';

/** Fewer new looks are compared one by one, by every process for itself. */
const FOLDED_MIN = 4096;
/** With more of them a search waits until they are in lists. */
const RECENT_MAX = 4 * FOLDED_MIN;
/** Looks that are compared exactly beyond those wanted: colours of lists are a little off. */
const COMPARED_MORE = 200;

interface Placed {
  readonly parts: IndexParts;
  readonly shipped: readonly ShippedLook[];
  /** Hears why looks were not put into lists; they are compared one by one until they are. */
  report(error: unknown): void;
  /** Counts what a search reads; absent: nobody does. */
  readonly reserve?: Reserve;
}

/**
 * Works by what their pictures look like, from lists of colours and bands of hashes in the database: in memory are the looks that came since, some
 * thousand, and those that are shipped. What is found is compared exactly; what is not among the best of the lists is not found.
 */
export function createDatabaseLooks(
  database: Database,
  { parts, shipped, report, reserve = reserveNothing }: Placed,
): LookIndex {
  let recent: { of: Folded; follow: ReturnType<typeof followLooks> } | undefined;
  let folding: Promise<boolean> | undefined;
  const fold = () => {
    folding ??= foldLooks(database).finally(() => {
      folding = undefined;
    });
    return folding;
  };
  const ready = async (): Promise<ListsState> => {
    const state = await readState(database);
    if (state.last - state.folded <= RECENT_MAX) return state;
    if (!(await inTime(fold()))) throw indexBeingMade();
    return readState(database);
  };
  const looksSince = async (state: ListsState): Promise<PackedLooks> => {
    if (recent?.of.folded !== state.folded) {
      const ids = shipped.map(({ id }) => id);
      const measured = new Set((await readLooksOf(database, ids, state.folded)).map(({ id }) => id));
      const others = shipped.filter(({ id }) => !measured.has(id));
      recent = { of: state, follow: followLooks(database, others, state.folded) };
    }
    return recent.follow();
  };
  return {
    async search(asked, { limit = LOOK_CANDIDATES_MAX, ids } = {}) {
      const state = await ready();
      const since = await looksSince(state);
      // Nobody waits for it: until it is done they are compared one by one.
      if (since.size >= FOLDED_MIN) fold().catch(report);
      if (ids) {
        const looks = packRows(await readLooksOf(database, [...ids], state.folded));
        const places = [...ids].flatMap((id) => since.placeOf(id) ?? []);
        return { hits: await ranked([{ looks }, { looks: since, places }], asked, limit) };
      }
      const { numbers, away } = await findCandidates({ parts, state, reserve }, asked, limit + COMPARED_MORE);
      const looks = packRows(await readLooksByNumber(database, numbers));
      return { hits: await ranked([{ looks }, { looks: since }], asked, limit), ...(away && { away }) };
    },
    async size() {
      const { looks } = await readState(database);
      const ids = shipped.map(({ id }) => id);
      return looks + ids.length - (await countLooksOf(database, ids));
    },
  };
}

/** The likest of several lots of looks. @param lots each with the places of those to compare; absent: all */
async function ranked(
  lots: readonly { readonly looks: PackedLooks; readonly places?: readonly number[] }[],
  asked: LookAsked,
  limit: number,
): Promise<LookHit[]> {
  const hits: LookHit[] = [];
  for (const { looks, places } of lots)
    hits.push(...hitsOf(looks, asked, await rankLooks(looks, asked, places)));
  return hits.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1)).slice(0, limit);
}
