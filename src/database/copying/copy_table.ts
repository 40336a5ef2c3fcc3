import type { Queryable } from '../contract.ts';
import type { Table } from './tables.ts';

/** Pages of the table a statement brings over; they hold some thousands of short rows. */
const BATCH_PAGES_MAX = 32;
/** Long values lie outside the pages: above this fewer pages are taken at a time. A batch is in memory three times for a moment. */
const BATCH_CHARACTERS = 4 * 2 ** 20;

/**
 * Copies every row of a table into one of the same form and no rows, and lets its numbers go on. Yields how many rows came with each batch.
 * @param tx writes values as the source does: see `writeLike`
 */
export async function* copyTable(source: Queryable, tx: Queryable, table: Table): AsyncGenerator<number> {
  for await (const rows of readBatches(source, table)) {
    await insertRows(tx, table, rows);
    yield rows.length;
  }
  await copyNumbers(source, tx, table);
}

/** Rows as text, some pages of the table at a time: fewer where they have proved heavy. */
async function* readBatches(source: Queryable, { name }: Table): AsyncGenerator<string[]> {
  const [size] = await source.query<{ pages: number }>(
    `select pg_relation_size($1::regclass) / current_setting('block_size')::integer as pages`,
    [name],
  );
  let [first, pages] = [0, BATCH_PAGES_MAX];
  while (first < size!.pages) {
    const rows = await source.query<{ line: string }>(
      `select t::text as line from ${name} t where ctid >= $1::tid and ctid < $2::tid`,
      [`(${first},0)`, `(${first + pages},0)`],
    );
    first += pages;
    if (rows.length === 0) continue;
    yield rows.map(({ line }) => line);
    const characters = rows.reduce((sum, { line }) => sum + line.length, 0);
    if (characters > BATCH_CHARACTERS)
      pages = Math.max(1, Math.floor((pages * BATCH_CHARACTERS) / characters));
  }
}

/** Numbers given by the database come with their rows. */
async function insertRows(tx: Queryable, { name, columns }: Table, rows: string[]): Promise<void> {
  const values = columns.map((column) => `(read.line).${column}`).join(', ');
  await tx.query(
    // Without "offset 0" each column would read the whole line again.
    `insert into ${name} (${columns.join(', ')}) overriding system value
     select ${values} from (select unnest($1::text[])::${name} as line offset 0) read`,
    [rows],
  );
}

/** The next number of a column that counts by itself goes on where it was. */
async function copyNumbers(source: Queryable, tx: Queryable, { name, numbered }: Table): Promise<void> {
  for (const column of numbered) {
    const [sequence] = await source.query<{ name: string }>('select pg_get_serial_sequence($1, $2) as name', [
      name,
      column,
    ]);
    const [last] = await source.query<{ value: number; used: boolean }>(
      `select last_value as value, is_called as used from ${sequence!.name}`,
    );
    await tx.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
      name,
      column,
      last!.value,
      last!.used,
    ]);
  }
}
