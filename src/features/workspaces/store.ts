import type { Queryable } from '../../core/database/types.ts';
import type { ActDetails, ActView, BranchView, CommentView, ItemView, NewPerson, Role } from './types.ts';

/** Blobs referenced by rows of this feature. */
export const NAMED_BLOBS = [{ blob: 'sha256', from: 'workspace_items' }];

/** An item in the database; authors are numbers. */
export type StoredItem = ItemView<number>;
export type StoredAct = ActView<number>;
export type StoredComment = CommentView<number>;

/** A row of `workspaces`, with the last assigned numbers. */
export interface WorkspaceRow {
  readonly id: string;
  readonly owner: string | null;
  title: string;
  branch: string;
  events: number;
  items: number;
  acts: number;
  comments: number;
  links: number;
  people: number;
  bytes: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

const WORKSPACE =
  'id, owner, title, branch, events, items, acts, comments, links, people, bytes, created_at as "createdAt", changed_at as "changedAt"';

/** Clients see times in milliseconds. */
const moment = (column: string): string =>
  `to_char(timezone('UTC', ${column}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const ITEM = `number as item, case when width is null then 'file' else 'image' end as kind, name, caption, x, y,
  is_hidden as hidden, trashed_at is not null as deleted, act, media_type, size_bytes as bytes, width, height, sha256,
  author, ${moment('created_at')} as created_at`;

const ACT = `number as act, tool, state, parent, branch, inputs,
  case state when 'done' then outputs else '[]' end as outputs, author, charged / 1000.0 as credits, error, job_id,
  step as recipe, ${moment('started_at')} as started_at, ${moment('ended_at')} as ended_at`;

const COMMENT = `number as comment, case when deleted_at is null then text else '' end as text, item, act, author,
  ${moment('created_at')} as created_at, deleted_at is not null as deleted`;

export async function insertWorkspace(
  database: Queryable,
  { id, owner, title, at }: { id: string; owner: string | null; title: string; at: Date },
): Promise<void> {
  await database.query(
    'insert into workspaces (id, owner, title, created_at, changed_at) values ($1, $2, $3, $4, $4)',
    [id, owner, title, at],
  );
}

/** Serialises transactions that count the workspaces or bytes of one wallet. */
export async function lockOwner(tx: Queryable, wallet: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('workspaces ' || $1))`, [wallet]);
}

export async function countWorkspaces(
  database: Queryable,
  wallet: string | null,
): Promise<{ own: number; all: number }> {
  const [row] = await database.query<{ own: number; all: number }>(
    'select (select count(*) from workspaces where owner = $1) as own, (select count(*) from workspaces) as all',
    [wallet],
  );
  return row!;
}

export async function selectWorkspace(database: Queryable, id: string): Promise<WorkspaceRow | undefined> {
  const [row] = await database.query<WorkspaceRow>(`select ${WORKSPACE} from workspaces where id = $1`, [id]);
  return row;
}

/** Locks the row, which stands for everything in the workspace. */
export async function lockWorkspace(tx: Queryable, id: string): Promise<WorkspaceRow | undefined> {
  const [row] = await tx.query<WorkspaceRow>(`select ${WORKSPACE} from workspaces where id = $1 for update`, [
    id,
  ]);
  return row;
}

export async function updateWorkspace(tx: Queryable, row: WorkspaceRow, at: Date): Promise<void> {
  await tx.query(
    `update workspaces set title = $2, branch = $3, events = $4, items = $5, acts = $6, comments = $7, links = $8,
       people = $9, bytes = $10, changed_at = $11 where id = $1`,
    [
      row.id,
      row.title,
      row.branch,
      row.events,
      row.items,
      row.acts,
      row.comments,
      row.links,
      row.people,
      row.bytes,
      at,
    ],
  );
}

export async function updateOwner(tx: Queryable, id: string, wallet: string): Promise<boolean> {
  const rows = await tx.query(
    'update workspaces set owner = $2 where id = $1 and owner is null returning 1',
    [id, wallet],
  );
  return rows.length === 1;
}

