import type { ProcessIdentity } from '../../database/process_identity.ts';
import type { Queryable } from '../../database/types.ts';

export type SettingTexts = Readonly<Record<string, string>>;

export interface Server extends ProcessIdentity {
  readonly id: string;
  readonly settings: SettingTexts;
  /** Prefix of the server's call ids. */
  readonly calls: string;
}

export interface OtherServer extends ProcessIdentity {
  readonly calls: string;
  /**
   * The heartbeat has stopped while this server's own heartbeat had no gap. A server that was cut off from the database cannot judge the
   * others.
   */
  readonly isMissed: boolean;
}

/** Serialises concurrent starts until the transaction ends. */
export async function lock(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('servers ' || current_schema(), 0))`);
}

/** Servers with a heartbeat within this number of milliseconds. */
export const selectServers = (tx: Queryable, withinMs: number): Promise<Omit<Server, 'calls'>[]> =>
  tx.query<Server>(
    `select id, host, pid, started, settings from servers
     where seen_at > clock_timestamp() - $1 * interval '1 millisecond' order by seen_at`,
    [withinMs],
  );

/** Inserts the row, or renews its heartbeat. */
export async function saveServer(
  tx: Queryable,
  { id, host, pid, started, settings, calls }: Server,
  gapMsMax: number,
): Promise<void> {
  await tx.query(
    `insert into servers as s (id, host, pid, started, settings, calls, seen_at)
     values ($1, $2, $3, $4, $5, $6, clock_timestamp())
     on conflict (id) do update set seen_at = excluded.seen_at, steady_since = case
       when excluded.seen_at - s.seen_at > $7 * interval '1 millisecond' then excluded.seen_at else s.steady_since end`,
    [id, host, pid, started, JSON.stringify(settings), calls, gapMsMax],
  );
}

/** Servers except the one with this call prefix, and whether their heartbeat is older than this number of milliseconds. */
export const selectOthers = (database: Queryable, calls: string, silenceMs: number): Promise<OtherServer[]> =>
  database.query<OtherServer>(
    `with moment as (select clock_timestamp() - $2 * interval '1 millisecond' as missed),
       listening as (select from servers, moment where calls = $1 and seen_at > missed and steady_since <= missed)
     select host, pid, started, calls, max(seen_at) <= missed and exists (select from listening) as "isMissed"
     from servers, moment where calls <> $1 group by host, pid, started, calls, missed`,
    [calls, silenceMs],
  );

/** Call id prefixes of all registered servers. */
export async function selectCalls(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ calls: string }>(
    'select distinct calls from servers where calls is not null',
  );
  return rows.map(({ calls }) => calls);
}

/** Deletes the server with this call id prefix. */
export async function forgetCalls(database: Queryable, calls: string): Promise<void> {
  await database.query('delete from servers where calls = $1', [calls]);
}

export async function deleteServer(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from servers where id = $1', [id]);
}

/** Deletes servers that died long ago. */
export async function forgetOld(tx: Queryable): Promise<void> {
  await tx.query(`delete from servers where seen_at < clock_timestamp() - interval '1 day'`);
}
