import type { Queryable } from '../../core/database/types.ts';
import type { KeptPlace, KeptStep, SavedRecipe, SavedSteps } from './types.ts';

interface Row extends Omit<SavedRecipe, 'steps'> {
  readonly steps: string;
}

const COLUMNS = 'id, wallet, title, steps, sha256, created_at as "createdAt"';

const readRow = ({ steps, ...row }: Row): SavedRecipe => ({
  ...row,
  steps: JSON.parse(steps) as SavedSteps,
});

/** Serialises concurrent saves, so that the count is exact. */
export async function lock(database: Queryable, wallet: string): Promise<void> {
  await database.query(`select pg_advisory_xact_lock(hashtext('recipes ' || $1))`, [wallet]);
}

export async function count(database: Queryable, wallet: string): Promise<{ own: number; all: number }> {
  const [row] = await database.query<{ own: number; all: number }>(
    'select count(*) filter (where wallet = $1) as own, count(*) as all from recipes',
    [wallet],
  );
  return row!;
}

/** Inserts a recipe. Undefined where the wallet has saved the same steps already. */
export async function insert(
  database: Queryable,
  { id, wallet, title, sha256, createdAt, steps }: SavedRecipe,
): Promise<SavedRecipe | undefined> {
  const [row] = await database.query<Row>(
    `insert into recipes (id, wallet, title, steps, sha256, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (wallet, sha256) do nothing returning ${COLUMNS}`,
    [id, wallet, title, JSON.stringify(steps), sha256, createdAt],
  );
  return row && readRow(row);
}

export async function findSame(
  database: Queryable,
  { wallet, sha256 }: Pick<SavedRecipe, 'wallet' | 'sha256'>,
): Promise<SavedRecipe | undefined> {
  const [row] = await database.query<Row>(
    `select ${COLUMNS} from recipes where wallet = $1 and sha256 = $2`,
    [wallet, sha256],
  );
  return row && readRow(row);
}

export async function find(database: Queryable, id: string): Promise<SavedRecipe | undefined> {
  const [row] = await database.query<Row>(`select ${COLUMNS} from recipes where id = $1`, [id]);
  return row && readRow(row);
}

export async function list(database: Queryable, wallet: string): Promise<SavedRecipe[]> {
  const rows = await database.query<Row>(
    `select ${COLUMNS} from recipes where wallet = $1 order by created_at desc, id`,
    [wallet],
  );
  return rows.map(readRow);
}

export async function remove(database: Queryable, wallet: string, id: string): Promise<boolean> {
  const rows = await database.query('delete from recipes where wallet = $1 and id = $2 returning 1', [
    wallet,
    id,
  ]);
  return rows.length === 1;
}

/** Row `k` is paid: it was free, or its hold has been posted. */
const PAID = `(k.hold_id is null or exists (
  select from transfers t where t.hold_id = 'hold:' || k.hold_id and t.phase = 'post'))`;

export async function answered(
  database: Queryable,
  { wallet, key, hold }: KeptPlace,
  now: Date,
): Promise<KeptStep | undefined> {
  const [row] = await database.query<KeptStep>(
    `select k.answer, not ${PAID} as "isUnpaid" from kept_steps k
     where k.wallet = $1 and k.key = $2 and k.expires_at > $4 and (k.hold_id = $3 or ${PAID})`,
    [wallet, key, hold ?? null, now],
  );
  return row;
}

/** Caches a result. A paid result is not replaced by an unpaid one. */
export async function keepAnswer(
  database: Queryable,
  step: KeptPlace & { answer: string; now: Date; expiresAt: Date; most: number },
): Promise<void> {
  const { wallet, key, hold, answer, now, expiresAt, most } = step;
  await database.query(
    `insert into kept_steps as k (wallet, key, answer, hold_id, expires_at)
     select $1, $2, $3, $4, $6 where (select count(*) from kept_steps c where c.wallet = $1) < $7
     on conflict (wallet, key) do update
       set answer = excluded.answer, hold_id = excluded.hold_id, expires_at = excluded.expires_at
       where k.expires_at <= $5 or not ${PAID}`,
    [wallet, key, answer, hold ?? null, now, expiresAt, most],
  );
}

export async function sweep(database: Queryable, now: Date, most: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with gone as (
       delete from kept_steps where expires_at <= $1
         or expires_at < (select expires_at from kept_steps order by expires_at desc offset $2 limit 1) returning 1
     ) select count(*) from gone`,
    [now, most],
  );
  return row!.count;
}