export async function deleteWorkspace(database: Queryable, id: string): Promise<boolean> {
  const rows = await database.query('delete from workspaces where id = $1 returning 1', [id]);
  return rows.length === 1;
}

/** @param before id of the last one seen */
export async function selectPage(
  database: Queryable,
  wallet: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<WorkspaceRow[]> {
  return database.query<WorkspaceRow>(
    `select ${WORKSPACE} from workspaces w where w.owner = $1 and ($3::text is null or (w.changed_at, w.id) < (
       select b.changed_at, b.id from workspaces b where b.id = $3 and b.owner = $1))
     order by w.changed_at desc, w.id desc limit $2`,
    [wallet, limit, before ?? null],
  );
}

export interface Counts {
  readonly id: string;
  readonly items: number;
  readonly trash: number;
  readonly acts: number;
  readonly comments: number;
}

export async function selectCounts(database: Queryable, ids: readonly string[]): Promise<Counts[]> {
  return database.query<Counts>(
    `select w.id,
       (select count(*) from workspace_items i where i.workspace_id = w.id and not i.is_pending and i.trashed_at is null) as items,
       (select count(*) from workspace_items i where i.workspace_id = w.id and not i.is_pending and i.trashed_at is not null) as trash,
       (select count(*) from workspace_acts a where a.workspace_id = w.id) as acts,
       (select count(*) from workspace_comments c where c.workspace_id = w.id and c.deleted_at is null) as comments
     from workspaces w where w.id = any($1)`,
    [ids],
  );
}

/** Bytes of all workspaces of a wallet. */
export async function sumBytes(database: Queryable, wallet: string): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    'select coalesce(sum(bytes), 0) as bytes from workspaces where owner = $1',
    [wallet],
  );
  return row!.bytes;
}

export interface PersonRow extends NewPerson {
  readonly number: number;
}

/** Queries for the rows of a workspace in a table: all by number, and one. */
const numbered = <Row extends object>(table: string, columns: string) => ({
  all: (database: Queryable, id: string): Promise<Row[]> =>
    database.query<Row>(`select ${columns} from ${table} where workspace_id = $1 order by number`, [id]),
  async one(database: Queryable, id: string, number: number): Promise<Row | undefined> {
    const [row] = await database.query<Row>(
      `select ${columns} from ${table} where workspace_id = $1 and number = $2`,
      [id, number],
    );
    return row;
  },
});

export const { all: selectPeople, one: selectPerson } = numbered<PersonRow>(
  'workspace_people',
  'number, wallet, name, is_agent as "isAgent", link',
);

export async function findPerson(
  database: Queryable,
  id: string,
  { wallet, name, isAgent, link }: NewPerson,
): Promise<number | undefined> {
  const [row] = await database.query<{ number: number }>(
    `select number from workspace_people where workspace_id = $1 and coalesce(wallet, '') = coalesce($2, '')
       and name = $3 and is_agent = $4 and coalesce(link, 0) = coalesce($5::integer, 0)`,
    [id, wallet, name, isAgent, link],
  );
  return row?.number;
}

export async function insertPerson(tx: Queryable, id: string, person: PersonRow): Promise<void> {
  const { number, wallet, name, isAgent, link } = person;
  await tx.query(
    'insert into workspace_people (workspace_id, number, wallet, name, is_agent, link) values ($1, $2, $3, $4, $5, $6)',
    [id, number, wallet, name, isAgent, link],
  );
}

