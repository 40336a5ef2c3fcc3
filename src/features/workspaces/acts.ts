import { WORKSPACE_ITEM_BYTES_MAX } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { type Change, change } from './change.ts';
import { pageUrl, type WorkspaceContext } from './context.ts';
import { branchEnd, branchView, currentBranch, placeOnBranch } from './history.ts';
import { addItems, keepFile, type PlacedFile, requireSomeRoom, sha256Of } from './items.ts';
import {
  ACT_ANSWER_CHARACTERS_MAX,
  ACT_GRACE_MS,
  ACT_INPUT_CHARACTERS_MAX,
  OUTPUTS_MAX,
  WORKSPACE_ACTS_MAX,
} from './limits.ts';
import { People, viewerOf } from './people.ts';
import { actNotFound } from './refusals.ts';
import {
  deletePending,
  endAct,
  insertAct,
  type RunningAct,
  selectActDetails,
  selectActs,
  selectOverdue,
  selectRunning,
  showItems,
  updateParent,
  upsertBranch,
} from './store.ts';
import { SIGNED_HANDLE } from './tokens.ts';
import type { Access, ActDetails, ActOutcome, ActPlace, ActView, NewAct, PlacedAct } from './types.ts';

/** @see Workspaces.acts */
export async function listActs(
  { database }: WorkspaceContext,
  { access, owner }: { access: Access; owner: string | null },
  page: { before?: number | undefined; limit: number },
): Promise<ActView[]> {
  const people = await People.of(database, { id: access.id, owner });
  return people.inside(await selectActs(database, access.id, page), viewerOf(access));
}

/** @see Workspaces.act */
export async function readAct(
  { database }: WorkspaceContext,
  { access, owner }: { access: Access; owner: string | null },
  number: number,
): Promise<ActDetails> {
  const [act] = await selectActDetails(database, access.id, [number]);
  if (!act) throw actNotFound(number);
  const people = await People.of(database, { id: access.id, owner });
  const { input, answer, ...shown } = act;
  // Input and response of a tool are excluded: they may contain an unrelated field "author".
  return { ...people.inside<ActView>(shown, viewerOf(access)), input, answer };
}

/** @see Workspaces.begin */
export async function begin(
  context: WorkspaceContext,
  by: Access | ActPlace,
  act: NewAct,
): Promise<ActPlace> {
  const { blobs } = context;
  const [id, author] = 'act' in by ? [by.workspace, await authorOf(context, by)] : [by.id, by.author];
  const files = new Map<string, PlacedFile>();
  for (const { image, item } of act.images) {
    if (item !== undefined) continue;
    const sha256 = sha256Of(image.bytes);
    if (files.has(sha256)) continue;
    await context.takeRoom(image.bytes.length);
    files.set(sha256, { ...(await keepFile({ blobs }, image.bytes)), name: image.fileName });
  }
  const shas = act.images.map(({ image, item }) => (item === undefined ? sha256Of(image.bytes) : undefined));
  const { result } = await change(context, id, author, async (changing) => {
    const { row, emit } = changing;
    if (row.acts >= WORKSPACE_ACTS_MAX) throw tooManyActs();
    await requireSomeRoom(changing);
    const { items, added } = await addItems(changing, [...files.values()]);
    if (added.length > 0) emit('items_added', { items: added });
    const inputs = act.images.map(
      ({ item }, at) => item ?? items.find(({ sha256 }) => sha256 === shas[at])!.item,
    );
    emit('act_started', { act: await startAct(context, changing, act, inputs) });
    return row.acts;
  });
  return { workspace: id, act: result };
}

async function startAct(
  context: WorkspaceContext,
  { tx, row, at, author }: Change,
  act: NewAct,
  inputs: readonly number[],
) {
  row.acts += 1;
  const input = JSON.stringify(keptInput(act, inputs));
  // A recipe refers to images in its own inputs, and can fail before a step has loaded them.
  const named = [...input.matchAll(NAMED_ITEM)].map(([, number]) => Number(number));
  return insertAct(tx, row.id, {
    number: row.acts,
    tool: act.tool,
    branch: row.branch,
    input: input.length <= ACT_INPUT_CHARACTERS_MAX ? input : null,
    inputs: [...new Set([...inputs, ...named])],
    jobId: act.jobId ?? null,
    step: act.step ?? null,
    isWhole: act.isWhole ?? false,
    author,
    at,
    expiresAt: new Date(context.clock().getTime() + act.lifetimeMs + ACT_GRACE_MS),
  });
}

