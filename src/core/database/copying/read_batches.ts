import type { Queryable } from '../types.ts';
import { selectRows, type Table } from './tables.ts';

/** Maximum pages per statement; they hold some thousands of short rows. */
const BATCH_PAGES_MAX = 32;
/** Long values are stored outside the pages: above this size, fewer pages are read at a time. A batch is briefly in memory three times. */
export const BATCH_CHARACTERS = 4 * 2 ** 20;

interface Pages {
  readonly first: number;
  /** Exclusive end. */
  readonly end: number;
}

type Named = Pick<Table, 'name' | 'columns'>;

/** Every row of a table as text, in batches of pages that shrink if rows are large. */
export async function* readBatches(source: Queryable, table: Named): AsyncGenerator<string[]> {
  yield* readPages(source, table, { first: 0, end: await countPages(source, table) });
}

/** Number of pages of the table. */
export async function countPages(source: Queryable, { name }: Named): Promise<number> {
  const [size] = await source.query<{ pages: number }>(
    `select pg_relation_size($1::regclass) / current_setting('block_size')::integer as pages`,
    [name],
  );
  return size!.pages;
}

/** The rows of a range of pages, in batches. */
export async function* readPages(
  source: Queryable,
  table: Named,
  { first, end }: Pages,
): AsyncGenerator<string[]> {
  let pages = BATCH_PAGES_MAX;
  for (let from = first; from < end; ) {
    const to = Math.min(end, from + pages);
    const rows = await source.query<{ line: string }>(
      `select t::text as line from (${selectRows(table)} where ctid >= $1::tid and ctid < $2::tid) t`,
      [`(${from},0)`, `(${to},0)`],
    );
    from = to;
    if (rows.length === 0) continue;
    yield rows.map(({ line }) => line);
    const characters = rows.reduce((sum, { line }) => sum + line.length, 0);
    if (characters > BATCH_CHARACTERS)
      pages = Math.max(1, Math.floor((pages * BATCH_CHARACTERS) / characters));
  }
}
