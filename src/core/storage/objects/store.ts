import type { Queryable } from '../../database/types.ts';
import { CONDEMNED_DAYS_MAX, CONDEMNED_SECONDS, DELETING_SECONDS } from './limits.ts';

/** Condemns a name. True if it was condemned long ago: then only this process may delete it, for DELETING_SECONDS. */
export async function claimCondemned(database: Queryable, name: string): Promise<boolean> {
  const rows = await database.query<{ mayDelete: boolean }>(
    `insert into condemned_objects as condemned (name) values ($1)
     on conflict (name) do update set deleting_until = now() + make_interval(secs => $2)
       where condemned.condemned_at < now() - make_interval(secs => $3)
         and (condemned.deleting_until is null or condemned.deleting_until < now())
     returning deleting_until is not null as "mayDelete"`,
    [name, DELETING_SECONDS, CONDEMNED_SECONDS],
  );
  return rows[0]?.mayDelete ?? false;
}

/** Removes a name from the list. False while a process deletes it. */
export async function spareCondemned(database: Queryable, name: string): Promise<boolean> {
  const [row] = await database.query<{ isSpared: boolean }>(
    `with spared as (
       delete from condemned_objects
       where name = $1 and (deleting_until is null or deleting_until < now()) returning name)
     select exists (select 1 from spared)
       or not exists (select 1 from condemned_objects where name = $1) as "isSpared"`,
    [name],
  );
  return row!.isSpared;
}

/** Called after its deletion, or after it was stored again. */
export async function forgetCondemned(database: Queryable, name: string): Promise<void> {
  await database.query('delete from condemned_objects where name = $1', [name]);
}

/** Condemned names whose objects others have deleted. */
export async function forgetLongCondemned(database: Queryable): Promise<void> {
  await database.query(
    'delete from condemned_objects where condemned_at < now() - make_interval(days => $1)',
    [CONDEMNED_DAYS_MAX],
  );
}
