import { WORKSPACE_ITEMS_MAX, WORKSPACES_PER_WALLET_MAX } from '../../../config/limits.ts';
import type { Queryable } from '../../../core/database/types.ts';
import type { WorkspaceContext } from '../context.ts';
import {
  ARCHIVE_PART_BYTES_MAX,
  ARCHIVE_ROWS_A_STATEMENT,
  OWNER_BYTES_MAX,
  WORKSPACE_ACTS_MAX,
  WORKSPACE_BRANCHES_MAX,
  WORKSPACE_COMMENTS_MAX,
  WORKSPACE_LINKS_MAX,
  WORKSPACE_PEOPLE_MAX,
  WORKSPACES_MAX,
} from '../limits.ts';
import { tooManyBytes, tooManyInAll, tooManyOfWallet } from '../refusals.ts';
import { countWorkspaces, lockOwner, sumBytes } from '../store.ts';
import type { ArchivedWorkspace, FileFacts, RestoredWorkspaces, Restoring } from '../types.ts';
import { type ArchiveRecord, archiveInvalid, type RecordKind, readRecord } from './records.ts';
import { hasBrokenHistory, insertHead, insertRows, type Row, selectTaken, updateCounters } from './store.ts';

/** @see Workspaces.restore */
export async function readWorkspaces(
  parts: WorkspaceContext,
  tx: Queryable,
  { wallet, workspaces, facts }: Restoring,
): Promise<RestoredWorkspaces> {
  if (workspaces.length === 0) return { restored: 0, present: 0 };
  await lockOwner(tx, wallet);
  const missing = await requireRoomFor(tx, wallet, workspaces);
  for (const archived of missing) await readWorkspace(parts, tx, { wallet, archived, facts });
  return { restored: missing.length, present: workspaces.length - missing.length };
}

/**
 * Checks the limits before an import.
 * @returns the workspaces whose id is free
 * @throws AtelierError workspace_full, storage_quota_exceeded
 */
export async function requireRoomFor(
  database: Queryable,
  wallet: string,
  workspaces: readonly ArchivedWorkspace[],
): Promise<readonly ArchivedWorkspace[]> {
  const taken = await selectTaken(
    database,
    workspaces.map(({ id }) => id),
  );
  const missing = workspaces.filter(({ id }) => !taken.has(id));
  const { own, all } = await countWorkspaces(database, wallet);
  if (own + missing.length > WORKSPACES_PER_WALLET_MAX) throw tooManyOfWallet();
  if (all + missing.length > WORKSPACES_MAX) throw tooManyInAll();
  if ((await sumBytes(database, wallet)) + bytesOf(missing) > OWNER_BYTES_MAX) throw tooManyBytes(true);
  return missing;
}

/** Total bytes of their items. */
export const bytesOf = (workspaces: readonly ArchivedWorkspace[]): number =>
  workspaces.reduce((sum, { files }) => sum + files.reduce((all, { bytes }) => all + bytes, 0), 0);

const ROWS_MAX: Readonly<Record<RecordKind, number>> = {
  workspace: 1,
  link: WORKSPACE_LINKS_MAX,
  person: WORKSPACE_PEOPLE_MAX,
  item: WORKSPACE_ITEMS_MAX,
  act: WORKSPACE_ACTS_MAX,
  branch: WORKSPACE_BRANCHES_MAX,
  comment: WORKSPACE_COMMENTS_MAX,
};

/** Reads and inserts one workspace. @throws AtelierError archive_invalid */
async function readWorkspace(
  parts: WorkspaceContext,
  tx: Queryable,
  {
    wallet,
    archived: { id, parts: stored },
    facts,
  }: Pick<Restoring, 'wallet' | 'facts'> & { archived: ArchivedWorkspace },
): Promise<void> {
  const counts = new Map<RecordKind, number>();
  for await (const records of batchesOf(parts, { id, stored })) {
    const [{ record: kind }] = records;
    const count = (counts.get(kind) ?? 0) + records.length;
    counts.set(kind, count);
    if (count > ROWS_MAX[kind])
      throw archiveInvalid(id, `It has more than ${ROWS_MAX[kind]} lines of ${kind}.`);
    if ((kind === 'workspace') !== (counts.size === 1))
      throw archiveInvalid(id, 'The line of the workspace must come first.');
    const [first] = records;
    if (first.record === 'workspace') await insertHead(tx, { id, wallet }, first);
    else
      await insertRows(tx, id, {
        kind: first.record,
        rows: records.map((one) => rowOf(one, { id, wallet, facts })),
      });
  }
  if (counts.size === 0 || (await hasBrokenHistory(tx, id)))
    throw archiveInvalid(id, 'A branch or an act refers to a missing act.');
  await updateCounters(tx, id);
}

/** Batches of consecutive records of one kind, for one statement each. */
async function* batchesOf(
  { blobs }: WorkspaceContext,
  { id, stored }: { id: string; stored: ArchivedWorkspace['parts'] },
): AsyncGenerator<[ArchiveRecord, ...ArchiveRecord[]]> {
  let batch: ArchiveRecord[] = [];
  let characters = 0;
  for (const { sha256 } of stored) {
    const bytes = await blobs.get(sha256, { bytesMax: 2 * ARCHIVE_PART_BYTES_MAX });
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const record = readRecord(line, id);
      characters += line.length;
      const [first] = batch;
      const isFull = batch.length >= ARCHIVE_ROWS_A_STATEMENT || characters > ARCHIVE_PART_BYTES_MAX / 4;
      if (first && (isFull || first.record !== record.record)) {
        yield [first, ...batch.slice(1)];
        batch = [];
        characters = line.length;
      }
      batch.push(record);
    }
  }
  const [first] = batch;
  if (first) yield [first, ...batch.slice(1)];
}

function rowOf(
  record: ArchiveRecord,
  { id, wallet, facts }: { id: string; wallet: string; facts: ReadonlyMap<string, FileFacts> },
): Row {
  if (record.record === 'person') return { ...record, wallet: record.is_owner ? wallet : null };
  if (record.record !== 'item') return record as Row;
  const file = facts.get(record.sha256);
  // Only files of the archive count: the server may store the same bytes for another client.
  if (!file) throw archiveInvalid(id, `The file of item ${record.number} is not in the archive.`);
  const { bytes, mediaType, width, height } = file;
  return { ...record, size_bytes: bytes, media_type: mediaType, width, height };
}
