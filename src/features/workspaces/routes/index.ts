import { z } from 'zod';
import { WORKSPACE_ITEM_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { type AnyOperation, defineOperation, type OperationCall } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import {
  ACTS_A_PAGE_MAX,
  BRANCH_CHARACTERS_MAX,
  COMMENT_CHARACTERS_MAX,
  ITEMS_ADDED_MAX,
  ITEMS_EDITED_MAX,
  NEW_WORKSPACES,
  PERSON_CHARACTERS_MAX,
  PROGRAM_FORMS,
  TITLE_CHARACTERS_MAX,
} from '../limits.ts';
import type { NewItem, Role } from '../types.ts';
import {
  actAnswer,
  actDetailsAnswer,
  actNumber,
  asField,
  branchAnswer,
  branchField,
  captionField,
  changedFields,
  commentAnswer,
  differenceAnswer,
  idField,
  itemAnswer,
  itemNumber,
  linkAnswer,
  positionField,
  stepAnswer,
  titleField,
  watcherAnswer,
  workspaceAnswer,
} from './fields.ts';
import { itemPicture } from './item_picture.ts';

type Needs = Pick<Services, 'workspaces' | 'catalogue'>;

/** The error, if it is a client error; rethrows others. */
function refusalOrThrow(error: unknown): AtelierError {
  if (error instanceof AtelierError && error.status < 500) return error;
  throw error;
}

/** @throws AtelierError workspace_not_found, workspace_denied, scope_denied */
const open = (
  { workspaces }: Pick<Services, 'workspaces'>,
  { id, as }: { id: string; as?: string | undefined },
  { wallet, proof }: Pick<OperationCall, 'wallet' | 'proof'>,
  needs: Role,
) => workspaces.access(id, { wallet, proof, as }, needs);

const free = ({ catalogue }: Pick<Services, 'catalogue'>) => freeAnswer(catalogue);

const TAG = { tag: 'workspaces', isPrivate: true } as const;
const READS = { name: 'workspace-reads', calls: 600, perSeconds: 60, by: 'address' } as const;
const CHANGES = { name: 'workspace-changes', calls: 600, perSeconds: 60, by: 'address' } as const;

export const createWorkspace = defineOperation({
  name: 'create_workspace',
  methods: ['POST'],
  path: '/api/workspaces',
  ...TAG,
  summary:
    'Creates a workspace: images and the calls that made them, shared by people and agents. Without a wallet as bearer, its own link is the only access, and it is deleted 7 days after its last change.',
  input: z.object({ title: titleField.optional() }),
  answer: z.object({ ...workspaceAnswer.shape, links: z.array(linkAnswer), ...costFields }),
  reaches: 'assets:write',
  limit: NEW_WORKSPACES,
  async run({ title }, services: Needs, call) {
    const { wallet, proof } = call;
    const { access, links } = await services.workspaces.create(title, { wallet, proof });
    return { ...(await services.workspaces.view(access)), links, ...free(services) };
  },
});

export const listWorkspaces = defineOperation({
  name: 'list_workspaces',
  methods: ['GET'],
  path: '/api/workspaces',
  ...TAG,
  summary: 'The workspaces of the wallet in the bearer, last changed first.',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(50),
    before: z.string().max(100).optional().describe('`next` of the previous page.'),
  }),
  answer: z.object({ workspaces: z.array(workspaceAnswer), next: z.string().nullable(), ...costFields }),
  reaches: 'assets:read',
  limit: READS,
  async run(page, services: Needs, { wallet }) {
    const none = { workspaces: [], next: null };
    const found = wallet === undefined ? none : await services.workspaces.list(wallet, page);
    return { ...found, ...free(services) };
  },
});

export const readWorkspace = defineOperation({
  name: 'read_workspace',
  methods: ['GET'],
  path: '/api/workspaces/{id}',
  ...TAG,
  summary: 'A workspace with all its items, branches and comments and its newest acts, as of one event.',
  input: z.object({ id: idField, as: asField }),
  answer: z.object({
    workspace: workspaceAnswer,
    items: z.array(itemAnswer),
    acts: z.array(actAnswer).describe(`The newest ${ACTS_A_PAGE_MAX}, newest first.`),
    branches: z.array(branchAnswer),
    comments: z.array(commentAnswer),
    watchers: z.array(watcherAnswer),
    links: z.array(linkAnswer).describe('For the role own.'),
    ...costFields,
  }),
  limit: READS,
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'view');
    return { ...(await services.workspaces.read(access)), ...free(services) };
  },
});

