import type { Queryable } from '../types.ts';
import type { Table } from './tables.ts';

/** Current value of the sequence of a column. */
export interface CountedColumn {
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
