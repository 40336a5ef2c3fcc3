import type { Queryable } from '../types.ts';
import { BATCH_CHARACTERS, countPages, readPages } from './read_batches.ts';
import { selectRows, type Table } from './tables.ts';

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

interface Dumped {
  /** Its columns in the order of the rows. */
  readonly table: Table;
  readonly numbers: readonly CountedColumn[];
  /** Rows as `dumpTable` yields them. */
  readonly parts: AsyncIterable<readonly string[]>;
}

/**
 * Fills an empty table with dumped rows, and sets its sequences. Yields the number of rows per batch.
 * @param tx parses values in the fixed form: see `writePlainly`
 */
export async function* loadTable(tx: Queryable, { table, numbers, parts }: Dumped): AsyncGenerator<number> {
  const rowType = await makeRowType(tx, table);
  for await (const part of parts) {
    for (const batch of batchesOf(part)) {
      await insertRows(tx, rowType, batch);
      yield batch.length;
    }
  }
  await rowType.drop();
  await setNumbers(tx, table, numbers);
}

function* batchesOf(rows: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    characters += row.length;
    if (characters <= BATCH_CHARACTERS) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

type Named = Pick<Table, 'name' | 'columns'>;

/** Row type to parse rows from text, until the end of the transaction. */
interface RowType {
  readonly table: Named;
  readonly name: string;
  drop(): Promise<void>;
}

/** Inserts rows from text. Generated numbers are part of the rows. */
export async function insertRows(tx: Queryable, { table, name }: RowType, rows: string[]): Promise<void> {
  const columns = table.columns.join(', ');
  const values = table.columns.map((column) => `(read.line).${column}`).join(', ');
  await tx.query(
    // Without "offset 0" each column would parse the whole line again.
    `insert into ${table.name} (${columns}) overriding system value
     select ${values} from (select unnest($1::text[])::${name} as line offset 0) read`,
    [rows],
  );
}

/** Creates the type of the rows of `selectRows`, with the columns in that order. One at a time per transaction. */
export async function makeRowType(tx: Queryable, table: Named): Promise<RowType> {
  const name = 'pg_temp.row_as_read';
  await tx.query(`create temporary table row_as_read on commit drop as ${selectRows(table)} with no data`);
  return { table, name, drop: async () => void (await tx.query(`drop table ${name}`)) };
}

/** Current value of the sequence of a column. */
interface CountedColumn {
  readonly column: string;
  readonly last: number;
  /** Whether `last` was issued. */
  readonly used: boolean;
}

/** Reads the sequences of the columns of a table. */
export async function readNumbers(
  source: Queryable,
  { name, numbered }: Pick<Table, 'name' | 'numbered'>,
): Promise<CountedColumn[]> {
  const counted: CountedColumn[] = [];
  for (const column of numbered) {
    const [sequence] = await source.query<{ name: string }>('select pg_get_serial_sequence($1, $2) as name', [
      name,
      column,
    ]);
    const [last] = await source.query<{ value: number; used: boolean }>(
      `select last_value as value, is_called as used from ${sequence!.name}`,
    );
    counted.push({ column, last: last!.value, used: last!.used });
  }
  return counted;
}

/** Sets them to these values. */
export async function setNumbers(
  tx: Queryable,
  { name }: Pick<Table, 'name'>,
  counted: readonly CountedColumn[],
): Promise<void> {
  for (const { column, last, used } of counted)
    await tx.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [name, column, last, used]);
}
