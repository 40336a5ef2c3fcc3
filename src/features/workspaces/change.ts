import type { Queryable } from '../../core/database/types.ts';
import { pageUrl, type WorkspaceContext } from './context.ts';
import { EVENTS_KEPT } from './limits.ts';
import { personNumber } from './people.ts';
import { workspaceNotFound } from './refusals.ts';
import {
  deleteEvents,
  emitToOwner,
  insertEvents,
  lockWorkspace,
  updateWorkspace,
  type WorkspaceRow,
} from './store.ts';
import type { NewPerson } from './types.ts';

export type EventKind =
  | 'items_added'
  | 'items_edited'
  | 'act_started'
  | 'act_done'
  | 'act_failed'
  /** The parent of the act has changed. */
  | 'act_moved'
  | 'branch_moved'
  | 'commented'
  | 'renamed'
  | 'shared'
  | 'trash_emptied'
  | 'claimed';

/** Events sent to the webhooks of the owner. Others are too frequent, such as those of moved images. */
const WEBHOOK_EVENTS: readonly EventKind[] = [
  'items_added',
  'act_done',
  'act_failed',
  'commented',
  'trash_emptied',
  'claimed',
];

/** A transaction that changes a workspace. Its row is locked; `row` is modified and saved at the end. */
export interface Change {
  readonly tx: Queryable;
  readonly row: WorkspaceRow;
  readonly at: Date;
  /** Number of the author. */
  readonly author: number;
  /** Adds an event; authors in `body` are numbers. */
  emit(kind: EventKind, body: Readonly<Record<string, unknown>>): void;
}

/**
 * Changes a workspace in one transaction, with its events, and then notifies watchers.
 * @param by the author, or its number
 * @throws AtelierError workspace_not_found
 */
export async function change<T>(
  context: WorkspaceContext,
  id: string,
  by: NewPerson | number,
  work: (change: Change) => Promise<T>,
): Promise<{ result: T; event: number; row: WorkspaceRow }> {
  const changed = await context.database.transaction(async (tx) => {
    const row = await lockWorkspace(tx, id);
    if (!row) throw workspaceNotFound();
    const at = context.clock();
    const author = typeof by === 'number' ? by : await personNumber(tx, row, by);
    const events: { number: number; kind: EventKind; body: string }[] = [];
    const result = await work({
      tx,
      row,
      at,
      author,
      emit(kind, body) {
        row.events += 1;
        events.push({ number: row.events, kind, body: JSON.stringify(body) });
      },
    });
    await updateWorkspace(tx, row, at);
    if (events.length > 0) await record(context, { tx, row, author, at }, events);
    return { result, event: row.events, row };
  });
  context.announce(id);
  return changed;
}

async function record(
  context: WorkspaceContext,
  { tx, row, author, at }: Omit<Change, 'emit'>,
  events: readonly { number: number; kind: EventKind; body: string }[],
): Promise<void> {
  await insertEvents(tx, row.id, { events, author, at });
  const { number: last } = events.at(-1)!;
  // Only about every 100 events: a deletion with every event would double its cost.
  if (last % 100 < events.length) await deleteEvents(tx, row.id, last - EVENTS_KEPT);
  if (row.owner === null) return;
  for (const { kind, number } of events.filter((event) => WEBHOOK_EVENTS.includes(event.kind))) {
    const data = { workspace_id: row.id, event: number, kind, url: pageUrl(context, row.id) };
    await emitToOwner(tx, { owner: row.owner, data, at });
  }
}
