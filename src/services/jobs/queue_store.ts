import type { Queryable } from '../../database/contract.ts';

/** Where our own tables are: the queue's stand beside. */
export async function currentSchema(database: Queryable): Promise<string> {
  const [row] = await database.query<{ schema: string }>('select current_schema() as schema');
  return row!.schema;
}

export async function hasSchema(database: Queryable, schema: string): Promise<boolean> {
  const [row] = await database.query<{ exists: boolean }>(
    'select to_regnamespace($1) is not null as exists',
    [schema],
  );
  return row!.exists;
}
