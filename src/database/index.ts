/** SQL on either engine. One dialect (PostgreSQL 15), one set of migrations; callers never ask which engine it is. */
export interface Queryable {
  /** Rows of one statement. bigint and numeric arrive as numbers on both engines, timestamptz as Date, jsonb parsed. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgresql';
  /** A few statements, never around pixels or network: on the embedded database an open transaction holds up everybody. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
