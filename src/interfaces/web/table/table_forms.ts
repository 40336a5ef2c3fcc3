import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import {
  addItems,
  claimWorkspace,
  comment,
  editItems,
  emptyTrash,
  redoActs,
  renameWorkspace,
  setBranch,
  shareWorkspace,
  undoActs,
} from '../../../features/workspaces/routes/index.ts';
import { keepRecipe } from '../recipes/read_recipe.ts';
import { keepFile, newPress } from '../tools/post_run.ts';
import type { Visit } from '../types.ts';
import { isShownOnTable } from './jobs.ts';
import { FORM_FILES_MAX, REPAIR_CHARACTERS_MAX } from './limits.ts';
import { askTable, type OpenTable } from './read_table.ts';
import { startCall } from './run_tool.ts';
import { programOf } from './steps_html.ts';

/** Form action of the table page. @throws AtelierError of its endpoint */
type Deed = (posted: {
  readonly visit: Visit;
  readonly form: FormData;
  readonly table: OpenTable;
  /** Numbers of the selected items. */
  readonly items: readonly number[];
}) => Promise<unknown>;

/** Changes all selected items alike. */
function changeItems(change: { readonly hidden: boolean } | { readonly deleted: boolean }): Deed {
  return ({ visit, table, items }) =>
    askTable(visit, editItems, { id: table.key, items: items.map((item) => ({ item, ...change })) });
}

/** Number of the act that an action started, if any. */
export const actStarted = (answer: unknown): number | undefined =>
  typeof answer === 'number' ? answer : undefined;

const text = (form: FormData, name: string): string => String(form.get(name) ?? '');

/** Form actions by button value; `run` is in `run_tool.ts`. */
export const TABLE_ACTIONS: Readonly<Record<string, Deed>> = {
  add: ({ visit, form, table }) => addFiles(visit, form, table),
  rename: ({ visit, form, table }) =>
    askTable(visit, renameWorkspace, { id: table.key, title: text(form, 'title') }),
  describe: ({ visit, form, table, items }) =>
    askTable(visit, editItems, {
      id: table.key,
      items: items
        .slice(0, 1)
        .map((item) => ({ item, name: text(form, 'name'), caption: text(form, 'caption') })),
    }),
  hide: changeItems({ hidden: true }),
  unhide: changeItems({ hidden: false }),
  trash: changeItems({ deleted: true }),
  restore: changeItems({ deleted: false }),
  empty: ({ visit, table }) => askTable(visit, emptyTrash, { id: table.key }),
  undo: ({ visit, table }) => askTable(visit, undoActs, { id: table.key }),
  redo: ({ visit, table }) => askTable(visit, redoActs, { id: table.key }),
  switch: ({ visit, form, table }) => switchBranch(visit, table, text(form, 'branch')),
  branch: ({ visit, form, table }) =>
    askTable(visit, setBranch, { id: table.key, branch: text(form, 'name') }),
  comment: ({ visit, form, table, items }) =>
    askTable(visit, comment, {
      id: table.key,
      text: text(form, 'text'),
      ...(items.length === 1 && { item: items[0] }),
    }),
  share: ({ visit, form, table }) =>
    askTable(visit, shareWorkspace, {
      id: table.key,
      role: text(form, 'role'),
      ...(text(form, 'name') && { name: text(form, 'name') }),
    }),
  revoke: ({ visit, form, table }) =>
    askTable(visit, shareWorkspace, { id: table.key, revoke: Number(text(form, 'link')) }),
  claim: ({ visit, table }) => askTable(visit, claimWorkspace, { id: table.key }),
  call: ({ visit, form, table }) =>
    call(visit, table, {
      tool: text(form, 'tool'),
      input: objectIn(text(form, 'input')),
      press: text(form, 'press'),
    }),
  repair: ({ visit, form, table }) => {
    const { tool, ...input } = objectIn(text(form, 'repair'));
    return call(visit, table, { tool, input });
  },
  repeat: async ({ visit, form, table, items }) => {
    const on = Number(text(form, 'on')) || undefined;
    const { call } = await programOf(visit, { key: table.key, item: items[0] ?? 0, on });
    return startCall(visit, call.tool, { input: call.input, key: table.key, press: newPress() });
  },
  recipe: async ({ visit, form, table, items }) => {
    const { steps } = await programOf(visit, { key: table.key, item: items[0] ?? 0 });
    await keepRecipe(visit, { title: text(form, 'title'), steps });
  },
};

/** Adds files posted without JavaScript. The error lists files that are not images; the others are added. */
async function addFiles(visit: Visit, form: FormData, table: OpenTable): Promise<void> {
  const files = form.getAll('files').filter((value) => typeof value !== 'string');
  const images: { image: string; name: string }[] = [];
  for (const file of files.filter(({ size }) => size > 0).slice(0, FORM_FILES_MAX))
    images.push({ image: await keepFile(visit, file), name: file.name.slice(-120) });
  if (images.length === 0) throw invalidField('files', 'Choose at least one image.');
  const { failed } = await askTable<{ failed: readonly { at: number; detail: string }[] }>(visit, addItems, {
    id: table.key,
    images,
  });
  if (failed.length > 0)
    throw new AtelierError(
      'invalid_input',
      failed.map(({ at, detail }) => `${images[at]?.name ?? ''}: ${detail}`).join(' '),
    );
}

/** Makes a branch current at its head. */
function switchBranch(visit: Visit, { key, state }: OpenTable, name: string): Promise<unknown> {
  const branch = state.branches.find((one) => one.branch === name);
  if (!branch) throw invalidField('branch', 'branch must be the name of a branch of this table');
  return askTable(visit, setBranch, { id: key, branch: name, at: branch.head ?? 0 });
}

/** A JSON object in a field of a form. @throws AtelierError invalid_input */
function objectIn(sent: string): Record<string, unknown> {
  if (sent.length > REPAIR_CHARACTERS_MAX) throw invalidField('input', 'input is too long');
  const input = parseBoundedJson(sent);
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidField('input', 'input must be a JSON object');
  return input as Record<string, unknown>;
}

/** A repair that a tool suggested: a call with its settings. */
function call(
  visit: Visit,
  table: OpenTable,
  { tool: name, input, press }: { tool: unknown; input: Record<string, unknown>; press?: string },
): Promise<number> {
  const tool = visit.studio.tools.find((one) => one.name === name);
  if (!tool || !isShownOnTable(tool)) throw invalidField('tool', 'tool must be the name of an image tool');
  return startCall(visit, tool.name, { input, key: table.key, press: press || newPress() });
}
