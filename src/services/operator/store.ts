import type { Queryable } from '../../database/contract.ts';
import type { Act } from './contract.ts';

export async function insertAct(database: Queryable, { at, act, about, why }: Act): Promise<void> {
  await database.query('insert into operator_acts (at, act, about, why) values ($1, $2, $3, $4)', [
    at,
    act,
    about,
    why,
  ]);
}

/** Newest first. */
export const newestActs = (database: Queryable, limit: number): Promise<Act[]> =>
  database.query<Act>('select at, act, about, why from operator_acts order by number desc limit $1', [limit]);
