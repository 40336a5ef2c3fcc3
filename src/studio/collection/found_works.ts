import type { z } from 'zod';
import { callTool } from '../../call/call_tool.ts';
import type { ArtworkRecord } from '../../dataset/records/record.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import { searchArtworks } from '../../tools/dataset/search_artworks.ts';
import type { Visit } from '../contract.ts';
import { type Asked, searchInputOf } from './asked.ts';
import { type HungWork, hungWork } from './hung_work.ts';
import { WORKS_A_PAGE, WORKS_SORTED_MAX } from './limits.ts';

type SearchAnswer = z.output<typeof searchArtworks.output> & { readonly warnings?: readonly string[] };

/** What a search of the collection came to. */
export interface FoundWorks {
  readonly answer: SearchAnswer;
  /** Those of the page that is looked at. */
  readonly works: readonly HungWork[];
}

/** Why the question could not be answered as it was asked. */
export interface Misasked {
  readonly problem: string;
  /** The field to mend, where it is one. */
  readonly field?: string;
}

/** What a caller mends by asking otherwise; everything else is shown as a page of its own. */
const MENDED_BY_ASKING = [400, 404, 413, 415, 422];

/**
 * Searches in the name of the visitor, as a call of the tool does, with its limits and warnings.
 * @throws AtelierError where asking otherwise would not help: rate_limited, busy, …
 */
export async function findWorks(
  asked: Asked,
  { studio: { kit }, caller }: Visit,
): Promise<FoundWorks | Misasked> {
  const isSorted = asked.order !== 'best';
  const part = isSorted
    ? { limit: WORKS_SORTED_MAX, offset: 0 }
    : { limit: WORKS_A_PAGE, offset: asked.from };
  try {
    const { body } = await callTool(kit, searchArtworks.name, searchInputOf(asked, part), caller);
    const answer = body as unknown as SearchAnswer;
    const ids = answer.results.map(({ credit_id }) => credit_id);
    const [from, to] = [asked.from, asked.from + WORKS_A_PAGE];
    const records = await recordsOf(ids, kit.services.artworks);
    const shown = isSorted ? records.sort(byYear(asked.order)).slice(from, to) : records;
    return { answer, works: shown.map((record) => hungWork(record, kit.services.artworks)) };
  } catch (error) {
    if (!(error instanceof AtelierError) || !MENDED_BY_ASKING.includes(error.status)) throw error;
    const field = error.details.errors?.[0]?.field;
    return { problem: error.message, ...(field && { field }) };
  }
}

type Find = Visit['studio']['kit']['services']['artworks'];

/** A work that was withdrawn since it was found is left out. */
async function recordsOf(ids: readonly string[], artworks: Pick<Find, 'find'>): Promise<ArtworkRecord[]> {
  const found = await Promise.all(ids.map((id) => artworks.find(id).catch(withoutMissing)));
  return found.flatMap((work) => (work ? [work.record] : []));
}

function withoutMissing(error: unknown): undefined {
  if (!(error instanceof AtelierError) || error.code !== 'artwork_not_found') throw error;
}

/** Works of unknown years come last, whichever end the page begins at. */
export const byYear =
  (order: Asked['order']) =>
  (one: Pick<ArtworkRecord, 'year_from'>, other: Pick<ArtworkRecord, 'year_from'>): number => {
    if (one.year_from === null || other.year_from === null)
      return Number(one.year_from === null) - Number(other.year_from === null);
    return (one.year_from - other.year_from) * (order === 'oldest' ? 1 : -1);
  };
