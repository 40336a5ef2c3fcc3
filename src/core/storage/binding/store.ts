import type { Queryable } from '../../database/types.ts';

/** Serialises concurrent starts until the transaction ends. */
export async function lock(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('storage ' || current_schema(), 0))`);
}

export async function selectId(tx: Queryable): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>('select id from storage');
  return row?.id;
}

export async function saveId(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `insert into storage (id) values ($1)
     on conflict (only_one) do update set id = excluded.id, tied_at = now()`,
    [id],
  );
}

export async function deleteId(database: Queryable): Promise<void> {
  await database.query('delete from storage');
}

/** The stored fingerprint of a key, set at first use or replaced. */
export async function nameKey(
  database: Queryable,
  { name, fingerprint, takesOver }: { name: string; fingerprint: string; takesOver: boolean },
): Promise<string> {
  const [row] = await database.query<{ fingerprint: string }>(
    `insert into shared_keys as known (name, fingerprint) values ($1, $2)
     on conflict (name) do update
       set fingerprint = case when $3 then excluded.fingerprint else known.fingerprint end,
           since = case when $3 and known.fingerprint <> excluded.fingerprint then now() else known.since end
     returning fingerprint`,
    [name, fingerprint, takesOver],
  );
  return row!.fingerprint;
}
