import type { Queryable } from '../../database/contract.ts';

interface MarkRow {
  readonly wallet: string | null;
  readonly payload: Uint8Array;
  readonly createdAt: Date;
}

/** Where the id is taken nothing changes, except that an anonymous mark that is made again begins anew. */
export async function insertMark(database: Queryable, mark: MarkRow & { id: string }): Promise<void> {
  const { id, wallet, payload, createdAt } = mark;
  await database.query(
    `insert into marks (id, wallet, payload, created_at) values ($1, $2, decode($3, 'hex'), $4)
     on conflict (id) do update set created_at = excluded.created_at
       where marks.wallet is null and excluded.wallet is null and marks.payload = excluded.payload`,
    [id, wallet, Buffer.from(payload).toString('hex'), createdAt],
  );
}

export async function findMark(database: Queryable, id: string): Promise<MarkRow | undefined> {
  const [row] = await database.query<Omit<MarkRow, 'payload'> & { payload: string }>(
    `select wallet, encode(payload, 'hex') as payload, created_at as "createdAt" from marks where id = $1`,
    [id],
  );
  return row && { ...row, payload: Buffer.from(row.payload, 'hex') };
}

/** Answers how many there were. */
export async function deleteAnonymousMarks(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query(
    'delete from marks where wallet is null and created_at < $1 returning id',
    [before],
  );
  return rows.length;
}
