import type { Queryable } from '../../database/index.ts';

interface MarkRow {
  readonly wallet: string | null;
  readonly payload: Uint8Array;
  readonly createdAt: Date;
}

/** Does nothing where the id is taken. */
export async function insertMark(database: Queryable, mark: MarkRow & { id: string }): Promise<void> {
  const { id, wallet, payload, createdAt } = mark;
  await database.query(
    `insert into marks (id, wallet, payload, created_at) values ($1, $2, decode($3, 'hex'), $4)
     on conflict (id) do nothing`,
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
