import type { Queryable } from '../../../core/database/types.ts';
import type { ArchiveRecord, RecordKind, RecordOf } from './records.ts';

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
const iso = (column: string) => `to_char(${column} at time zone 'UTC', ${ISO}) as ${column}`;

/** Workspaces of a wallet, oldest first. */
export async function selectIds(database: Queryable, wallet: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    'select id from workspaces where owner = $1 order by created_at, id',
    [wallet],
  );
  return rows.map(({ id }) => id);
}

/** Each file of a workspace once, those in its trash included. */
export const selectFiles = (tx: Queryable, id: string): Promise<{ sha256: string; bytes: number }[]> =>
  tx.query(
    `select distinct sha256, size_bytes as bytes from workspace_items
     where workspace_id = $1 and not is_pending order by sha256`,
    [id],
  );

type Stored<Kind extends RecordKind> = Omit<RecordOf<Kind>, 'record'>;

export const selectHead = async (tx: Queryable, id: string): Promise<Stored<'workspace'>> =>
  (
    await tx.query<Stored<'workspace'>>(
      `select title, branch, events, items, acts, comments, links, people, ${iso('created_at')}, ${iso('changed_at')}
       from workspaces where id = $1`,
      [id],
    )
  )[0]!;

export const selectArchivedLinks = (tx: Queryable, id: string): Promise<Stored<'link'>[]> =>
  tx.query(
    `select number, role, name, ${iso('created_at')}, ${iso('revoked_at')}
     from workspace_links where workspace_id = $1 order by number`,
    [id],
  );

/** People without the wallets of others, whose address may be enough to spend their credits. Repeated names get a number. */
export const selectArchivedPeople = (tx: Queryable, id: string): Promise<Stored<'person'>[]> =>
  tx.query(
    `select number, is_owner, name || case when place > 1 then ' ' || number else '' end as name, is_agent, link from (
       select p.*, coalesce(p.wallet = w.owner, false) as is_owner, row_number() over (
         partition by coalesce(p.wallet = w.owner, false), p.name, p.is_agent, p.link order by p.number) as place
       from workspace_people p join workspaces w on w.id = p.workspace_id where p.workspace_id = $1) authors
     order by number`,
    [id],
  );

export const selectArchivedItems = (tx: Queryable, id: string): Promise<Stored<'item'>[]> =>
  tx.query(
    `select number, act, path, name, caption, x, y, is_hidden, ${iso('trashed_at')}, sha256, author, ${iso('created_at')}
     from workspace_items where workspace_id = $1 and not is_pending order by number`,
    [id],
  );

/** Number of the oldest act whose input and response are included: those of the newest acts, up to `charactersMax`. */
export async function selectTextsFrom(tx: Queryable, id: string, charactersMax: number): Promise<number> {
  const [row] = await tx.query<{ number: number }>(
    `select coalesce(min(number), 2147483647) as number from (
       select number, sum(coalesce(length(input), 0) + coalesce(length(answer), 0)) over (order by number desc) as characters
       from workspace_acts where workspace_id = $1) newest
     where characters <= $2`,
    [id, charactersMax],
  );
  return row!.number;
}

/** Acts that have ended, by number. */
export const selectArchivedActs = (
  tx: Queryable,
  id: string,
  { after, textsFrom, limit }: { after: number; textsFrom: number; limit: number },
): Promise<Stored<'act'>[]> =>
  tx.query(
    `select number, tool, state, parent, branch, case when number >= $3 then input end as input,
       case when number >= $3 and state = 'done' then answer end as answer, inputs, outputs, charged, error, step,
       is_whole, author, ${iso('started_at')}, ${iso('ended_at')}
     from workspace_acts where workspace_id = $1 and number > $2 and state <> 'running' order by number limit $4`,
    [id, after, textsFrom, limit],
  );

export const selectArchivedBranches = (tx: Queryable, id: string): Promise<Stored<'branch'>[]> =>
  tx.query(
    'select name, head, tip from workspace_branches where workspace_id = $1 order by name collate "C"',
    [id],
  );

export const selectArchivedComments = (tx: Queryable, id: string): Promise<Stored<'comment'>[]> =>
  tx.query(
    `select number, text, item, act, author, ${iso('created_at')}
     from workspace_comments where workspace_id = $1 and deleted_at is null order by number`,
    [id],
  );

