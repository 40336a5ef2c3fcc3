import { WORKSPACES_PER_WALLET_MAX } from '../../config/limits.ts';
import { createBoundedCache } from '../../core/bounded_cache.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { openAccess, passFor } from './access.ts';
import { begin, endOverdue, fail, finish, listActs, place, readAct } from './acts.ts';
import { bytesOf, readWorkspaces, requireRoomFor } from './archive/read_workspaces.ts';
import { writeWorkspaces } from './archive/write_workspaces.ts';
import { change } from './change.ts';
import { pageUrl, type WorkspaceContext, type WorkspacesDeps } from './context.ts';
import { branchActs, compare, editBranch, MAIN, redo, setBranch, undo } from './history.ts';
import { add, DEFAULT_NAME, edit, emptyTrash, factsOf, openItem, withImage } from './items.ts';
import {
  ACTS_A_PAGE_MAX,
  DRAWN_BYTES_MAX,
  GUEST_LIFETIME_MS,
  ITEM_HANDLE_LIFETIME_MS,
  TITLE_CHARACTERS_MAX,
  WATCHER_LIFETIME_MS,
  WORKSPACES_MAX,
} from './limits.ts';
import { People, viewerOf } from './people.ts';
import { programOf } from './program.ts';
import { itemNotFound, tooManyInAll, tooManyOfWallet, workspaceNotFound } from './refusals.ts';
import { comment, linkView, removeComment, revoke, share } from './sharing.ts';
import * as store from './store.ts';
import { plainText } from './texts.ts';
import { itemHandle, newWorkspaceId, readItemHandle } from './tokens.ts';
import type { Access, Contents, DrawnImage, Role, Visitor, Workspaces, WorkspaceView } from './types.ts';
import { createWatching } from './watching.ts';

/** @see Workspaces */
export function createWorkspaces(deps: WorkspacesDeps): Workspaces {
  const clock = deps.clock ?? (() => new Date());
  const watching = createWatching({ ...deps, clock, tidy: () => endOverdue(parts, clock()) });
  const parts: WorkspaceContext = {
    ...deps,
    clock,
    takeRoom: createRoom(deps),
    announce: (id) => watching.announce(id),
  };
  const { database } = parts;
  return {
    access: (text, visitor, needs) => openAccess(parts, text, visitor, needs),
    passFor: (access) => passFor(parts, access),
    create: (title, visitor) => create(parts, title, visitor),
    list: (wallet, page) => list(parts, wallet, page),
    view: async (access) => viewOf(parts, await requireRow(parts, access.id), access),
    read: (access) => read(parts, access),
    rename: (access, title) => rename(parts, access, title),
    async remove({ id }) {
      await store.deleteWorkspace(database, id);
      watching.announce(id);
    },
    claim: (access, wallet) => claim(parts, access, wallet),
    watch: (access, how) => watching.open(access, how),
    streams: () => watching.count(),
    totals: () => store.selectTotals(database),
    sweep: (now) => sweep(parts, now),
    ...archivesOf(parts),
    async forget(tx, wallet) {
      const count = await store.deleteOfWallet(tx, wallet);
      await store.forgetPerson(tx, wallet);
      return count;
    },
    close: () => watching.close(),
    ...itemsOf(parts),
    ...actsOf(parts),
    ...historyOf(parts),
  };
}

type Offering<Name extends keyof Workspaces> = Pick<Workspaces, Name>;

