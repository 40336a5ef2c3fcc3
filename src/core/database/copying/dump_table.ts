import type { Queryable } from '../types.ts';
import { countPages, readPages } from './read_batches.ts';
import type { Table } from './tables.ts';

/** Pages of a table per part: unmodified pages yield the same part in every dump. */
const PART_PAGES = 512;
/** Long values are stored outside the pages: a part that exceeds this is split. */
const PART_CHARACTERS = 32 * 2 ** 20;

/**
 * Every row of a table as text, in parts that fit into memory.
 * @param moment formats values in the fixed form: see `withSnapshot`
 */
export async function* dumpTable(moment: Queryable, table: Table): AsyncGenerator<string[]> {
  const pages = await countPages(moment, table);
  for (let first = 0; first < pages; first += PART_PAGES) {
    let part: string[] = [];
    let characters = 0;
    for await (const rows of readPages(moment, table, { first, end: Math.min(pages, first + PART_PAGES) })) {
      for (const row of rows) characters += row.length;
      part = part.concat(rows);
      if (characters <= PART_CHARACTERS) continue;
      yield part;
      [part, characters] = [[], 0];
    }
    if (part.length > 0) yield part;
  }
}
