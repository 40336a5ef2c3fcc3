import type { Queryable } from '../../../core/database/types.ts';

/** Usage of one day, in tokens and millionths of a US dollar. */
export interface Used {
  readonly tokens: number;
  readonly microUsd: number;
}

/** Request table. Each budget has its own, with the same columns. */
export type RequestTable = 'vision_requests' | 'image_requests';

/** Whose usage is counted. */
export type Scope = 'all' | 'address' | 'caller';

/** Usage with and without open reservations. */
export type UsedOfDay = Readonly<Record<Scope, { readonly total: Used; readonly settled: Used }>>;

export interface VisionRequest extends Used {
  readonly day: string;
  readonly address: string | null;
  readonly caller: string | null;
  readonly reservedUntil: Date;
}

/** Serialises reservations until the transaction ends. */
export async function lock(tx: Queryable, table: RequestTable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('${table} ' || current_schema(), 0))`);
}

/** A reservation counts until it expires; by then its process has died. */
export async function usedOn(
  database: Queryable,
  table: RequestTable,
  { day, address, caller }: Pick<VisionRequest, 'day' | 'address' | 'caller'>,
  now: Date,
): Promise<UsedOfDay> {
  const sums = Object.entries(FILTERS).flatMap(([scope, filter]) =>
    ['', ' and reserved_until is null'].flatMap((settled, at) => [
      `coalesce(sum(tokens) filter (where ${filter}${settled}), 0)::bigint as "${scope}${at}_tokens"`,
      `coalesce(sum(micro_usd) filter (where ${filter}${settled}), 0)::bigint as "${scope}${at}_usd"`,
    ]),
  );
  const [row] = await database.query<Record<string, number>>(
    `select ${sums.join(', ')} from ${table}
     where day = $1 and (reserved_until is null or reserved_until > $4)`,
    [day, address, caller, now],
  );
  const of = (name: string): Used => ({ tokens: row![`${name}_tokens`]!, microUsd: row![`${name}_usd`]! });
  const both = (scope: Scope) => ({ total: of(`${scope}0`), settled: of(`${scope}1`) });
  return { all: both('all'), address: both('address'), caller: both('caller') };
}

const FILTERS: Record<Scope, string> = {
  all: 'true',
  address: 'address = $2::text',
  caller: 'caller = $3::text',
};

export async function insertRequest(
  tx: Queryable,
  table: RequestTable,
  request: VisionRequest,
): Promise<number> {
  const { day, address, caller, tokens, microUsd, reservedUntil } = request;
  const [row] = await tx.query<{ id: number }>(
    `insert into ${table} (day, address, caller, tokens, micro_usd, reserved_until)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [day, address, caller, tokens, microUsd, reservedUntil],
  );
  return row!.id;
}

/** Also settles an expired reservation, because the provider bills for it. */
export async function settleRequest(
  database: Queryable,
  table: RequestTable,
  id: number,
  { tokens, microUsd }: Used,
): Promise<void> {
  await database.query(
    `update ${table} set tokens = $2, micro_usd = $3, reserved_until = null
     where id = $1 and reserved_until is not null`,
    [id, tokens, microUsd],
  );
}

export async function sweep(database: Queryable, table: RequestTable, before: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with gone as (delete from ${table} where day < $1 returning 1) select count(*) from gone`,
    [before],
  );
  return row!.count;
}
