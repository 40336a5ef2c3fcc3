import { z } from 'zod';
import { WORKSPACE_ITEMS_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { shortName } from '../../definitions/draw_contact_sheet.ts';
import { imageAnswer, outputField } from '../../definitions/fields.ts';
import { pictureAnswer } from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import {
  SHEET_ACTS_MAX,
  SHEET_BRANCHES_MAX,
  SHEET_COMMENT_CHARACTERS,
  SHEET_COMMENTS_MAX,
  SHEET_ITEMS_MAX,
  SHEET_NAME_CHARACTERS,
} from '../limits.ts';
import { branchField, idField, itemNumber, workspaceAnswer } from '../routes/fields.ts';
import type { ActView, CommentView, Contents, ItemView } from '../types.ts';
import { contactSheet } from './contact_sheet.ts';
import { openerOf, visitorOf } from './open_workspace.ts';

const number = z.int().min(1).max(1_000_000);
const count = z.int().min(0).max(1e9);

export const showWorkspace = defineTool({
  name: 'show_workspace',
  title: 'Show a workspace',
  category: 'creative',
  summary: 'Show a workspace: contact sheet with the numbers of its items, newest acts, comments.',
  words:
    'look at a workspace, project, board or table, list its items, what is in this workspace by now, what is on the table, which number has which item, what has been done here so far, what did they change, comments and feedback people left, overview of a workspace, state of the project',
  price: FREE,
  input: z.object({
    workspace: withAliases(
      briefly(idField.describe('workspace_id of open_workspace, a link, or the page URL.'), ''),
      ...['workspace_id', 'id', 'link'],
    ),
    branch: briefly(branchField.optional().describe('Default: the current branch.'), ''),
    items: z
      .array(itemNumber)
      .min(1)
      .max(SHEET_ITEMS_MAX)
      .optional()
      .describe('Only these items, of any branch, including hidden ones.'),
    page: shownAs(
      z.int().min(1).max(WORKSPACE_ITEMS_MAX).default(1).describe(`${SHEET_ITEMS_MAX} items per page.`),
      { type: 'integer' },
    ),
    output: outputField,
  }),
  output: z.object({
    ...imageAnswer,
    workspace_id: z.string(),
    title: workspaceAnswer.shape.title,
    role: workspaceAnswer.shape.role,
    branch: z.string(),
    branches: z.array(z.string()).describe('The newest, if there are several.').optional(),
    pages: count,
    items: z
      .array(
        z.object({
          item: number,
          name: z.string(),
          size: z.string().optional().describe('Width × height in px.'),
          act: number.optional().describe('Act that made it; absent: added.'),
        }),
      )
      .describe('In the order of the sheet.'),
    total: count.describe('Number of items on all pages.'),
    acts: z
      .array(
        z.object({
          act: number,
          tool: z.string(),
          state: z.string().optional().describe('Absent: done.'),
          outputs: z.array(number),
          by: z.string(),
        }),
      )
      .describe('Newest first.'),
    comments: z
      .array(
        z.object({
          text: z.string(),
          by: z.string(),
          item: number.optional(),
          act: number.optional(),
        }),
      )
      .describe('Newest first.'),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ workspace: `wsp_${'0123456789abcdef'.repeat(2)}` }],

  async run({ workspace, branch, items: wanted, page, output }, services: Needs, call) {
    const access = await services.workspaces.access(workspace, visitorOf(call));
    const contents = await services.workspaces.read(access);
    const onBranch = branch ?? contents.workspace.branch;
    const acts = new Set(await services.workspaces.branchActs(access, onBranch));
    const all = wanted ? itemsOf(contents, wanted) : visibleItems(contents, acts);
    const pages = Math.max(1, Math.ceil(all.length / SHEET_ITEMS_MAX));
    if (page > pages) call.warn(`page ${page} does not exist; the last page, ${pages}, is shown.`);
    const from = (Math.min(page, pages) - 1) * SHEET_ITEMS_MAX;
    const shown = all.slice(from, from + SHEET_ITEMS_MAX);
    const sheet = await contactSheet(services, shown, call);
    const branches = contents.branches.map((one) => one.branch);
    return {
      ...(await pictureAnswer(services.results, sheet, { output, warn: call.warn })),
      workspace_id: openerOf(access),
      title: contents.workspace.title,
      role: access.role,
      branch: onBranch,
      ...(branches.length > 1 && { branches: branches.slice(-SHEET_BRANCHES_MAX) }),
      pages,
      items: shown.map(itemLine),
      total: all.length,
      acts: contents.acts.slice(0, SHEET_ACTS_MAX).map(actLine),
      comments: contents.comments
        .filter(({ deleted }) => !deleted)
        .slice(-SHEET_COMMENTS_MAX)
        .reverse()
        .map(commentLine),
    };
  },
});

type Needs = Pick<Services, 'workspaces' | 'pixels' | 'results'>;

/** Items that are neither hidden nor in the trash, and were added or made on the branch. */
const visibleItems = ({ items }: Contents, acts: ReadonlySet<number>): ItemView[] =>
  items.filter(({ hidden, deleted, act }) => !hidden && !deleted && (act === null || acts.has(act)));

/** The requested items. @throws AtelierError item_not_found */
function itemsOf({ items }: Contents, wanted: readonly number[]): ItemView[] {
  const known = new Map(items.map((one) => [one.item, one]));
  return [...new Set(wanted)].map((item) => {
    const found = known.get(item);
    if (!found || found.deleted)
      throw new AtelierError('item_not_found', `The workspace has no item ${item}. Omit items to list all.`);
    return found;
  });
}

const itemLine = ({ item, name, width, height, act }: ItemView) => ({
  item,
  name: shortName(name, SHEET_NAME_CHARACTERS),
  ...(width !== null && height !== null && { size: `${width}×${height}` }),
  ...(act !== null && { act }),
});

const actLine = ({ act, tool, state, outputs, author }: ActView) => ({
  act,
  tool,
  ...(state !== 'done' && { state }),
  outputs: outputs.slice(0, SHEET_ACTS_MAX),
  by: shortName(author.name, SHEET_NAME_CHARACTERS),
});

const commentLine = ({ text, author, item, act }: CommentView) => ({
  text: shortName(text, SHEET_COMMENT_CHARACTERS),
  by: shortName(author.name, SHEET_NAME_CHARACTERS),
  ...(item !== null && { item }),
  ...(act !== null && { act }),
});