export const renameWorkspace = defineOperation({
  name: 'rename_workspace',
  methods: ['POST'],
  path: '/api/workspaces/{id}/edit',
  ...TAG,
  summary: 'Renames a workspace.',
  input: z.object({ id: idField, title: titleField.min(1) }),
  answer: z.object({ ...changedFields, ...costFields }),
  limit: CHANGES,
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'own');
    return { ...(await services.workspaces.rename(access, input.title)), ...free(services) };
  },
});

export const deleteWorkspace = defineOperation({
  name: 'delete_workspace',
  methods: ['DELETE'],
  path: '/api/workspaces/{id}',
  ...TAG,
  summary: 'Permanently deletes a workspace and its content.',
  input: z.object({ id: idField }),
  answer: z.object({ workspace: z.string(), deleted: z.literal(true), ...costFields }),
  limit: CHANGES,
  run: remove,
});

const deleteWorkspaceByPost = defineOperation({
  ...deleteWorkspace,
  name: 'delete_workspace_by_post',
  methods: ['POST'],
  path: '/api/workspaces/{id}/delete',
  summary: 'The same as DELETE, for clients that cannot send it.',
});

async function remove(input: { id: string }, services: Needs, call: OperationCall) {
  const access = await open(services, input, call, 'own');
  await services.workspaces.remove(access);
  return { workspace: access.id, deleted: true as const, ...free(services) };
}

export const readActs = defineOperation({
  name: 'read_acts',
  methods: ['GET'],
  path: '/api/workspaces/{id}/acts',
  ...TAG,
  summary: 'The acts of a workspace: calls with their inputs, results, authors and prices, newest first.',
  input: z.object({
    id: idField,
    before: actNumber.optional(),
    limit: z.coerce.number().int().min(1).max(ACTS_A_PAGE_MAX).default(ACTS_A_PAGE_MAX),
  }),
  answer: z.object({ acts: z.array(actAnswer), ...costFields }),
  limit: READS,
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'view');
    return { acts: await services.workspaces.acts(access, input), ...free(services) };
  },
});

export const readAct = defineOperation({
  name: 'read_act',
  methods: ['GET'],
  path: '/api/workspaces/{id}/acts/{act}',
  ...TAG,
  summary: 'One act with its input and response.',
  input: z.object({ id: idField, act: actNumber }),
  answer: z.object({ ...actDetailsAnswer.shape, ...costFields }),
  limit: READS,
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'view');
    return { ...(await services.workspaces.act(access, input.act)), ...free(services) };
  },
});

const newItem = z.object({
  image: z
    .string()
    .min(1)
    .describe('upload:, result:, asset:, artwork:, https://… or base64; other files too.'),
  name: z.string().max(TITLE_CHARACTERS_MAX).optional(),
  caption: captionField.optional(),
  x: positionField.optional(),
  y: positionField.optional(),
});

export const addItems = defineOperation({
  name: 'add_items',
  methods: ['POST'],
  path: '/api/workspaces/{id}/items',
  ...TAG,
  summary:
    'Adds images. Existing images are returned unchanged; an unreadable image does not stop the others.',
  input: z.object({ id: idField, as: asField, images: z.array(newItem).min(1).max(ITEMS_ADDED_MAX) }),
  answer: z.object({
    ...changedFields,
    items: z.array(itemAnswer),
    failed: z.array(
      z.object({
        at: z.int().min(0).max(ITEMS_ADDED_MAX).describe('Place in images, from 0.'),
        code: z.string(),
        detail: z.string(),
      }),
    ),
    ...costFields,
  }),
  reaches: 'assets:read',
  limit: CHANGES,
  async run(input, services: Needs & Pick<Services, 'images'>, call) {
    const access = await open(services, input, call, 'work');
    const files: NewItem[] = [];
    const failed: { at: number; code: string; detail: string }[] = [];
    const sender = { signal: call.signal, ...(call.wallet && { wallet: call.wallet }) };
    for (const [at, { image, name, ...about }] of input.images.entries()) {
      try {
        const bytes = await services.images.read(
          image,
          `images.${at}.image`,
          sender,
          WORKSPACE_ITEM_BYTES_MAX,
        );
        files.push({ ...about, bytes, name: name ?? services.images.nameOf(image) });
      } catch (error) {
        const { code, message } = refusalOrThrow(error);
        failed.push({ at, code, detail: message });
      }
    }
    const [first] = failed;
    if (files.length === 0 && first) throw new AtelierError(first.code as AtelierError['code'], first.detail);
    return { ...(await services.workspaces.add(access, files)), failed, ...free(services) };
  },
});