export interface LinkRow {
  readonly number: number;
  readonly role: Role;
  readonly name: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const LINK = 'number, role, name, created_at as "createdAt", revoked_at as "revokedAt"';

export async function insertLink(
  tx: Queryable,
  id: string,
  { number, role, name, createdAt }: Omit<LinkRow, 'revokedAt'>,
): Promise<void> {
  await tx.query(
    'insert into workspace_links (workspace_id, number, role, name, created_at) values ($1, $2, $3, $4, $5)',
    [id, number, role, name, createdAt],
  );
}

export const { all: selectLinks, one: selectLink } = numbered<LinkRow>('workspace_links', LINK);

export async function revokeLink(
  tx: Queryable,
  id: string,
  { number, at }: { number: number; at: Date },
): Promise<LinkRow | undefined> {
  const [row] = await tx.query<LinkRow>(
    `update workspace_links set revoked_at = coalesce(revoked_at, $3) where workspace_id = $1 and number = $2 returning ${LINK}`,
    [id, number, at],
  );
  return row;
}

export async function selectItems(database: Queryable, id: string): Promise<StoredItem[]> {
  return database.query<StoredItem>(
    `select ${ITEM} from workspace_items where workspace_id = $1 and not is_pending order by number`,
    [id],
  );
}

export async function selectItemsOf(
  database: Queryable,
  id: string,
  numbers: readonly number[],
): Promise<StoredItem[]> {
  return database.query<StoredItem>(
    `select ${ITEM} from workspace_items where workspace_id = $1 and not is_pending and number = any($2::integer[]) order by number`,
    [id, numbers],
  );
}

/** Items with these bytes that are visible, or made by this act. */
export async function selectSame(
  database: Queryable,
  id: string,
  { sha256s, act }: { sha256s: readonly string[]; act: number | null },
): Promise<(StoredItem & { pending: boolean })[]> {
  return database.query<StoredItem & { pending: boolean }>(
    `select ${ITEM}, is_pending as pending from workspace_items
     where workspace_id = $1 and sha256 = any($2::text[]) and (not is_pending or act = $3::integer) order by number`,
    [id, sha256s, act],
  );
}

export async function countItems(database: Queryable, id: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*) as count from workspace_items where workspace_id = $1',
    [id],
  );
  return row!.count;
}

export interface ItemRow {
  readonly number: number;
  readonly act: number | null;
  readonly path: string | null;
  readonly name: string;
  readonly caption: string;
  readonly x: number | null;
  readonly y: number | null;
  readonly isPending: boolean;
  readonly sha256: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly author: number;
}

export async function insertItems(
  tx: Queryable,
  id: string,
  { rows, at }: { rows: readonly ItemRow[]; at: Date },
): Promise<StoredItem[]> {
  const all = <Name extends keyof ItemRow>(name: Name) => rows.map((row) => row[name]);
  return tx.query<StoredItem>(
    `insert into workspace_items (workspace_id, number, act, path, name, caption, x, y, is_pending, sha256, size_bytes,
       media_type, width, height, author, created_at)
     select $1::text, r.*, $16::timestamptz from unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::real[], $8::real[],
       $9::boolean[], $10::text[], $11::bigint[], $12::text[], $13::integer[], $14::integer[], $15::integer[]) r
     returning ${ITEM}`,
    [
      id,
      all('number'),
      all('act'),
      all('path'),
      all('name'),
      all('caption'),
      all('x'),
      all('y'),
      all('isPending'),
      all('sha256'),
      all('bytes'),
      all('mediaType'),
      all('width'),
      all('height'),
      all('author'),
      at,
    ],
  );
}

/** Null leaves a field unchanged. */
export interface ItemChange {
  readonly item: number;
  readonly name: string | null;
  readonly caption: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly hidden: boolean | null;
  readonly deleted: boolean | null;
}

export async function updateItems(
  tx: Queryable,
  id: string,
  { changes, at }: { changes: readonly ItemChange[]; at: Date },
): Promise<StoredItem[]> {
  const all = <Name extends keyof ItemChange>(name: Name) => changes.map((change) => change[name]);
  return tx.query<StoredItem>(
    `update workspace_items set name = coalesce(new_name, name), caption = coalesce(new_caption, caption),
       x = coalesce(new_x, x), y = coalesce(new_y, y), is_hidden = coalesce(hides, is_hidden),
       trashed_at = case when trashes then coalesce(trashed_at, $9::timestamptz) when not trashes then null else trashed_at end
     from unnest($2::integer[], $3::text[], $4::text[], $5::real[], $6::real[], $7::boolean[], $8::boolean[])
       c (of_item, new_name, new_caption, new_x, new_y, hides, trashes)
     where workspace_id = $1 and number = of_item and not is_pending
     returning ${ITEM}`,
    [id, all('item'), all('name'), all('caption'), all('x'), all('y'), all('hidden'), all('deleted'), at],
  );
}