function itemsOf(
  parts: WorkspaceContext,
): Offering<'add' | 'edit' | 'file' | 'withImage' | 'drawn' | 'emptyTrash' | 'handleOf' | 'openHandle'> {
  const remembered = createBoundedCache<DrawnImage>(DRAWN_BYTES_MAX, ({ bytes }) => bytes.length);
  return {
    async drawn(name, draw) {
      const known = remembered.get(name);
      if (known) return known;
      const { bytes, contentType, width, height } = await draw();
      // Copied, because the bytes may be part of a larger buffer.
      const image = { bytes: Uint8Array.from(bytes), contentType, width, height };
      remembered.set(name, image);
      return image;
    },
    add: (access, items) => add(parts, access, items),
    edit: (access, edits) => edit(parts, access, edits),
    file: (access, item) => openItem(parts, access, item),
    withImage: (item, work) => withImage(parts, item, work),
    emptyTrash: (access) => emptyTrash(parts, access),
    async handleOf({ id }, item) {
      const [found] = await store.selectItemsOf(parts.database, id, [item]);
      if (!found) throw itemNotFound(item);
      const name = DEFAULT_NAME.test(found.name) ? '' : found.name;
      return itemHandle(
        parts.links,
        id,
        { item, name },
        new Date(parts.clock().getTime() + ITEM_HANDLE_LIFETIME_MS),
      );
    },
    openHandle: (rest, options) => openHandle(parts, rest, options),
  };
}

function archivesOf(parts: WorkspaceContext): Offering<'archive' | 'requireRoom' | 'factsOf' | 'restore'> {
  return {
    archive: (wallet) => writeWorkspaces(parts, wallet),
    async requireRoom(wallet, workspaces) {
      const missing = await requireRoomFor(parts.database, wallet, workspaces);
      if (missing.length > 0) await parts.takeRoom(bytesOf(missing));
    },
    factsOf,
    restore: (tx, restoring) => readWorkspaces(parts, tx, restoring),
  };
}

function actsOf(
  parts: WorkspaceContext,
): Offering<'acts' | 'act' | 'begin' | 'becomeJob' | 'actOfJob' | 'place' | 'finish' | 'fail' | 'waive'> {
  const { database } = parts;
  const ownerOf = async ({ id }: Access) => (await requireRow(parts, id)).owner;
  const reported = (error: unknown) => parts.report?.(error);
  return {
    acts: async (access, page) => listActs(parts, { access, owner: await ownerOf(access) }, page),
    act: async (access, number) => readAct(parts, { access, owner: await ownerOf(access) }, number),
    begin: (by, act) => begin(parts, by, act),
    becomeJob: (at, jobId, lifetimeMs) =>
      store.updateJob(database, at, {
        jobId,
        expiresAt: new Date(parts.clock().getTime() + lifetimeMs),
      }),
    actOfJob: (jobId) => store.selectActOfJob(database, jobId),
    place: (at, output) => place(parts, at, output),
    finish: (at, outcome) => finish(parts, at, outcome).catch(reported),
    fail: (at, error) => fail(parts, at, error).catch(reported),
    async waive(places) {
      for (const [workspace, acts] of Map.groupBy(places, (one) => one.workspace))
        await store.waiveActs(
          database,
          workspace,
          acts.map(({ act }) => act),
        );
    },
  };
}

function historyOf(
  parts: WorkspaceContext,
): Offering<
  | 'undo'
  | 'redo'
  | 'setBranch'
  | 'editBranch'
  | 'branchActs'
  | 'compare'
  | 'program'
  | 'comment'
  | 'removeComment'
  | 'share'
  | 'revoke'
> {
  return {
    undo: (access, how) => undo(parts, access, how),
    redo: (access, how) => redo(parts, access, how),
    setBranch: (access, how) => setBranch(parts, access, how),
    editBranch: (access, how) => editBranch(parts, access, how),
    branchActs: (access, branch) => branchActs(parts, access, branch),
    compare: (access, a, b) => compare(parts, access, [a, b]),
    program: (access, query) => programOf(parts, access, query),
    comment: (access, one) => comment(parts, access, one),
    removeComment: (access, number) => removeComment(parts, access, number),
    share: (access, link) => share(parts, access, link),
    revoke: (access, link) => revoke(parts, access, link),
  };
}

/** Cache lifetime of the sum of all workspaces. */
const SUM_REMEMBERED_MS = 60_000;

