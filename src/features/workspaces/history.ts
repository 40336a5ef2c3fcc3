import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import { type Change, change } from './change.ts';
import type { WorkspaceContext } from './context.ts';
import { BRANCH_CHARACTERS_MAX, WORKSPACE_BRANCHES_MAX } from './limits.ts';
import { actNotFound, workspaceNotFound } from './refusals.ts';
import {
  type BranchRow,
  deleteBranch,
  renameBranch,
  selectActDetails,
  selectBranch,
  selectBranches,
  selectChain,
  selectOutcomes,
  selectWorkspace,
  upsertBranch,
} from './store.ts';
import { plainText } from './texts.ts';
import type { Access, BranchView, Changed, Difference } from './types.ts';

/** The first branch of a workspace, created with it. */
export const MAIN = 'main';

type InChange = Pick<Change, 'tx' | 'row'>;

/** The branch on which an act began; the current one where that branch was removed meanwhile. */
export async function currentBranch({ tx, row }: InChange, name: string): Promise<BranchRow> {
  const found = (await selectBranch(tx, row.id, name)) ?? (await selectBranch(tx, row.id, row.branch));
  return found ?? { name: row.branch, head: null, tip: null };
}

/**
 * Position of an ending act on its branch. Acts are in the order in which they began, not in that in which they end.
 * @returns the act before it, and the ended act after it, if any
 */
export async function placeOnBranch(
  { tx, row }: InChange,
  { head }: BranchRow,
  act: number,
): Promise<{ readonly parent: number | null; readonly next: number | undefined }> {
  if (head === null || head < act) return { parent: head, next: undefined };
  const chain = await selectChain(tx, row.id, head);
  return { parent: chain.find((one) => one < act) ?? null, next: chain.findLast((one) => one > act) };
}

/** Moves a branch to a new act. Undone acts after its head are preserved on a branch of their own. */
export async function branchEnd(changing: Change, branch: BranchRow, act: number): Promise<BranchRow> {
  const { tx, row, emit } = changing;
  if (branch.tip !== branch.head && branch.tip !== null) {
    const name = await freeName(changing, `${branch.name} before ${act}`);
    if (name !== undefined) {
      await upsertBranch(tx, row.id, { name, head: branch.tip, tip: branch.tip });
      const kept = { name, head: branch.tip, tip: branch.tip };
      emit('branch_moved', { branch: branchView(kept, row.branch), current: row.branch });
    }
  }
  return { name: branch.name, head: act, tip: act };
}

/** A free branch name; undefined at the maximum of branches, or where the name exists. The acts stay in the history without a name then. */
async function freeName({ tx, row }: InChange, wanted: string): Promise<string | undefined> {
  const names = (await selectBranches(tx, row.id)).map(({ branch }) => branch);
  if (names.length >= WORKSPACE_BRANCHES_MAX) return undefined;
  const short = wanted.slice(0, BRANCH_CHARACTERS_MAX);
  return names.includes(short) ? undefined : short;
}

interface Moving {
  readonly times: number;
  readonly branch?: string | undefined;
}

type Moved = Changed & { branch: BranchView };

/** @see Workspaces.undo */
export const undo = (context: WorkspaceContext, access: Access, { times, branch }: Moving): Promise<Moved> =>
  move(context, access, branch, async ({ tx, row }, { head, tip }) => {
    const chain = await selectChain(tx, row.id, head);
    return { head: chain[times] ?? null, tip };
  });

/** @see Workspaces.redo */
export const redo = (context: WorkspaceContext, access: Access, { times, branch }: Moving): Promise<Moved> =>
  move(context, access, branch, async ({ tx, row }, { head, tip }) => {
    const ahead = (await selectChain(tx, row.id, tip)).filter((act) => act > (head ?? 0));
    const next = ahead.at(-Math.min(times, ahead.length));
    return { head: next ?? head, tip };
  });

async function move(
  context: WorkspaceContext,
  access: Access,
  name: string | undefined,
  step: (changing: Change, branch: BranchRow) => Promise<Pick<BranchRow, 'head' | 'tip'>>,
): Promise<Moved> {
  const { result, event } = await change(context, access.id, access.author, async (changing) => {
    const branch = await requireBranch(changing, name ?? changing.row.branch);
    const moved = await step(changing, branch);
    // Already at the end of the branch.
    if (moved.head === branch.head) return branchView(branch, changing.row.branch);
    return emitMoved(changing, { name: branch.name, ...moved });
  });
  return { workspace: access.id, event, branch: result };
}

/** Saves a branch and emits its event. */
async function emitMoved(changing: Change, branch: BranchRow): Promise<BranchView> {
  const { tx, row, emit } = changing;
  await upsertBranch(tx, row.id, branch);
  const view = branchView(branch, row.branch);
  emit('branch_moved', { branch: view, current: row.branch });
  return view;
}

export const branchView = ({ name, head, tip }: BranchRow, current: string): BranchView => ({
  branch: name,
  head,
  tip,
  is_current: name === current,
});

