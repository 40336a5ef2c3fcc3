import type { Database } from '../../../core/database/types.ts';
import { search } from '../search/search.ts';
import type { Search } from '../search/types.ts';
import type { ArtworkRecord } from './record.ts';

export interface Related {
  readonly record: ArtworkRecord;
  readonly why: 'same maker' | 'same kind';
}

/** Works by the same maker, supplemented by works of the same type from about the same time. */
export async function relatedWorks(
  database: Database,
  edition: number,
  record: ArtworkRecord,
  limit: number,
): Promise<Related[]> {
  const [maker] = record.artists;
  const related = new Map<string, Related>();
  const add = async (asked: Search, why: Related['why']) => {
    const { hits, relaxed } = await search(database, edition, asked);
    for (const hit of relaxed.length === 0 ? hits : []) {
      const { id } = hit.record;
      if (id !== record.id && !related.has(id) && related.size < limit)
        related.set(id, { record: hit.record, why });
    }
  };
  const kind = record.classification || record.medium.split(/[,;]/)[0]!;
  const period = record.year_from === null ? '' : ` ${record.year_from - 50}-${record.year_from + 50}`;
  if (maker) await add({ query: quotePhrase(maker.name), limit: limit + 1 }, 'same maker');
  if (related.size < limit && kind) {
    await add(
      { query: quotePhrase(kind) + (/ \d{4}-\d{4}$/.test(period) ? period : ''), limit: limit * 2 + 1 },
      'same kind',
    );
  }
  return [...related.values()];
}

const quotePhrase = (text: string): string => `"${text.replaceAll('"', ' ').slice(0, 200)}"`;
