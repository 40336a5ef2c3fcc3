import type { Queryable } from '../../database/contract.ts';

/** Until the transaction ends, servers that start at once take turns. */
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