/** The ids that exist on this server, of any owner. */
export async function selectTaken(database: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>('select id from workspaces where id = any($1::text[])', [
    ids,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Inserts a workspace with the counters of the archive, so that new events have new numbers. */
export async function insertHead(
  tx: Queryable,
  { id, wallet }: { id: string; wallet: string },
  head: RecordOf<'workspace'>,
): Promise<void> {
  const { title, branch, events, items, acts, comments, links, people } = head;
  await tx.query(
    `insert into workspaces (id, owner, title, branch, events, items, acts, comments, links, people, created_at, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      id,
      wallet,
      title,
      branch,
      events,
      items,
      acts,
      comments,
      links,
      people,
      head.created_at,
      head.changed_at,
    ],
  );
}

/** Whether an act or branch refers to a missing act, or the current branch is missing. */
export async function hasBrokenHistory(tx: Queryable, id: string): Promise<boolean> {
  const [row] = await tx.query<{ broken: boolean }>(
    `with done as materialized (select number from workspace_acts where workspace_id = $1 and state = 'done'),
       named as (
         select parent as act from workspace_acts where workspace_id = $1
         union all select head from workspace_branches where workspace_id = $1
         union all select tip from workspace_branches where workspace_id = $1)
     select exists (select from named where act is not null and act not in (select number from done))
       or not exists (select from workspaces w join workspace_branches b on b.workspace_id = w.id and b.name = w.branch
         where w.id = $1) as broken`,
    [id],
  );
  return row!.broken;
}

/** Recomputes sums and last numbers, so that no number is assigned twice. */
export async function updateCounters(tx: Queryable, id: string): Promise<void> {
  const last = (table: string) =>
    `(select coalesce(max(t.number), 0) from ${table} t where t.workspace_id = w.id)`;
  await tx.query(
    `update workspaces w set
       bytes = (select coalesce(sum(i.size_bytes), 0) from workspace_items i where i.workspace_id = w.id),
       items = greatest(items, ${last('workspace_items')}), acts = greatest(acts, ${last('workspace_acts')}),
       comments = greatest(comments, ${last('workspace_comments')}), links = greatest(links, ${last('workspace_links')}),
       people = greatest(people, ${last('workspace_people')})
     where w.id = $1`,
    [id],
  );
}

/** The record of an item with the facts of its file. */
export type ItemRecord = RecordOf<'item'> & {
  readonly size_bytes: number;
  readonly media_type: string;
  readonly width: number | null;
  readonly height: number | null;
};

type PersonRecord = RecordOf<'person'> & { readonly wallet: string | null };

export type Row =
  | Exclude<ArchiveRecord, { record: 'workspace' | 'item' | 'person' }>
  | ItemRecord
  | PersonRecord;

const TABLES: Readonly<Record<Row['record'], readonly [table: string, columns: string]>> = {
  link: [
    'workspace_links',
    'number integer, role text, name text, created_at timestamptz, revoked_at timestamptz',
  ],
  person: ['workspace_people', 'number integer, wallet text, name text, is_agent boolean, link integer'],
  item: [
    'workspace_items',
    `number integer, act integer, path text, name text, caption text, x real, y real, is_hidden boolean,
     trashed_at timestamptz, sha256 text, size_bytes bigint, media_type text, width integer, height integer,
     author integer, created_at timestamptz`,
  ],
  act: [
    'workspace_acts',
    `number integer, tool text, state text, parent integer, branch text, input text, answer text, inputs jsonb,
     outputs jsonb, charged bigint, error jsonb, step text, is_whole boolean, author integer, started_at timestamptz,
     ended_at timestamptz`,
  ],
  branch: ['workspace_branches', 'name text, head integer, tip integer'],
  comment: [
    'workspace_comments',
    'number integer, text text, item integer, act integer, author integer, created_at timestamptz',
  ],
};

/** Inserts rows of one kind, with members named as the columns. Of rows with the same number or name, one is inserted. */
export async function insertRows(
  tx: Queryable,
  id: string,
  { kind, rows }: { kind: Row['record']; rows: readonly Row[] },
): Promise<void> {
  const [table, columns] = TABLES[kind];
  const names = [...columns.matchAll(/(\w+) [a-z]+(?:,|$)/g)].map(([, name]) => name).join(', ');
  await tx.query(
    `insert into ${table} (workspace_id, ${names})
     select $1::text, ${names} from jsonb_to_recordset($2::jsonb) as r (${columns}) on conflict do nothing`,
    [id, JSON.stringify(rows)],
  );
}
