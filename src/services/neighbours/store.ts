import type { Queryable } from '../../database/contract.ts';
import type { ProcessIdentity } from '../../database/process_identity.ts';

export type SettingTexts = Readonly<Record<string, string>>;

export interface Server extends ProcessIdentity {
  readonly id: string;
  readonly settings: SettingTexts;
}

/** Until the transaction ends, servers that start at once take turns. */
export async function lock(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('servers ' || current_schema(), 0))`);
}

/** Those that gave a sign of life within so many milliseconds. */
export const selectServers = (tx: Queryable, withinMs: number): Promise<Server[]> =>
  tx.query<Server>(
    `select id, host, pid, started, settings from servers
     where seen_at > clock_timestamp() - $1 * interval '1 millisecond' order by seen_at`,
    [withinMs],
  );

/** Writes it down, or that it is still there. */
export async function saveServer(tx: Queryable, { id, host, pid, started, settings }: Server): Promise<void> {
  await tx.query(
    `insert into servers (id, host, pid, started, settings, seen_at) values ($1, $2, $3, $4, $5, clock_timestamp())
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [id, host, pid, started, JSON.stringify(settings)],
  );
}

export async function deleteServer(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from servers where id = $1', [id]);
}

/** Forgets servers that died long ago. */
export async function forgetOld(tx: Queryable): Promise<void> {
  await tx.query(`delete from servers where seen_at < clock_timestamp() - interval '1 day'`);
}
