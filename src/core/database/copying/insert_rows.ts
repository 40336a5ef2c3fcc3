import type { Queryable } from '../types.ts';
import { selectRows, type Table } from './tables.ts';

type Named = Pick<Table, 'name' | 'columns'>;

/** Row type to parse rows from text, until the end of the transaction. */
export interface RowType {
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
