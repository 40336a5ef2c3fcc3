import type { Likeness } from '@atelier/imaging/watermark/likeness.ts';
import type { Queryable } from '../../../core/database/types.ts';

interface MarkRow {
  readonly wallet: string | null;
  readonly payload: Uint8Array;
  readonly createdAt: Date;
}

/**
 * Inserts a watermark. An existing id is left unchanged, except that registering an anonymous watermark again
 * renews its lifetime.
 */
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

/** Deletes expired anonymous watermarks; returns their number. */
export async function deleteAnonymousMarks(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query(
    'delete from marks where wallet is null and created_at < $1 returning id',
    [before],
  );
  return rows.length;
}

export interface Binding {
  readonly likeness: Likeness;
  readonly jws: string;
}

interface NewBindingRow extends Binding {
  readonly pixelsSha256: string;
  readonly createdAt: Date;
}

/** Stores a statement, replacing an earlier one for the same image; returns the stored statement. */
export async function insertBinding(
  database: Queryable,
  id: string,
  binding: NewBindingRow,
): Promise<string> {
  const { likeness, pixelsSha256, jws, createdAt } = binding;
  const { columns, rows, brighter, clear } = likeness;
  await database.query(
    `insert into mark_bindings (mark_id, pixels_sha256, columns, rows, brighter, clear, jws, created_at)
     values ($1, $2, $3, $4, decode($5, 'hex'), decode($6, 'hex'), $7, $8)
     on conflict (mark_id, pixels_sha256) do update set jws = excluded.jws, created_at = excluded.created_at`,
    [id, pixelsSha256, columns, rows, hex(brighter), hex(clear), jws, createdAt],
  );
  return jws;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

interface BindingRow {
  readonly columns: number;
  readonly rows: number;
  readonly brighter: string;
  readonly clear: string;
  readonly jws: string;
}

/**
 * Newest first. The limit suffices, because a wallet embeds one text in one image at only a few strengths.
 */
const BINDINGS_MAX = 20;

export async function selectBindings(database: Queryable, id: string): Promise<Binding[]> {
  const rows = await database.query<BindingRow>(
    `select columns, rows, encode(brighter, 'hex') as brighter, encode(clear, 'hex') as clear, jws from mark_bindings where mark_id = $1
     order by created_at desc, pixels_sha256 limit $2`,
    [id, BINDINGS_MAX],
  );
  return rows.map(({ columns, rows, brighter, clear, jws }) => ({
    likeness: { columns, rows, brighter: Buffer.from(brighter, 'hex'), clear: Buffer.from(clear, 'hex') },
    jws,
  }));
}
