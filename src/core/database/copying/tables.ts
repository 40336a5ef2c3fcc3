import type { Queryable } from '../types.ts';

/** A table to copy. Names are quoted if necessary. */
export interface Table {
  readonly name: string;
  /** Writable columns in order, without generated ones. */
  readonly columns: readonly string[];
  /** Columns with a sequence. */
  readonly numbered: readonly string[];
}

/** Tables written by the migrations themselves, or specific to one storage or to running processes. */
const NOT_COPIED = ['schema_migrations', 'storage', 'servers', 'leases', 'maintenance', 'damaged_blobs'];

/** All tables of the current schema that are copied, by name. */
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

/** Statements to drop and recreate a foreign key. */
export interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** All foreign keys of the current schema. */
export async function listReferences(database: Queryable): Promise<Reference[]> {
  return await database.query<Reference>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`,
  );
}

export interface Digest {
  readonly rows: number;
  /** Sum of the hashes of all rows, independent of their order. */
  readonly sum: string;
}

/** Digest to compare the rows of two tables. The text of a row depends on session settings: see `writeLike`. */
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

/** The copied columns in the order of `table`: databases with another migration history may order them differently. */
export const selectRows = ({ name, columns }: Pick<Table, 'name' | 'columns'>): string =>
  `select ${columns.join(', ')} from ${name}`;

/** Session settings for the format of values; sessions with other settings could not parse each other's rows. */
const WRITING = {
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

/** Formats values like the other session, until the end of the transaction. */
export async function writeLike(other: Queryable, tx: Queryable): Promise<void> {
  const settings = await other.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [Object.keys(WRITING)],
  );
  for (const { name, value } of settings) await tx.query('select set_config($1, $2, true)', [name, value]);
}

/** Formats and parses values as in backups, until the end of the transaction. */
export async function writePlainly(tx: Queryable): Promise<void> {
  for (const [name, value] of Object.entries(WRITING))
    await tx.query('select set_config($1, $2, true)', [name, value]);
}
