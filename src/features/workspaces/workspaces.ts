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
  const watching = createWatching({ ...deps, clock, tidy: () => endOverdue(context, clock()) });
  const context: WorkspaceContext = {
    ...deps,
    clock,
    takeRoom: createRoom(deps),
    announce: (id) => watching.announce(id),
  };
  const { database } = context;
  return {
    access: (text, visitor, needs) => openAccess(context, text, visitor, needs),
    passFor: (access) => passFor(context, access),
    create: (title, visitor) => create(context, title, visitor),
    list: (wallet, page) => list(context, wallet, page),
    view: async (access) => viewOf(context, await requireRow(context, access.id), access),
    read: (access) => read(context, access),
    rename: (access, title) => rename(context, access, title),
    async remove({ id }) {
      await store.deleteWorkspace(database, id);
      watching.announce(id);
    },
    claim: (access, wallet) => claim(context, access, wallet),
    watch: (access, how) => watching.open(access, how),
    streams: () => watching.count(),
    totals: () => store.selectTotals(database),
    sweep: (now) => sweep(context, now),
    ...archivesOf(context),
    async forget(tx, wallet) {
      const count = await store.deleteOfWallet(tx, wallet);
      await store.forgetPerson(tx, wallet);
      return count;
    },
    close: () => watching.close(),
    ...itemsOf(context),
    ...actsOf(context),
    ...historyOf(context),
  };
}

type Offering<Name extends keyof Workspaces> = Pick<Workspaces, Name>;

function itemsOf(
  context: WorkspaceContext,
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
    add: (access, items) => add(context, access, items),
    edit: (access, edits) => edit(context, access, edits),
    file: (access, item) => openItem(context, access, item),
    withImage: (item, work) => withImage(context, item, work),
    emptyTrash: (access) => emptyTrash(context, access),
    async handleOf({ id }, item) {
      const [found] = await store.selectItemsOf(context.database, id, [item]);
      if (!found) throw itemNotFound(item);
      const name = DEFAULT_NAME.test(found.name) ? '' : found.name;
      return itemHandle(
        context.links,
        id,
        { item, name },
        new Date(context.clock().getTime() + ITEM_HANDLE_LIFETIME_MS),
      );
    },
    openHandle: (rest, options) => openHandle(context, rest, options),
  };
}

function archivesOf(context: WorkspaceContext): Offering<'archive' | 'requireRoom' | 'factsOf' | 'restore'> {
  return {
    archive: (wallet) => writeWorkspaces(context, wallet),
    async requireRoom(wallet, workspaces) {
      const missing = await requireRoomFor(context.database, wallet, workspaces);
      if (missing.length > 0) await context.takeRoom(bytesOf(missing));
    },
    factsOf,
    restore: (tx, restoring) => readWorkspaces(context, tx, restoring),
  };
}

