import type { Queryable } from '../../database/types.ts';
import type { MaintenanceState } from './types.ts';

export async function selectState(database: Queryable): Promise<MaintenanceState | undefined> {
  const [row] = await database.query<{ since: Date; why: string | null }>(
    'select since, why from maintenance',
  );
  return row && { since: row.since, ...(row.why !== null && { why: row.why }) };
}

export async function saveState(database: Queryable, why: string | undefined): Promise<void> {
  await database.query(
    'insert into maintenance (why) values ($1) on conflict (only_row) do update set why = excluded.why',
    [why ?? null],
  );
}

/** False where there was none. */
export async function deleteState(database: Queryable): Promise<boolean> {
  return (await database.query('delete from maintenance returning 1')).length > 0;
}
