import { z } from 'zod';
import {
  BRANCH_CHARACTERS_MAX,
  CAPTION_CHARACTERS_MAX,
  PERSON_CHARACTERS_MAX,
  POSITION_MAX,
  TITLE_CHARACTERS_MAX,
  WORKSPACE_ACTS_MAX,
} from '../limits.ts';

const NUMBER_MAX = 1_000_000;

export const idField = z.string().min(1).max(400).describe('Id, share link or page URL.');

/** Number of an item, also as text in a query. */
export const itemNumber = z.coerce.number().int().min(1).max(NUMBER_MAX);
export const actNumber = z.coerce.number().int().min(1).max(NUMBER_MAX);
export const branchField = z.string().min(1).max(BRANCH_CHARACTERS_MAX);
export const titleField = z.string().max(TITLE_CHARACTERS_MAX);
export const captionField = z.string().max(CAPTION_CHARACTERS_MAX);
export const positionField = z.number().min(-POSITION_MAX).max(POSITION_MAX);
export const asField = z
  .string()
  .max(PERSON_CHARACTERS_MAX)
  .optional()
  .describe('Name of a visitor by link.');

const count = z.int().min(0).max(1e9);
const number = z.int().min(0).max(NUMBER_MAX);
const role = z.enum(['view', 'work', 'own']);
const text = z.string();

const author = z.object({
  kind: z.enum(['owner', 'wallet', 'link']),
  name: text,
  is_agent: z.boolean(),
  is_you: z.boolean(),
});

export const workspaceAnswer = z.object({
  id: text,
  title: text,
  url: text,
  role,
  owned: z.boolean().describe('Owned by a wallet.'),
  is_mine: z.boolean(),
  created_at: text,
  changed_at: text,
  expires_at: text.nullable().describe('Without an owner: deletion time, extended by every change.'),
  event: count.describe('Last event: resume the stream from here.'),
  branch: text.describe('Current branch.'),
  counts: z.object({ items: count, trash: count, acts: count, comments: count }),
  bytes: z.number().min(0).max(1e12),
});

export const itemAnswer = z.object({
  item: number,
  kind: z.enum(['image', 'file']),
  name: text,
  caption: text,
  x: z.number().nullable(),
  y: z.number().nullable(),
  hidden: z.boolean(),
  deleted: z.boolean().describe('In the trash.'),
  act: number.nullable().describe('Act that made it; null: added.'),
  media_type: text,
  bytes: z.number().min(0).max(1e12),
  width: count.nullable(),
  height: count.nullable(),
  sha256: text,
  author,
  created_at: text,
});

const actFields = {
  act: number,
  tool: text,
  state: z.enum(['running', 'done', 'failed']),
  parent: number.nullable(),
  branch: text,
  inputs: z.array(number),
  outputs: z.array(number),
  author,
  credits: z.number().min(0).max(1e6),
  error: z.object({ code: text, detail: text }).nullable(),
  job_id: text.nullable(),
  recipe: text.nullable().describe('Name of the step, for a call of several steps.'),
  started_at: text,
  ended_at: text.nullable(),
};

export const actAnswer = z.object(actFields);

const anything = z.record(z.string(), z.unknown());
export const actDetailsAnswer = z.object({
  ...actFields,
  input: anything.nullable().describe('As sent, with images as item:<number>; null if too long.'),
  answer: anything.nullable().describe('Fields of the response, up to 16 KB.'),
});

export const branchAnswer = z.object({
  branch: text,
  head: number.nullable(),
  tip: number.nullable(),
  is_current: z.boolean(),
});

export const commentAnswer = z.object({
  comment: number,
  text,
  item: number.nullable(),
  act: number.nullable(),
  author,
  created_at: text,
  deleted: z.boolean(),
});

export const linkAnswer = z.object({
  link: number,
  role,
  name: text,
  url: text,
  id: text.describe('Token that opens the workspace.'),
  created_at: text,
  revoked: z.boolean(),
});

export const watcherAnswer = z.object({
  name: text,
  role,
  is_agent: z.boolean(),
  is_you: z.boolean(),
  since: text,
});

export const changedFields = { workspace: text, event: count };

export const differenceAnswer = z.object({
  acts: z.array(number).max(WORKSPACE_ACTS_MAX),
  items: z.array(number),
  credits: z.number().min(0).max(1e9),
});

export const stepAnswer = z.object({ tool: text, params: anything, save_as: text });