function actsOf(
  context: WorkspaceContext,
): Offering<'acts' | 'act' | 'begin' | 'becomeJob' | 'actOfJob' | 'place' | 'finish' | 'fail' | 'waive'> {
  const { database } = context;
  const ownerOf = async ({ id }: Access) => (await requireRow(context, id)).owner;
  const reported = (error: unknown) => context.report?.(error);
  return {
    acts: async (access, page) => listActs(context, { access, owner: await ownerOf(access) }, page),
    act: async (access, number) => readAct(context, { access, owner: await ownerOf(access) }, number),
    begin: (by, act) => begin(context, by, act),
    becomeJob: (at, jobId, lifetimeMs) =>
      store.updateJob(database, at, {
        jobId,
        expiresAt: new Date(context.clock().getTime() + lifetimeMs),
      }),
    actOfJob: (jobId) => store.selectActOfJob(database, jobId),
    place: (at, output) => place(context, at, output),
    finish: (at, outcome) => finish(context, at, outcome).catch(reported),
    fail: (at, error) => fail(context, at, error).catch(reported),
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
  context: WorkspaceContext,
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
    undo: (access, how) => undo(context, access, how),
    redo: (access, how) => redo(context, access, how),
    setBranch: (access, how) => setBranch(context, access, how),
    editBranch: (access, how) => editBranch(context, access, how),
    branchActs: (access, branch) => branchActs(context, access, branch),
    compare: (access, a, b) => compare(context, access, [a, b]),
    program: (access, query) => programOf(context, access, query),
    comment: (access, one) => comment(context, access, one),
    removeComment: (access, number) => removeComment(context, access, number),
    share: (access, link) => share(context, access, link),
    revoke: (access, link) => revoke(context, access, link),
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
  context: WorkspaceContext,
  title: string | undefined,
  visitor: Visitor,
): ReturnType<Workspaces['create']> {
  const { database, clock } = context;
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
  if (owner !== null) return { access: await openAccess(context, id, visitor), links: [] };
  const { row } = await change(context, id, GUEST, async ({ tx, row }) => {
    row.links += 1;
    await store.insertLink(tx, id, { number: row.links, role: 'own', name: 'owner', createdAt: at });
  });
  const [link] = await store.selectLinks(database, id);
  const view = linkView(context, row.id, link!);
  return { access: await openAccess(context, view.id, visitor), links: [view] };
}

const GUEST = { wallet: null, name: 'owner', isAgent: false, link: 1 };

const titleOf = (title: string | undefined): string =>
  plainText(title ?? '', TITLE_CHARACTERS_MAX) || 'Untitled';

/** @see Workspaces.list */
async function list(
  context: WorkspaceContext,
  wallet: string,
  { limit, before }: { limit: number; before?: string | undefined },
): ReturnType<Workspaces['list']> {
  const rows = await store.selectPage(context.database, wallet, { limit: limit + 1, before });
  const shown = rows.slice(0, limit);
  const counts = new Map(
    (
      await store.selectCounts(
        context.database,
        shown.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  );
  return {
    workspaces: shown.map((row) =>
      describe(context, row, { counts: counts.get(row.id)!, role: 'own', wallet }),
    ),
    next: rows.length > limit ? shown.at(-1)!.id : null,
  };
}

async function viewOf(
  context: WorkspaceContext,
  row: store.WorkspaceRow,
  access: Access,
): Promise<WorkspaceView> {
  const [counts] = await store.selectCounts(context.database, [row.id]);
  const { wallet } = viewerOf(access);
  return describe(context, row, { counts: counts!, role: access.role, wallet });
}

function describe(
  context: WorkspaceContext,
  row: store.WorkspaceRow,
  { counts, role, wallet }: { counts: store.Counts; role: Role; wallet: string | undefined },
): WorkspaceView {
  const { id: _, ...rest } = counts;
  return {
    id: row.id,
    title: row.title,
    url: pageUrl(context, row.id),
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
async function read(context: WorkspaceContext, access: Access): Promise<Contents> {
  const { database, clock } = context;
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
    workspace: describe(context, row, { counts, role: access.role, wallet: viewer.wallet }),
    items: people.inside(found.items, viewer),
    acts: people.inside(found.acts, viewer),
    branches: found.branches,
    comments: people.inside(found.comments, viewer),
    watchers: found.watchers.map(({ author, role, since: from }) => {
      const { name, is_agent, is_you } = people.seenBy(author, viewer);
      return { name, role, is_agent, is_you, since: from };
    }),
    links: access.role === 'own' ? found.links.map((link) => linkView(context, id, link)) : [],
  };
}

/** @see Workspaces.rename */
async function rename(
  context: WorkspaceContext,
  access: Access,
  sent: string,
): ReturnType<Workspaces['rename']> {
  const title = titleOf(sent);
  const { event } = await change(context, access.id, access.author, async ({ row, emit }) => {
    row.title = title;
    emit('renamed', { title });
  });
  return { workspace: access.id, event };
}

/** @see Workspaces.claim */
async function claim(
  context: WorkspaceContext,
  access: Access,
  wallet: string,
): ReturnType<Workspaces['claim']> {
  const { event } = await change(context, access.id, access.author, async ({ tx, row, emit }) => {
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
async function sweep(context: WorkspaceContext, now: Date): Promise<number> {
  const ended = await endOverdue(context, now);
  const gone = await store.sweepWatchers(context.database, new Date(now.getTime() - WATCHER_LIFETIME_MS));
  const guests = await store.sweepGuests(context.database, new Date(now.getTime() - GUEST_LIFETIME_MS));
  return ended + gone + guests;
}