function createRoom({ database, quota, bytesMax }: WorkspacesDeps): WorkspaceContext['takeRoom'] {
  let sum = { until: 0, bytes: 0 };
  return async (bytes) => {
    if (bytesMax !== undefined) {
      if (performance.now() >= sum.until) {
        const { bytes: all } = await store.selectTotals(database);
        sum = { until: performance.now() + SUM_REMEMBERED_MS, bytes: all };
      }
      if (sum.bytes + bytes > bytesMax)
        throw new AtelierError('storage_full', undefined, { retryAfterSeconds: 600 });
      sum.bytes += bytes;
    }
    await quota?.take(bytes);
  };
}

async function requireRow({ database }: WorkspaceContext, id: string): Promise<store.WorkspaceRow> {
  const row = await store.selectWorkspace(database, id);
  if (!row) throw workspaceNotFound();
  return row;
}

/** @see Workspaces.create */
async function create(
  parts: WorkspaceContext,
  title: string | undefined,
  visitor: Visitor,
): ReturnType<Workspaces['create']> {
  const { database, clock } = parts;
  const owner = visitor.wallet ?? null;
  const id = newWorkspaceId();
  const at = clock();
  await database.transaction(async (tx) => {
    await store.lockOwner(tx, owner ?? 'guests');
    const { own, all } = await store.countWorkspaces(tx, owner);
    if (own >= WORKSPACES_PER_WALLET_MAX) throw tooManyOfWallet();
    if (all >= WORKSPACES_MAX) throw tooManyInAll();
    await store.insertWorkspace(tx, { id, owner, title: titleOf(title), at });
    await store.upsertBranch(tx, id, { name: MAIN, head: null, tip: null });
  });
  if (owner !== null) return { access: await openAccess(parts, id, visitor), links: [] };
  const { row } = await change(parts, id, GUEST, async ({ tx, row }) => {
    row.links += 1;
    await store.insertLink(tx, id, { number: row.links, role: 'own', name: 'owner', createdAt: at });
  });
  const [link] = await store.selectLinks(database, id);
  const view = linkView(parts, row.id, link!);
  return { access: await openAccess(parts, view.id, visitor), links: [view] };
}

const GUEST = { wallet: null, name: 'owner', isAgent: false, link: 1 };

const titleOf = (title: string | undefined): string =>
  plainText(title ?? '', TITLE_CHARACTERS_MAX) || 'Untitled';

