import type { Queryable } from '../../../core/database/types.ts';
import type { WorkspaceContext } from '../context.ts';
import { ARCHIVE_ACTS_A_READ, ARCHIVE_PART_BYTES_MAX, ARCHIVE_TEXT_CHARACTERS_MAX } from '../limits.ts';
import { lockWorkspace } from '../store.ts';
import type { ArchivedWorkspace, StoredFile } from '../types.ts';
import {
  selectArchivedActs,
  selectArchivedBranches,
  selectArchivedComments,
  selectArchivedItems,
  selectArchivedLinks,
  selectArchivedPeople,
  selectFiles,
  selectHead,
  selectIds,
  selectTextsFrom,
} from './store.ts';

/**
 * Writes the workspaces of a wallet as JSON lines. The parts are stored as unreferenced blobs, so that an archive can be listed
 * before it is sent and does not change meanwhile; the cleanup deletes them.
 * @see Workspaces.archive
 */
export async function writeWorkspaces(parts: WorkspaceContext, wallet: string): Promise<ArchivedWorkspace[]> {
  const written: ArchivedWorkspace[] = [];
  let charactersLeft = ARCHIVE_TEXT_CHARACTERS_MAX;
  for (const id of await selectIds(parts.database, wallet)) {
    const workspace = await parts.database.transaction((tx) =>
      writeWorkspace(parts, tx, { id, charactersLeft }),
    );
    if (!workspace) continue;
    written.push(workspace);
    charactersLeft -= workspace.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  return written;
}

/** Writes one workspace, locked against changes. Undefined where it was deleted meanwhile. */
async function writeWorkspace(
  parts: WorkspaceContext,
  tx: Queryable,
  { id, charactersLeft }: { id: string; charactersLeft: number },
): Promise<ArchivedWorkspace | undefined> {
  if (!(await lockWorkspace(tx, id))) return undefined;
  const files = await selectFiles(tx, id);
  const stored: StoredFile[] = [];
  let lines: string[] = [];
  let characters = 0;
  const flush = async () => {
    const bytes = Buffer.from(lines.join(''));
    stored.push({ sha256: await parts.blobs.put(bytes), bytes: bytes.length });
    lines = [];
    characters = 0;
  };
  for await (const record of recordsOf(tx, id, charactersLeft)) {
    const line = `${JSON.stringify(record)}\n`;
    lines.push(line);
    characters += line.length;
    // UTF-8 needs at most 3 bytes per UTF-16 code unit.
    if (3 * characters > ARCHIVE_PART_BYTES_MAX) await flush();
  }
  if (lines.length > 0) await flush();
  return { id, parts: stored, files };
}

/** Records in the order in which they are read: except for branches, referenced rows come first. */
async function* recordsOf(tx: Queryable, id: string, charactersLeft: number): AsyncGenerator<object> {
  yield { record: 'workspace', ...(await selectHead(tx, id)) };
  for (const link of await selectArchivedLinks(tx, id)) yield { record: 'link', ...link };
  for (const person of await selectArchivedPeople(tx, id)) yield { record: 'person', ...person };
  for (const item of await selectArchivedItems(tx, id)) yield { record: 'item', ...item };
  const textsFrom = await selectTextsFrom(tx, id, charactersLeft);
  let after = 0;
  for (;;) {
    const acts = await selectArchivedActs(tx, id, { after, textsFrom, limit: ARCHIVE_ACTS_A_READ });
    for (const act of acts) yield { record: 'act', ...act };
    after = acts.at(-1)?.number ?? after;
    if (acts.length < ARCHIVE_ACTS_A_READ) break;
  }
  for (const branch of await selectArchivedBranches(tx, id)) yield { record: 'branch', ...branch };
  for (const comment of await selectArchivedComments(tx, id)) yield { record: 'comment', ...comment };
}