async function requireBranch({ tx, row }: InChange, name: string): Promise<BranchRow> {
  const branch = await selectBranch(tx, row.id, name);
  if (branch) return branch;
  const names = (await selectBranches(tx, row.id)).map((one) => one.branch).slice(0, 20);
  throw new AtelierError(
    'item_not_found',
    `The workspace has no branch "${name.slice(0, 60)}". Branches: ${names.join(', ')}.`,
  );
}

/** @see Workspaces.setBranch */
export async function setBranch(
  context: WorkspaceContext,
  access: Access,
  { branch: sent, at, switches }: { branch: string; at?: number | undefined; switches: boolean },
): Promise<Moved> {
  const name = branchName(sent);
  const { result, event } = await change(context, access.id, access.author, async (changing) => {
    const { tx, row } = changing;
    const known = await selectBranch(tx, row.id, name);
    if (!known && (await selectBranches(tx, row.id)).length >= WORKSPACE_BRANCHES_MAX)
      throw tooManyBranches();
    const from = known ?? (await requireBranch(changing, row.branch));
    const head = at === undefined ? from.head : await requireHead(changing, at);
    if (switches) row.branch = name;
    return emitMoved(changing, { name, head, tip: at === undefined && known ? known.tip : head });
  });
  return { workspace: access.id, event, branch: result };
}

const tooManyBranches = (): AtelierError =>
  new AtelierError(
    'workspace_full',
    `The workspace has reached its limit of ${WORKSPACE_BRANCHES_MAX} branches. Remove one.`,
  );

/** Validates the act to which a branch moves; 0 is before the first. */
async function requireHead({ tx, row }: InChange, at: number): Promise<number | null> {
  if (at === 0) return null;
  const [act] = await selectActDetails(tx, row.id, [at]);
  if (!act) throw actNotFound(at);
  if (act.state === 'done') return at;
  throw invalidField('at', `Act ${at} is ${act.state}. A branch can only point to an act that is done.`);
}

/** @see Workspaces.branchActs */
export async function branchActs(
  { database }: WorkspaceContext,
  { id }: Access,
  branch: string | undefined,
): Promise<number[]> {
  const row = await selectWorkspace(database, id);
  if (!row) throw workspaceNotFound();
  const { head } = await requireBranch({ tx: database, row }, branch ?? row.branch);
  return selectChain(database, id, head);
}

function branchName(sent: string): string {
  const name = plainText(sent, BRANCH_CHARACTERS_MAX);
  if (name === '') throw invalidField('branch', 'branch must be a name of at least one visible character.');
  return name;
}

/** @see Workspaces.editBranch */
export async function editBranch(
  context: WorkspaceContext,
  access: Access,
  { branch: was, name: sent, removes }: { branch: string; name?: string | undefined; removes: boolean },
): Promise<Changed> {
  const name = sent === undefined ? undefined : branchName(sent);
  if (name === undefined && !removes)
    throw invalidField('name', 'name is missing: send the new name of the branch, or remove: true.');
  const { event } = await change(context, access.id, access.author, async (changing) => {
    const { tx, row, emit } = changing;
    const branch = await requireBranch(changing, was);
    const view = { branch: was, head: branch.head, tip: branch.tip, is_current: false };
    if (removes) {
      if (row.branch === was)
        throw invalidField('branch', 'The current branch cannot be removed. Switch to another one first.');
      await deleteBranch(tx, row.id, was);
      emit('branch_moved', { branch: view, current: row.branch, removed: true });
      return;
    }
    if (name !== was && (await selectBranch(tx, row.id, name!)))
      throw invalidField('name', `A branch "${name}" already exists. Choose another name.`);
    await renameBranch(tx, row.id, { from: was, to: name! });
    if (row.branch === was) row.branch = name!;
    const renamed = { ...view, branch: name!, is_current: row.branch === name };
    emit('branch_moved', { branch: renamed, current: row.branch, was });
  });
  return { workspace: access.id, event };
}

/** @see Workspaces.compare */
export async function compare(
  { database }: WorkspaceContext,
  { id }: Access,
  sides: readonly [string, string],
): Promise<{ common: number | null; a: Difference; b: Difference }> {
  const chains = await Promise.all(
    sides.map(async (side) => {
      const named = await selectBranch(database, id, side);
      if (named) return selectChain(database, id, named.head);
      const act = /^\d{1,6}$/.test(side) ? Number(side) : 0;
      const chain = act > 0 ? await selectChain(database, id, act) : [];
      if (chain.length > 0 || side === '0') return chain;
      throw new AtelierError(
        'item_not_found',
        `"${side.slice(0, 60)}" is neither a branch nor an act of the workspace.`,
      );
    }),
  );
  const [a, b] = chains as [number[], number[]];
  const inA = new Set(a);
  const inB = new Set(b);
  const difference = async (acts: number[]): Promise<Difference> => {
    const outcomes = await selectOutcomes(database, id, acts);
    return {
      acts: acts.toReversed(),
      items: outcomes.flatMap(({ outputs }) => outputs).sort((one, other) => one - other),
      credits: outcomes.reduce((sum, { credits }) => sum + credits, 0),
    };
  };
  return {
    common: a.find((act) => inB.has(act)) ?? null,
    a: await difference(a.filter((act) => !inB.has(act))),
    b: await difference(b.filter((act) => !inA.has(act))),
  };
}