/** @see Workspaces.list */
async function list(
  parts: WorkspaceContext,
  wallet: string,
  { limit, before }: { limit: number; before?: string | undefined },
): ReturnType<Workspaces['list']> {
  const rows = await store.selectPage(parts.database, wallet, { limit: limit + 1, before });
  const shown = rows.slice(0, limit);
  const counts = new Map(
    (
      await store.selectCounts(
        parts.database,
        shown.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  );
  return {
    workspaces: shown.map((row) =>
      describe(parts, row, { counts: counts.get(row.id)!, role: 'own', wallet }),
    ),
    next: rows.length > limit ? shown.at(-1)!.id : null,
  };
}

async function viewOf(
  parts: WorkspaceContext,
  row: store.WorkspaceRow,
  access: Access,
): Promise<WorkspaceView> {
  const [counts] = await store.selectCounts(parts.database, [row.id]);
  const { wallet } = viewerOf(access);
  return describe(parts, row, { counts: counts!, role: access.role, wallet });
}

function describe(
  parts: WorkspaceContext,
  row: store.WorkspaceRow,
  { counts, role, wallet }: { counts: store.Counts; role: Role; wallet: string | undefined },
): WorkspaceView {
  const { id: _, ...rest } = counts;
  return {
    id: row.id,
    title: row.title,
    url: pageUrl(parts, row.id),
    role,
    owned: row.owner !== null,
    is_mine: row.owner !== null && row.owner === wallet,
    created_at: row.createdAt.toISOString(),
    changed_at: row.changedAt.toISOString(),
    expires_at:
      row.owner === null ? new Date(row.changedAt.getTime() + GUEST_LIFETIME_MS).toISOString() : null,
    event: row.events,
    branch: row.branch,
    counts: rest,
    bytes: row.bytes,
  };
}

/** Locks the row, so that all contents are as of one event. @see Workspaces.read */
async function read(parts: WorkspaceContext, access: Access): Promise<Contents> {
  const { database, clock } = parts;
  const since = new Date(clock().getTime() - WATCHER_LIFETIME_MS);
  const { id } = access;
  const found = await database.transaction(async (tx) => {
    const row = await store.lockWorkspace(tx, id);
    if (!row) throw workspaceNotFound();
    return {
      row,
      people: new People(await store.selectPeople(tx, id), row.owner),
      counts: (await store.selectCounts(tx, [id]))[0]!,
      items: await store.selectItems(tx, id),
      acts: await store.selectActs(tx, id, { limit: ACTS_A_PAGE_MAX }),
      branches: await store.selectBranches(tx, id),
      comments: await store.selectComments(tx, id),
      links: await store.selectLinks(tx, id),
      watchers: await store.selectWatchers(tx, { workspaces: [id], since }),
    };
  });
  const viewer = viewerOf(access);
  const { row, people, counts } = found;
  return {
    workspace: describe(parts, row, { counts, role: access.role, wallet: viewer.wallet }),
    items: people.inside(found.items, viewer),
    acts: people.inside(found.acts, viewer),
    branches: found.branches,
    comments: people.inside(found.comments, viewer),
    watchers: found.watchers.map(({ author, role, since: from }) => {
      const { name, is_agent, is_you } = people.seenBy(author, viewer);
      return { name, role, is_agent, is_you, since: from };
    }),
    links: access.role === 'own' ? found.links.map((link) => linkView(parts, id, link)) : [],
  };
}

/** @see Workspaces.rename */
async function rename(
  parts: WorkspaceContext,
  access: Access,
  sent: string,
): ReturnType<Workspaces['rename']> {
  const title = titleOf(sent);
  const { event } = await change(parts, access.id, access.author, async ({ row, emit }) => {
    row.title = title;
    emit('renamed', { title });
  });
  return { workspace: access.id, event };
}

/** @see Workspaces.claim */
async function claim(
  parts: WorkspaceContext,
  access: Access,
  wallet: string,
): ReturnType<Workspaces['claim']> {
  const { event } = await change(parts, access.id, access.author, async ({ tx, row, emit }) => {
    await store.lockOwner(tx, wallet);
    const { own } = await store.countWorkspaces(tx, wallet);
    if (own >= WORKSPACES_PER_WALLET_MAX) throw tooManyOfWallet();
    if (!(await store.updateOwner(tx, row.id, wallet)))
      throw new AtelierError('workspace_denied', 'This workspace already has an owner.');
    emit('claimed', { owned: true });
  });
  return { workspace: access.id, event };
}

/** @see Workspaces.openHandle */
async function openHandle(
  { database, blobs, links }: WorkspaceContext,
  rest: string,
  { bytesMax }: { bytesMax: number },
): Promise<{ bytes: Uint8Array }> {
  const named = readItemHandle(links, rest);
  const [item] = named ? await store.selectItemsOf(database, named.id, [named.item]) : [];
  if (!item)
    throw new AtelierError(
      'image_not_found',
      'item: handles refer to images of a workspace. Send "item:3" together with the field workspace.',
    );
  return { bytes: await blobs.get(item.sha256, { bytesMax }) };
}

/** @see Workspaces.sweep */
async function sweep(parts: WorkspaceContext, now: Date): Promise<number> {
  const ended = await endOverdue(parts, now);
  const gone = await store.sweepWatchers(parts.database, new Date(now.getTime() - WATCHER_LIFETIME_MS));
  const guests = await store.sweepGuests(parts.database, new Date(now.getTime() - GUEST_LIFETIME_MS));
  return ended + gone + guests;
}