export const editItems = defineOperation({
  name: 'edit_items',
  methods: ['POST'],
  path: '/api/workspaces/{id}/items/edit',
  ...TAG,
  summary: 'Names, captions, moves and hides items; deleted: true moves one to the trash, false restores it.',
  input: z.object({
    id: idField,
    as: asField,
    items: z
      .array(
        z.object({
          item: itemNumber,
          name: z.string().min(1).max(TITLE_CHARACTERS_MAX).optional(),
          caption: captionField.optional(),
          x: positionField.optional(),
          y: positionField.optional(),
          hidden: z.boolean().optional(),
          deleted: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(ITEMS_EDITED_MAX)
      .refine(
        (items) => new Set(items.map(({ item }) => item)).size === items.length,
        'must name each item once',
      ),
  }),
  answer: z.object({ ...changedFields, items: z.array(itemAnswer), ...costFields }),
  limit: CHANGES,
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'work');
    return { ...(await services.workspaces.edit(access, input.items)), ...free(services) };
  },
});

export const itemFile = defineOperation({
  name: 'item_file',
  methods: ['GET'],
  path: '/api/workspaces/{id}/items/{item}/file',
  ...TAG,
  summary: 'The file of an item, or the image in at most 128 (tiny), 320 (small) or 1600 px (large).',
  input: z.object({
    id: idField,
    item: itemNumber,
    size: z.enum(['full', 'large', 'small', 'tiny']).default('full'),
    download: z.coerce.boolean().optional(),
  }),
  answer: { file: '*/*', description: 'The file, or a smaller WebP.' },
  leadsTo: 'The bytes in the object store, if the operator serves links from it.',
  limit: { name: 'workspace-files', calls: 3000, perSeconds: 60, by: 'address' },
  async run(input, services: Pick<Services, 'workspaces' | 'pixels'>, call) {
    const access = await open(services, input, call, 'view');
    return itemPicture(services, await services.workspaces.file(access, input.item), { ...input, call });
  },
});

const timesField = z.int().min(1).max(1000).default(1);

export const undoActs = defineOperation({
  name: 'undo_acts',
  methods: ['POST'],
  path: '/api/workspaces/{id}/undo',
  ...TAG,
  summary: 'Moves a branch back by one or more acts; nothing is deleted.',
  input: z.object({ id: idField, times: timesField, branch: branchField.optional() }),
  answer: z.object({ ...changedFields, branch: branchAnswer, ...costFields }),
  limit: CHANGES,
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'work');
    return { ...(await services.workspaces.undo(access, input)), ...free(services) };
  },
});

export const redoActs = defineOperation({
  ...undoActs,
  name: 'redo_acts',
  path: '/api/workspaces/{id}/redo',
  summary: 'Moves a branch forward again by one or more acts.',
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'work');
    return { ...(await services.workspaces.redo(access, input)), ...free(services) };
  },
});

export const setBranch = defineOperation({
  name: 'set_branch',
  methods: ['POST'],
  path: '/api/workspaces/{id}/branches',
  ...TAG,
  summary:
    'Creates a branch, or moves the one with that name, and switches to it. New calls follow the act it points to.',
  input: z.object({
    id: idField,
    branch: branchField,
    at: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('The act; 0: before the first. Default: a new branch starts at the current act.'),
    switch: z.boolean().default(true),
  }),
  answer: z.object({ ...changedFields, branch: branchAnswer, ...costFields }),
  limit: CHANGES,
  async run({ switch: switches, ...input }, services: Needs, call) {
    const access = await open(services, input, call, 'work');
    return { ...(await services.workspaces.setBranch(access, { ...input, switches })), ...free(services) };
  },
});