const NAMED_ITEM = /"item:(\d{1,6})"/g;

/** The input in a form that can be sent again: images are items. */
function keptInput({ input, images }: NewAct, inputs: readonly number[]): unknown {
  const numbers = new Map(images.map(({ path }, at) => [path, inputs[at]!]));
  const replace = (value: unknown, path: string): unknown => {
    const item = numbers.get(path);
    if (item !== undefined) return `item:${item}`;
    if (typeof value === 'string') return value.replace(SIGNED_HANDLE, 'item:$1');
    if (Array.isArray(value)) return value.map((member, at) => replace(member, `${path}.${at}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        replace(member, path === '' ? name : `${path}.${name}`),
      ]),
    );
  };
  return replace(input, '');
}

const tooManyActs = (): AtelierError =>
  new AtelierError(
    'workspace_full',
    `The workspace has reached its limit of ${WORKSPACE_ACTS_MAX} acts. Open another workspace for this call.`,
  );

/** @see Workspaces.place */
export async function place(
  context: WorkspaceContext,
  { workspace, act }: ActPlace,
  output: Record<string, unknown>,
): Promise<PlacedAct & { readonly warning?: string }> {
  const placed = { id: workspace, act, url: pageUrl(context, workspace) };
  try {
    const files: PlacedFile[] = [];
    for (const { path, id } of outputsIn(output)) {
      const { bytes } = await context.results.open(id, { bytesMax: WORKSPACE_ITEM_BYTES_MAX });
      await context.takeRoom(bytes.length);
      const name = context.results.nameOf(id);
      files.push({ ...(await keepFile(context, bytes)), path, ...(name && { name }) });
    }
    if (files.length === 0) return { ...placed, items: [] };
    const { result } = await change(
      context,
      workspace,
      await authorOf(context, { workspace, act }),
      async (changing) => addItems(changing, files, { act }),
    );
    return { ...placed, items: result.items.map(({ item }) => item) };
  } catch (error) {
    if (!(error instanceof AtelierError)) context.report?.(error);
    const why = error instanceof AtelierError ? error.message : 'An internal error occurred.';
    return { ...placed, items: [], warning: `The result was not saved in the workspace: ${why}` };
  }
}

async function authorOf({ database }: WorkspaceContext, { workspace, act }: ActPlace): Promise<number> {
  const running = await selectRunning(database, workspace, act);
  if (!running) throw actNotFound(act);
  return running.author;
}

/** @see Workspaces.finish */
export async function finish(
  context: WorkspaceContext,
  { workspace, act }: ActPlace,
  { output, credits, outputs }: ActOutcome,
): Promise<void> {
  await endRunning(context, { workspace, act }, async (changing, running) => {
    const { tx, row, at, emit } = changing;
    const shown = await showItems(tx, row.id, act);
    const branch = await currentBranch(changing, running.branch);
    const { parent, next } = running.isWhole ? BESIDE : await placeOnBranch(changing, branch, act);
    const ended = await endAct(tx, row.id, {
      act,
      parent,
      outputs,
      answer: shortened(output, ACT_ANSWER_CHARACTERS_MAX),
      credits,
      error: null,
      branch: branch.name,
      at,
    });
    if (next !== undefined)
      emit('act_moved', { act: await updateParent(tx, row.id, { act: next, parent: act }) });
    const isEnd = !running.isWhole && next === undefined;
    const moved = isEnd ? await branchEnd(changing, branch, act) : branch;
    await upsertBranch(tx, row.id, moved);
    emit('act_done', { act: ended, items: shown, branch: branchView(moved, row.branch) });
  });
}

/** Position of a call that consists of acts: outside the branch. */
const BESIDE = { parent: null, next: undefined };

/** @see Workspaces.fail */
export async function fail(
  context: WorkspaceContext,
  { workspace, act }: ActPlace,
  { code, detail }: { code: string; detail: string },
): Promise<void> {
  await endRunning(context, { workspace, act }, async (changing, running) => {
    const { tx, row, at, emit } = changing;
    row.bytes -= await deletePending(tx, row.id, act);
    const branch = await currentBranch(changing, running.branch);
    const error = { code, detail: detail.slice(0, 1000) };
    const { parent } = running.isWhole ? BESIDE : await placeOnBranch(changing, branch, act);
    const ended = await endAct(tx, row.id, {
      act,
      parent,
      outputs: [],
      answer: null,
      credits: 0,
      error,
      branch: branch.name,
      at,
    });
    emit('act_failed', { act: ended });
  });
}

/** Ends a running act, as its author. Does nothing where it has ended or its workspace was deleted. */
async function endRunning(
  context: WorkspaceContext,
  { workspace, act }: ActPlace,
  work: (changing: Change, running: RunningAct) => Promise<void>,
): Promise<void> {
  const known = await selectRunning(context.database, workspace, act);
  if (!known) return;
  try {
    await change(context, workspace, known.author, async (changing) => {
      const running = await selectRunning(changing.tx, workspace, act);
      if (running) await work(changing, running);
    });
  } catch (error) {
    if (!(error instanceof AtelierError && error.code === 'workspace_not_found')) throw error;
  }
}

/**
 * Ends acts whose process died or whose job has ended.
 * @returns their number
 */
export async function endOverdue(context: WorkspaceContext, now: Date): Promise<number> {
  const overdue = await selectOverdue(context.database, now);
  for (const { jobState, jobId, problem, ...at } of overdue) {
    if (jobState === 'succeeded' && jobId !== null) await finishFromJob(context, at, jobId);
    else if (jobState === 'failed' && problem)
      await fail(context, at, {
        code: String(problem.code),
        detail: String(problem.detail ?? problem.title),
      });
    else if (jobState === 'canceled') await fail(context, at, CANCELED);
    else await fail(context, at, INTERRUPTED);
  }
  return overdue.length;
}

const CANCELED = { code: 'canceled', detail: 'The job was canceled. You were not charged.' };
const INTERRUPTED = { code: 'interrupted', detail: 'The call ended without a response. Send it again.' };

/** Completes an act whose process died between the charge and the end of the act, from the stored response of its job. */
async function finishFromJob(context: WorkspaceContext, at: ActPlace, jobId: string): Promise<void> {
  const job = await context.jobs.find(jobId);
  if (!job) return fail(context, at, INTERRUPTED);
  const { cost, ...output } = JSON.parse(await context.jobs.resultOf(job)) as Record<string, unknown> & {
    cost?: { credit: number };
  };
  const { items } = await place(context, at, output);
  await finish(context, at, { output: ownFields(output), credits: cost?.credit ?? 0, outputs: items });
}

const ENVELOPE = new Set(['cost', 'payment', 'next_steps', 'warnings', 'looked_at', 'workspace']);

const ownFields = (output: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(output).filter(([name]) => !ENVELOPE.has(name)));

/** A result in a response. */
interface OutputFile {
  /** Path of the field, such as `result` or `variants.2.result`. */
  readonly path: string;
  /** Id of the result, without `result:`. */
  readonly id: string;
  readonly name: string | undefined;
}

const HANDLE = /^result:([0-9a-z]{6,8}-[0-9a-f]{32}[\w.-]{0,460})$/;
/** Fields that do not contain outputs of the call. */
const NOT_MADE = new Set(['history', 'next_steps', 'original', 'cost', 'payment']);

/** The distinct results in the fields of a tool, the main one first. */
function outputsIn(output: Readonly<Record<string, unknown>>): OutputFile[] {
  const found = new Map<string, OutputFile>();
  collect(output, '', found);
  const files = [...found.values()];
  const main = files.findIndex(({ path }) => path === 'result');
  if (main > 0) files.unshift(...files.splice(main, 1));
  return files.slice(0, OUTPUTS_MAX);
}

/** Recursive: the schema of the tool bounds the depth. */
function collect(value: unknown, path: string, found: Map<string, OutputFile>): void {
  if (typeof value === 'string') {
    const id = value.length <= 500 ? HANDLE.exec(value)?.[1] : undefined;
    if (id !== undefined && !found.has(id)) found.set(id, { path, id, name: undefined });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      if (!NOT_MADE.has(name)) collect(member, path === '' ? name : `${path}.${name}`, found);
  }
}

/**
 * As many fields of a response as fit, preferring short ones, in their original order.
 * @param charactersMax length of the JSON
 */
function shortened(output: Readonly<Record<string, unknown>>, charactersMax: number): string {
  const sizes = Object.entries(output)
    .map(([name, value]) => ({ name, size: (JSON.stringify(value)?.length ?? 0) + name.length + 4 }))
    .filter(({ name }) => !name.endsWith('_b64') && name !== 'data')
    .sort((a, b) => a.size - b.size);
  const kept = new Set<string>();
  let left = charactersMax;
  for (const { name, size } of sizes) {
    left -= size;
    if (left < 0) break;
    kept.add(name);
  }
  return JSON.stringify(Object.fromEntries(Object.entries(output).filter(([name]) => kept.has(name))));
}
