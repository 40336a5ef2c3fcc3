import type { NodePlace } from '@atelier/imaging/provenance/merkle/tree.ts';
import type { Queryable } from '../../../core/database/types.ts';
import type { LogEntry } from './types.ts';

/** One statement per function. */

export async function selectSize(database: Queryable): Promise<number> {
  const [row] = await database.query<{ size: number }>('select size from log_size');
  return row!.size;
}

/** Serialises appends until the transaction ends. */
export async function lockSize(transaction: Queryable): Promise<number> {
  const [row] = await transaction.query<{ size: number }>('select size from log_size for update');
  return row!.size;
}

export function takePending(
  transaction: Queryable,
  count: number,
): Promise<{ position: number; entry: string }[]> {
  return transaction.query(
    `with taken as (
       delete from log_pending where position in (select position from log_pending order by position limit $1)
       returning position, entry)
     select position, entry from taken order by position`,
    [count],
  );
}

/** Hashes that are in the tree already, so that an entry queued twice is logged once. */
export async function selectKnown(database: Queryable, hashes: readonly Uint8Array[]): Promise<Set<string>> {
  const rows = await database.query<{ hash: string }>(
    `select encode(leaf_hash, 'hex') as hash from log_leaves where leaf_hash = any(
       select decode(h, 'hex') from unnest($1::text[]) h)`,
    [hashes.map((hash) => Buffer.from(hash).toString('hex'))],
  );
  return new Set(rows.map(({ hash }) => hash));
}

export async function insertLeaves(
  transaction: Queryable,
  leaves: readonly { index: number; hash: Uint8Array; entry: string }[],
  at: Date,
): Promise<void> {
  await transaction.query(
    `insert into log_leaves (index, leaf_hash, entry, at)
     select l.index, decode(l.hash, 'hex'), l.entry, $4
     from unnest($1::bigint[], $2::text[], $3::text[]) as l(index, hash, entry)`,
    [
      leaves.map(({ index }) => index),
      leaves.map(({ hash }) => Buffer.from(hash).toString('hex')),
      leaves.map(({ entry }) => entry),
      at,
    ],
  );
}

export async function insertNodes(
  transaction: Queryable,
  nodes: readonly { place: NodePlace; hash: Uint8Array }[],
): Promise<void> {
  await transaction.query(
    `insert into log_nodes (level, index, hash)
     select n.level, n.index, decode(n.hash, 'hex')
     from unnest($1::smallint[], $2::bigint[], $3::text[]) as n(level, index, hash)`,
    [
      nodes.map(({ place }) => place.level),
      nodes.map(({ place }) => place.index),
      nodes.map(({ hash }) => Buffer.from(hash).toString('hex')),
    ],
  );
}

export async function updateSize(transaction: Queryable, size: number): Promise<void> {
  await transaction.query('update log_size set size = $1', [size]);
}

export async function selectNodes(
  database: Queryable,
  places: readonly NodePlace[],
): Promise<{ level: number; index: number; hash: string }[]> {
  return database.query(
    `select n.level, n.index, encode(n.hash, 'hex') as hash
     from unnest($1::smallint[], $2::bigint[]) as p(level, index)
     join log_nodes n on n.level = p.level and n.index = p.index`,
    [places.map(({ level }) => level), places.map(({ index }) => index)],
  );
}

export async function selectLeaf(database: Queryable, leafHash: Uint8Array): Promise<LogEntry | undefined> {
  const rows = await database.query<LogEntry>(
    `select index, entry, at from log_leaves where leaf_hash = decode($1, 'hex')`,
    [Buffer.from(leafHash).toString('hex')],
  );
  return rows[0];
}

export function selectLeaves(database: Queryable, start: number, count: number): Promise<LogEntry[]> {
  return database.query<LogEntry>(
    'select index, entry, at from log_leaves where index >= $1 order by index limit $2',
    [start, count],
  );
}

export interface StoredStamp {
  readonly treeSize: number;
  readonly treeHead: string;
  readonly token: Buffer;
}

const STAMP = `tree_size as "treeSize", tree_head as "treeHead", encode(token, 'base64') as token`;

const stampOf = (rows: { treeSize: number; treeHead: string; token: string }[]): StoredStamp | undefined => {
  const [row] = rows;
  return row && { ...row, token: Buffer.from(row.token, 'base64') };
};

export const selectLatestStamp = async (database: Queryable): Promise<StoredStamp | undefined> =>
  stampOf(await database.query(`select ${STAMP} from log_stamps order by tree_size desc limit 1`));

/** The earliest stamp of a head that covers the entry. */
export const selectStampCovering = async (
  database: Queryable,
  index: number,
): Promise<StoredStamp | undefined> =>
  stampOf(
    await database.query(`select ${STAMP} from log_stamps where tree_size > $1 order by tree_size limit 1`, [
      index,
    ]),
  );

export async function insertStamp(database: Queryable, stamp: StoredStamp, at: Date): Promise<void> {
  await database.query(
    `insert into log_stamps (tree_size, tree_head, token, stored_at) values ($1, $2, decode($3, 'base64'), $4)
     on conflict do nothing`,
    [stamp.treeSize, stamp.treeHead, stamp.token.toString('base64'), at],
  );
}

export interface StampAttempt {
  readonly nextAt: Date;
  readonly failures: number;
  readonly reason: string | null;
}

export async function selectAttempt(database: Queryable): Promise<StampAttempt | undefined> {
  const [row] = await database.query<StampAttempt>(
    'select next_at as "nextAt", failures, reason from log_stamp_attempts',
  );
  return row;
}

export async function upsertAttempt(database: Queryable, attempt: StampAttempt): Promise<void> {
  await database.query(
    `insert into log_stamp_attempts (next_at, failures, reason) values ($1, $2, $3)
     on conflict (id) do update set next_at = excluded.next_at, failures = excluded.failures, reason = excluded.reason`,
    [attempt.nextAt, attempt.failures, attempt.reason],
  );
}