export const editBranch = defineOperation({
  name: 'edit_branch',
  methods: ['POST'],
  path: '/api/workspaces/{id}/branches/edit',
  ...TAG,
  summary: 'Renames a branch, or removes its name; its acts remain.',
  input: z.object({
    id: idField,
    branch: branchField,
    name: branchField.optional(),
    remove: z.boolean().default(false),
  }),
  answer: z.object({ ...changedFields, ...costFields }),
  limit: CHANGES,
  async run({ remove: removes, ...input }, services: Needs, call) {
    const access = await open(services, input, call, 'work');
    return { ...(await services.workspaces.editBranch(access, { ...input, removes })), ...free(services) };
  },
});

const sideField = z.coerce
  .string()
  .min(1)
  .max(BRANCH_CHARACTERS_MAX)
  .describe('A branch, or the number of an act.');

export const compareActs = defineOperation({
  name: 'compare_acts',
  methods: ['GET'],
  path: '/api/workspaces/{id}/compare',
  ...TAG,
  summary: 'Compares two branches or acts: common acts, and those of each side only.',
  input: z.object({ id: idField, a: sideField, b: sideField }),
  answer: z.object({
    common: z.int().min(1).max(1_000_000).nullable().describe('The last common act.'),
    a: differenceAnswer,
    b: differenceAnswer,
    ...costFields,
  }),
  limit: READS,
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'view');
    return { ...(await services.workspaces.compare(access, input.a, input.b)), ...free(services) };
  },
});

export const readProgram = defineOperation({
  name: 'read_program',
  methods: ['GET'],
  path: '/api/workspaces/{id}/program',
  ...TAG,
  summary:
    'The calls that led to an item, an act or a branch, as a recipe, curl, MCP calls, TypeScript or Python, and as a call of run_recipe that repeats them on another image.',
  input: z.object({
    id: idField,
    item: itemNumber.optional(),
    act: actNumber.optional(),
    branch: branchField.optional(),
    as: z.enum(PROGRAM_FORMS).default('recipe'),
    on: itemNumber.optional().describe('Item to use instead of the first image.'),
  }),
  answer: z.object({
    steps: z.array(stepAnswer),
    inputs: z.record(z.string(), z.string()),
    program: z.string(),
    call: z.object({ tool: z.literal('run_recipe'), input: z.record(z.string(), z.unknown()) }),
    ...costFields,
  }),
  limit: READS,
  async run({ id, ...query }, services: Needs, call) {
    const access = await open(services, { id }, call, 'view');
    const { steps, inputs, program } = await services.workspaces.program(access, query);
    const replay = { tool: 'run_recipe' as const, input: { workspace: id, steps, inputs } };
    return { steps: [...steps], inputs, program, call: replay, ...free(services) };
  },
});

export const comment = defineOperation({
  name: 'comment',
  methods: ['POST'],
  path: '/api/workspaces/{id}/comments',
  ...TAG,
  summary: 'Comments on a workspace, an item or an act; or removes a comment.',
  input: z.object({
    id: idField,
    as: asField,
    text: z.string().max(COMMENT_CHARACTERS_MAX).optional(),
    item: itemNumber.optional(),
    act: actNumber.optional(),
    remove: z.int().min(1).max(1_000_000).optional().describe('Number of the comment, instead of text.'),
  }),
  answer: z.object({ ...changedFields, comment: commentAnswer, ...costFields }),
  limit: CHANGES,
  async run({ text, remove: removed, ...input }, services: Needs, call) {
    const access = await open(services, input, call, 'work');
    if (removed !== undefined)
      return { ...(await services.workspaces.removeComment(access, removed)), ...free(services) };
    if (text === undefined)
      throw invalidField('text', 'text is missing. Send the comment, or the number of one in remove.');
    return { ...(await services.workspaces.comment(access, { ...input, text })), ...free(services) };
  },
});

