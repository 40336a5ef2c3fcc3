import type { Queryable } from '../types.ts';

/** One table as a copy needs to know it. Names are quoted where they must be. */
export interface Table {
  readonly name: string;
  /** Columns that can be written, in their order; those computed by the database are not among them. */
  readonly columns: readonly string[];
  /** Columns with a sequence of their own. */
  readonly numbered: readonly string[];
}

/** Made by the migrations themselves, or true of one place or of running processes alone. */
const NOT_COPIED = ['schema_migrations', 'storage', 'servers', 'leases', 'maintenance', 'damaged_blobs'];

/** Every table of the schema in use that is copied, by name. */
export async function listTables(database: Queryable): Promise<Table[]> {
  return await database.query<Table>(
    `select quote_ident(c.relname) as name,
       array_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attgenerated = '') as columns,
       coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attidentity <> ''), '{}') as numbered
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
     group by c.relname order by c.relname`,
    [NOT_COPIED],
  );
}

/** How to take a reference between tables away and to put it back. */
export interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Every foreign key of the schema in use. */
export async function listReferences(database: Queryable): Promise<Reference[]> {
  return await database.query<Reference>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`,
  );
}

export interface Digest {
  readonly rows: number;
  /** Sum of the hashes of all rows, whatever their order. */
  readonly sum: string;
}

/** Says whether two tables hold the same rows. The text of a row depends on the session: see `writeLike`. */
export async function digestTable(
  database: Queryable,
  table: Pick<Table, 'name' | 'columns'>,
): Promise<Digest> {
  const [digest] = await database.query<Digest>(
    `select count(*) as rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text as sum
     from (${selectRows(table)}) t`,
  );
  return digest!;
}

/** The columns that are copied, in the order of `table`: two databases with another history may have them in another one. */
export const selectRows = ({ name, columns }: Pick<Table, 'name' | 'columns'>): string =>
  `select ${columns.join(', ')} from ${name}`;

/** Two sessions that write their values differently would not read each other's rows. */
const WRITING = {
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

/** From now to the end of the transaction this session writes values as the other one does. */
export async function writeLike(other: Queryable, tx: Queryable): Promise<void> {
  const settings = await other.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [Object.keys(WRITING)],
  );
  for (const { name, value } of settings) await tx.query('select set_config($1, $2, true)', [name, value]);
}

/** From now to the end of the transaction this session writes and reads values as those in backups are written. */
export async function writePlainly(tx: Queryable): Promise<void> {
  for (const [name, value] of Object.entries(WRITING))
    await tx.query('select set_config($1, $2, true)', [name, value]);
}
