import type { Database } from '../../database/contract.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import { type FoundRow, readFound } from '../looks/found_store.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Found, Search } from '../search/contract.ts';
import { parseQuery } from '../search/parse_query.ts';
import { search } from '../search/search.ts';
import { readRecords } from '../search/search_store.ts';
import { whichFit } from '../search/which_fit.ts';
import type { Meaning } from './meaning.ts';
import type { NearVector } from './vector_index.ts';

/** Whether meaning had a part in an answer. */
export interface MeaningUsed {
  readonly used: boolean;
  /** Works whose meaning is known. */
  readonly known: number;
  /** Where it was not used. */
  readonly why?: string;
}

/** Works by words and works by meaning that are looked at; deep places change nothing at the top. */
const CANDIDATES = 100;
/** Reciprocal rank fusion with the constant of its authors (Cormack, Clarke, Büttcher 2009). */
const RANK_CONSTANT = 60;

/** Searches by words and by meaning, and merges both by their ranks. Words alone where the model does not answer: the answer says so. */
export async function blendedSearch(
  database: Database,
  edition: number,
  asked: Search,
  meaning: Meaning,
): Promise<Found & { meaning: MeaningUsed }> {
  const wide = { ...asked, limit: Math.max(asked.limit, CANDIDATES) };
  const [text, near, known] = await Promise.all([
    search(database, edition, wide),
    meaning.near(asked.query, 2 * CANDIDATES).catch((error: unknown) => {
      if (error instanceof AtelierError) return error;
      throw error;
    }),
    meaning.size(),
  ]);
  if (text.isByNumber)
    return { ...text, hits: text.hits.slice(0, asked.limit), meaning: { used: false, known } };
  if (near instanceof AtelierError) {
    const used = { used: false, known, why: near.message };
    return { ...text, hits: text.hits.slice(0, asked.limit), meaning: used };
  }
  const rows = await selectFitting(database, edition, asked, near);
  const merged = merge(text, near.filter(({ id }) => rows.has(id)).slice(0, CANDIDATES));
  const shown = merged.slice(0, asked.limit);
  const records = await readRecords(
    database,
    shown.flatMap(({ id, hit }) => (hit ? [] : (rows.get(id)?.number ?? []))),
  );
  const extra = merged.filter(({ hit }) => !hit).map(({ id }) => rows.get(id)!);
  return {
    ...text,
    hits: shown.flatMap(({ id, hit, similarity }) => {
      const record: ArtworkRecord | undefined = hit?.record ?? records.get(rows.get(id)!.number);
      const why = [hit?.why, similarity !== undefined && `meaning (similarity ${similarity.toFixed(2)})`];
      const missing = hit?.missing && { missing: hit.missing };
      return record ? [{ record, why: why.filter(Boolean).join(', '), ...missing }] : [];
    }),
    total: text.total + extra.length,
    facets: withMore(text.facets, extra),
    meaning: { used: true, known },
  };
}

/** Works near in meaning that are in the edition and in the museum and years asked for, and have no word that was excluded. */
async function selectFitting(
  database: Database,
  edition: number,
  { query, museum }: Search,
  near: readonly NearVector[],
): Promise<Map<string, FoundRow>> {
  const { excluded, years } = parseQuery(query);
  const here = await readFound(
    database,
    edition,
    near.map(({ id }) => id),
  );
  const numbers = [...here.values()].map(({ number }) => number);
  const asked = { groups: [], excluded, ...(years && { years }) };
  const fit = await whichFit(database, edition, asked, museum, numbers);
  return new Map([...here].filter(([, { number }]) => fit.has(number)));
}

interface Merged {
  readonly id: string;
  readonly hit: Found['hits'][number] | undefined;
  readonly similarity: number | undefined;
  readonly score: number;
}

function merge({ hits }: Found, near: readonly NearVector[]): Merged[] {
  const merged = new Map<string, Merged>();
  for (const [at, hit] of hits.entries()) {
    const { id } = hit.record;
    merged.set(id, { id, hit, similarity: undefined, score: 1 / (RANK_CONSTANT + at + 1) });
  }
  for (const [at, { id, similarity }] of near.entries()) {
    const before = merged.get(id);
    const score = (before?.score ?? 0) + 1 / (RANK_CONSTANT + at + 1);
    merged.set(id, { id, hit: before?.hit, similarity, score });
  }
  return [...merged.values()].sort((one, other) => other.score - one.score);
}

function withMore(facets: Found['facets'], rows: readonly FoundRow[]): Found['facets'] {
  const museum = { ...facets.museum };
  const century = { ...facets.century };
  for (const row of rows) {
    museum[row.museum] = (museum[row.museum] ?? 0) + 1;
    if (row.century) century[row.century] = (century[row.century] ?? 0) + 1;
  }
  return { museum, century };
}