export const shareWorkspace = defineOperation({
  name: 'share_workspace',
  methods: ['POST'],
  path: '/api/workspaces/{id}/links',
  ...TAG,
  summary:
    'Creates a link with a role for people and agents without an account (view, work or own); or revokes one, which ends its streams.',
  input: z.object({
    id: idField,
    role: z.enum(['view', 'work', 'own']).optional(),
    name: z
      .string()
      .max(PERSON_CHARACTERS_MAX)
      .default('')
      .describe('Name of the recipient, shown with their acts.'),
    revoke: z.int().min(1).max(1_000_000).optional().describe('Number of the link, instead of role.'),
  }),
  answer: z.object({ ...changedFields, link: linkAnswer, ...costFields }),
  answersSecret: true,
  limit: CHANGES,
  async run({ role, name, revoke, ...input }, services: Needs, call) {
    const access = await open(services, input, call, 'own');
    if (revoke !== undefined)
      return { ...(await services.workspaces.revoke(access, revoke)), ...free(services) };
    if (role === undefined)
      throw invalidField(
        'role',
        'role is missing. Send view, work or own, or the number of a link in revoke.',
      );
    return { ...(await services.workspaces.share(access, { role, name })), ...free(services) };
  },
});

export const claimWorkspace = defineOperation({
  name: 'claim_workspace',
  methods: ['POST'],
  path: '/api/workspaces/{id}/claim',
  ...TAG,
  summary: 'Claims a workspace without owner for the wallet in the bearer; `id` is its own link.',
  input: z.object({ id: idField }),
  answer: z.object({ ...workspaceAnswer.shape, ...costFields }),
  reaches: 'assets:write',
  limit: CHANGES,
  async run(input, services: Needs, call) {
    if (call.wallet === undefined)
      throw invalidField('id', 'Claiming a workspace needs a wallet. Send it as Authorization: Bearer.');
    const access = await open(services, input, call, 'own');
    await services.workspaces.claim(access, call.wallet);
    const own = await open(services, input, call, 'own');
    return { ...(await services.workspaces.view(own)), ...free(services) };
  },
});

export const emptyTrash = defineOperation({
  name: 'empty_trash',
  methods: ['POST'],
  path: '/api/workspaces/{id}/empty',
  ...TAG,
  summary: 'Permanently deletes the items in the trash.',
  input: z.object({ id: idField }),
  answer: z.object({
    ...changedFields,
    deleted: z.int().min(0).max(1_000_000),
    freed_bytes: z.number().min(0).max(1e12),
    ...costFields,
  }),
  limit: CHANGES,
  async run(input, services: Needs, call) {
    const access = await open(services, input, call, 'own');
    const { freedBytes, ...rest } = await services.workspaces.emptyTrash(access);
    return { ...rest, freed_bytes: freedBytes, ...free(services) };
  },
});

export const watchWorkspace = defineOperation({
  name: 'watch_workspace',
  methods: ['GET'],
  path: '/api/workspaces/{id}/events',
  ...TAG,
  summary:
    'Changes of a workspace as server-sent events, numbered without gaps; Last-Event-ID or `after` resumes. Watchers can see each other.',
  input: z.object({
    id: idField,
    as: asField,
    after: z.coerce.number().int().min(0).max(1e9).optional().describe('Number of the last event received.'),
  }),
  answer: { file: 'text/event-stream', description: 'Events change, watchers, reset and closed.' },
  limit: { name: 'workspace-streams', calls: 240, perSeconds: 60, by: 'address' },
  async run(input, services: Pick<Services, 'workspaces'>, call) {
    const access = await open(services, input, call, 'view');
    const last = call.header('last-event-id');
    const after = last && /^\d{1,9}$/.test(last) ? Number(last) : input.after;
    const { address, signal } = call;
    const chunks = await services.workspaces.watch(access, { after, address, signal });
    const headers = { 'Cache-Control': 'no-store' };
    return { chunks, contentType: 'text/event-stream', headers };
  },
});

/** Longer paths first, because the last parameter of a path may contain slashes. */
export const workspaceOperations: readonly AnyOperation[] = [
  createWorkspace,
  listWorkspaces,
  readAct,
  readActs,
  itemFile,
  editItems,
  addItems,
  undoActs,
  redoActs,
  editBranch,
  setBranch,
  compareActs,
  readProgram,
  comment,
  shareWorkspace,
  claimWorkspace,
  emptyTrash,
  renameWorkspace,
  deleteWorkspaceByPost,
  watchWorkspace,
  deleteWorkspace,
  readWorkspace,
];