/** Makes the items of an act visible. */
export async function showItems(tx: Queryable, id: string, act: number): Promise<StoredItem[]> {
  return tx.query<StoredItem>(
    `update workspace_items set is_pending = false where workspace_id = $1 and act = $2 and is_pending returning ${ITEM}`,
    [id, act],
  );
}

/** Deletes the items of a failed act; returns their bytes. */
export async function deletePending(tx: Queryable, id: string, act: number): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>(
    `with gone as (delete from workspace_items where workspace_id = $1 and act = $2 and is_pending returning size_bytes)
     select coalesce(sum(size_bytes), 0) as bytes from gone`,
    [id, act],
  );
  return row!.bytes;
}

export async function deleteTrash(tx: Queryable, id: string): Promise<{ item: number; bytes: number }[]> {
  return tx.query<{ item: number; bytes: number }>(
    `delete from workspace_items where workspace_id = $1 and trashed_at is not null
     returning number as item, size_bytes as bytes`,
    [id],
  );
}

export async function selectActs(
  database: Queryable,
  id: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<StoredAct[]> {
  return database.query<StoredAct>(
    `select ${ACT} from workspace_acts where workspace_id = $1 and ($2::integer is null or number < $2)
     order by number desc limit $3`,
    [id, before ?? null, limit],
  );
}

type StoredDetails = ActDetails<number>;

interface DetailsRow extends StoredAct {
  readonly inputText: string | null;
  readonly answerText: string | null;
  readonly isWhole: boolean;
}

const DETAILS = `${ACT}, input as "inputText", case when state = 'done' then answer end as "answerText"`;

const detailsOf = ({ inputText, answerText, ...act }: DetailsRow): StoredDetails => ({
  ...act,
  input: inputText === null ? null : JSON.parse(inputText),
  answer: answerText === null ? null : JSON.parse(answerText),
});

export async function selectActDetails(
  database: Queryable,
  id: string,
  numbers: readonly number[],
): Promise<StoredDetails[]> {
  const rows = await database.query<DetailsRow>(
    `select ${DETAILS} from workspace_acts where workspace_id = $1 and number = any($2::integer[]) order by number`,
    [id, numbers],
  );
  return rows.map(detailsOf);
}

export async function insertAct(
  tx: Queryable,
  id: string,
  act: {
    readonly number: number;
    readonly tool: string;
    readonly branch: string;
    readonly input: string | null;
    readonly inputs: readonly number[];
    readonly jobId: string | null;
    readonly step: string | null;
    readonly isWhole: boolean;
    readonly author: number;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<StoredAct> {
  const [row] = await tx.query<StoredAct>(
    `insert into workspace_acts (workspace_id, number, tool, state, branch, input, inputs, job_id, step, is_whole, author,
       started_at, expires_at)
     values ($1, $2, $3, 'running', $4, $5, $6::jsonb, $7, $8, $9, $10, $11, $12) returning ${ACT}`,
    [
      id,
      act.number,
      act.tool,
      act.branch,
      act.input,
      JSON.stringify(act.inputs),
      act.jobId,
      act.step,
      act.isWhole,
      act.author,
      act.at,
      act.expiresAt,
    ],
  );
  return row!;
}

export async function updateJob(
  database: Queryable,
  { workspace, act }: { workspace: string; act: number },
  { jobId, expiresAt }: { jobId: string; expiresAt: Date },
): Promise<void> {
  await database.query(
    `update workspace_acts set job_id = $3, expires_at = $4 where workspace_id = $1 and number = $2 and state = 'running'`,
    [workspace, act, jobId, expiresAt],
  );
}

export async function selectActOfJob(
  database: Queryable,
  jobId: string,
): Promise<{ workspace: string; act: number } | undefined> {
  const [row] = await database.query<{ workspace: string; act: number }>(
    `select workspace_id as workspace, number as act from workspace_acts where job_id = $1 and state = 'running'`,
    [jobId],
  );
  return row;
}

/** Data of a running act that its end needs. */
export interface RunningAct {
  readonly author: number;
  readonly branch: string;
  readonly isWhole: boolean;
}

export async function selectRunning(tx: Queryable, id: string, act: number): Promise<RunningAct | undefined> {
  const [row] = await tx.query<RunningAct>(
    `select author, branch, is_whole as "isWhole" from workspace_acts
     where workspace_id = $1 and number = $2 and state = 'running'`,
    [id, act],
  );
  return row;
}

export async function endAct(
  tx: Queryable,
  id: string,
  end: {
    readonly act: number;
    readonly parent: number | null;
    readonly outputs: readonly number[];
    readonly answer: string | null;
    readonly credits: number;
    readonly error: { code: string; detail: string } | null;
    readonly branch: string;
    readonly at: Date;
  },
): Promise<StoredAct> {
  const [row] = await tx.query<StoredAct>(
    `update workspace_acts set state = case when $8::jsonb is null then 'done' else 'failed' end, parent = $3, branch = $4,
       outputs = $5::jsonb, answer = $6, charged = $7, error = $8::jsonb, ended_at = $9, expires_at = null
     where workspace_id = $1 and number = $2 returning ${ACT}`,
    [
      id,
      end.act,
      end.parent,
      end.branch,
      JSON.stringify(end.outputs),
      end.answer,
      Math.round(end.credits * 1000),
      end.error && JSON.stringify(end.error),
      end.at,
    ],
  );
  return row!;
}

export async function updateParent(
  tx: Queryable,
  id: string,
  { act, parent }: { readonly act: number; readonly parent: number },
): Promise<StoredAct> {
  const [row] = await tx.query<StoredAct>(
    `update workspace_acts set parent = $3 where workspace_id = $1 and number = $2 returning ${ACT}`,
    [id, act, parent],
  );
  return row!;
}

export async function waiveActs(
  database: Queryable,
  workspace: string,
  acts: readonly number[],
): Promise<void> {
  await database.query(
    'update workspace_acts set charged = 0 where workspace_id = $1 and number = any($2::integer[])',
    [workspace, acts],
  );
}

/** Running acts that are overdue or whose job has ended. */
export async function selectOverdue(
  database: Queryable,
  now: Date,
): Promise<
  {
    workspace: string;
    act: number;
    jobId: string | null;
    jobState: string | null;
    problem: Record<string, unknown> | null;
  }[]
> {
  return database.query(
    `select a.workspace_id as workspace, a.number as act, a.job_id as "jobId", j.state as "jobState", j.problem
     from workspace_acts a left join jobs j on j.id = a.job_id
     where a.state = 'running' and (a.expires_at <= $1 or j.state in ('succeeded', 'failed', 'canceled')
       or a.job_id is not null and j.id is null and a.started_at < $1 - interval '1 minute')
     order by a.expires_at limit 100`,
    [now],
  );
}

const BRANCH = (of: string) => `name as branch, head, tip, name = ${of} as is_current`;

export async function selectBranches(database: Queryable, id: string): Promise<BranchView[]> {
  return database.query<BranchView>(
    `select ${BRANCH('(select w.branch from workspaces w where w.id = $1)')} from workspace_branches
     where workspace_id = $1 order by name collate "C"`,
    [id],
  );
}

export interface BranchRow {
  readonly name: string;
  readonly head: number | null;
  readonly tip: number | null;
}

export async function selectBranch(
  database: Queryable,
  id: string,
  name: string,
): Promise<BranchRow | undefined> {
  const [row] = await database.query<BranchRow>(
    'select name, head, tip from workspace_branches where workspace_id = $1 and name = $2',
    [id, name],
  );
  return row;
}

export async function upsertBranch(tx: Queryable, id: string, { name, head, tip }: BranchRow): Promise<void> {
  await tx.query(
    `insert into workspace_branches (workspace_id, name, head, tip) values ($1, $2, $3, $4)
     on conflict (workspace_id, name) do update set head = excluded.head, tip = excluded.tip`,
    [id, name, head, tip],
  );
}

export async function renameBranch(
  tx: Queryable,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.query('update workspace_branches set name = $3 where workspace_id = $1 and name = $2', [
    id,
    from,
    to,
  ]);
}

export async function deleteBranch(tx: Queryable, id: string, name: string): Promise<void> {
  await tx.query('delete from workspace_branches where workspace_id = $1 and name = $2', [id, name]);
}

/** The acts from a head back to the first, newest first. */
export async function selectChain(database: Queryable, id: string, head: number | null): Promise<number[]> {
  if (head === null) return [];
  const rows = await database.query<{ act: number }>('select act from workspace_chain($1, $2)', [id, head]);
  return rows.map(({ act }) => act).sort((a, b) => b - a);
}

/** Outputs and charges of acts. */
export async function selectOutcomes(
  database: Queryable,
  id: string,
  acts: readonly number[],
): Promise<{ outputs: number[]; credits: number }[]> {
  return database.query<{ outputs: number[]; credits: number }>(
    'select outputs, charged / 1000.0 as credits from workspace_acts where workspace_id = $1 and number = any($2::integer[])',
    [id, acts],
  );
}

/** The act that made each item, and the path in its response. */
export async function selectOrigins(
  database: Queryable,
  id: string,
): Promise<{ item: number; act: number | null; path: string | null }[]> {
  return database.query<{ item: number; act: number | null; path: string | null }>(
    'select number as item, act, path from workspace_items where workspace_id = $1 and not is_pending',
    [id],
  );
}

export async function insertComment(
  tx: Queryable,
  id: string,
  comment: {
    readonly number: number;
    readonly text: string;
    readonly item: number | null;
    readonly act: number | null;
    readonly author: number;
    readonly at: Date;
  },
): Promise<StoredComment> {
  const { number, text, item, act, author, at } = comment;
  const [row] = await tx.query<StoredComment>(
    `insert into workspace_comments (workspace_id, number, text, item, act, author, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COMMENT}`,
    [id, number, text, item, act, author, at],
  );
  return row!;
}

export async function deleteComment(
  tx: Queryable,
  id: string,
  { number, at }: { number: number; at: Date },
): Promise<StoredComment | undefined> {
  const [row] = await tx.query<StoredComment>(
    `update workspace_comments set deleted_at = coalesce(deleted_at, $3), text = ''
     where workspace_id = $1 and number = $2 returning ${COMMENT}`,
    [id, number, at],
  );
  return row;
}

export async function selectComments(database: Queryable, id: string): Promise<StoredComment[]> {
  return database.query<StoredComment>(
    `select ${COMMENT} from workspace_comments where workspace_id = $1 and deleted_at is null order by number`,
    [id],
  );
}

export interface StoredEvent {
  readonly number: number;
  readonly kind: string;
  readonly author: number;
  /** JSON. */
  readonly body: string;
  readonly at: string;
}

export async function insertEvents(
  tx: Queryable,
  id: string,
  {
    events,
    author,
    at,
  }: { events: readonly Pick<StoredEvent, 'number' | 'kind' | 'body'>[]; author: number; at: Date },
): Promise<void> {
  await tx.query(
    `insert into workspace_events (workspace_id, number, kind, author, body, at)
     select $1::text, e.number, e.kind, $5::integer, e.body, $6::timestamptz from unnest($2::integer[], $3::text[], $4::text[]) e (number, kind, body)`,
    [
      id,
      events.map(({ number }) => number),
      events.map(({ kind }) => kind),
      events.map(({ body }) => body),
      author,
      at,
    ],
  );
}

export async function deleteEvents(tx: Queryable, id: string, until: number): Promise<void> {
  await tx.query('delete from workspace_events where workspace_id = $1 and number <= $2', [id, until]);
}

export async function selectEvents(
  database: Queryable,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<StoredEvent[]> {
  return database.query<StoredEvent>(
    `select number, kind, author, body, ${moment('at')} as at from workspace_events
     where workspace_id = $1 and number > $2 order by number limit $3`,
    [id, after, limit],
  );
}

/** Last event numbers of workspaces; deleted workspaces are missing. */
export async function selectLastEvents(
  database: Queryable,
  ids: readonly string[],
): Promise<{ id: string; events: number }[]> {
  return database.query<{ id: string; events: number }>(
    'select id, events from workspaces where id = any($1::text[])',
    [ids],
  );
}

/** Emits an event for the webhooks of the owner, in the transaction of the change. */
export async function emitToOwner(
  tx: Queryable,
  { owner, data, at }: { owner: string; data: Record<string, unknown>; at: Date },
): Promise<void> {
  await tx.query(`select tell_webhooks($1, 'workspace.changed', $2::jsonb, $3)`, [
    owner,
    JSON.stringify(data),
    at,
  ]);
}

export interface WatcherRow {
  readonly id: string;
  readonly workspace: string;
  readonly author: number;
  readonly role: Role;
  readonly since: string;
}

export async function upsertWatcher(
  database: Queryable,
  watcher: { id: string; workspace: string; author: number; role: Role; at: Date },
): Promise<void> {
  const { id, workspace, author, role, at } = watcher;
  await database.query(
    `insert into workspace_watchers (id, workspace_id, author, role, since, seen_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [id, workspace, author, role, at],
  );
}

export async function deleteWatchers(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query('delete from workspace_watchers where id = any($1::text[])', [ids]);
}

export async function selectWatchers(
  database: Queryable,
  { workspaces, since }: { workspaces: readonly string[]; since: Date },
): Promise<WatcherRow[]> {
  return database.query<WatcherRow>(
    `select id, workspace_id as workspace, author, role, ${moment('since')} as since from workspace_watchers
     where workspace_id = any($1::text[]) and seen_at > $2 order by since, id`,
    [workspaces, since],
  );
}

export async function sweepWatchers(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query('delete from workspace_watchers where seen_at < $1 returning 1', [
    before,
  ]);
  return rows.length;
}

/** Deletes workspaces without an owner that have not changed since `before`, at most 100 per call. */
export async function sweepGuests(database: Queryable, before: Date): Promise<number> {
  const rows = await database.query(
    `delete from workspaces where id in (select id from workspaces where owner is null and changed_at < $1 limit 100) returning 1`,
    [before],
  );
  return rows.length;
}

export async function selectTotals(
  database: Queryable,
): Promise<{ workspaces: number; guests: number; items: number; bytes: number }> {
  const [row] = await database.query<{ workspaces: number; guests: number; items: number; bytes: number }>(
    `select count(*) as workspaces, count(*) filter (where owner is null) as guests,
       (select count(*) from workspace_items) as items, coalesce(sum(bytes), 0) as bytes from workspaces`,
  );
  return row!;
}

export async function deleteOfWallet(tx: Queryable, wallet: string): Promise<number> {
  const rows = await tx.query('delete from workspaces where owner = $1 returning 1', [wallet]);
  return rows.length;
}

/** Removes the name of a wallet from the workspaces of others. Its acts stay. */
export async function forgetPerson(tx: Queryable, wallet: string): Promise<void> {
  await tx.query(
    `update workspace_people set wallet = null, name = 'closed account ' || number where wallet = $1`,
    [wallet],
  );
}
