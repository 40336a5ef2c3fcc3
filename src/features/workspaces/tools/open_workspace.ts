import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { GUEST_LIFETIME_MS, NEW_WORKSPACES } from '../limits.ts';
import { idField, titleField, workspaceAnswer } from '../routes/fields.ts';
import type { Access, Visitor } from '../types.ts';

const { title, url, role, expires_at, branch, counts } = workspaceAnswer.shape;

export const openWorkspace = defineTool({
  name: 'open_workspace',
  title: 'Open a workspace',
  category: 'creative',
  summary:
    'Create a workspace, or open one by id or link. Calls with the field workspace keep images and results there, for people and agents.',
  words:
    'create a workspace, project, board, shared table, place to work together with a colleague, client or agent, let others watch my edits live, collaborate, invite, history of my calls, undo, join a workspace behind its link',
  price: FREE,
  input: z.object({
    workspace: withAliases(
      briefly(
        idField
          .optional()
          .describe('Id, share link or page URL of an existing one. Default: a new one is created.'),
        'id or link; absent: a new one',
      ),
      ...['workspace_id', 'id', 'link'],
    ),
    title: withAliases(titleField.optional().describe('Title of the new one.'), 'name'),
  }),
  output: z.object({
    workspace_id: z.string().describe('Send it as workspace with every call; a link works without a wallet.'),
    url: url.describe('Page of the workspace, for people.'),
    title,
    role: role.describe('Your role: view, work (changes) or own (shares).'),
    expires_at,
    branch,
    counts,
  }),
  reaches: ({ workspace }) => (workspace === undefined ? 'assets:write' : undefined),
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  answersSecret: true,
  limit: { ...NEW_WORKSPACES, appliesTo: ({ workspace }) => workspace === undefined },
  examples: [{ title: 'Mugs for the museum shop' }],
  next: ({ workspace_id: workspace }) => [
    {
      action: 'Show the workspace',
      tool: 'show_workspace',
      why: 'A contact sheet with the number of every item',
      params: { workspace },
    },
  ],

  async run({ workspace, title: wanted }, { workspaces }: Pick<Services, 'workspaces'>, call) {
    const visitor = visitorOf(call);
    if (workspace !== undefined && wanted !== undefined)
      call.warn('title was ignored: it applies to a new workspace, but workspace names an existing one.');
    const access =
      workspace === undefined
        ? (await workspaces.create(wanted, visitor)).access
        : await workspaces.access(workspace, visitor);
    const view = await workspaces.view(access);
    if (workspace === undefined && !view.owned)
      call.warn(
        `No wallet owns this workspace. Keep workspace_id, its only access. It is deleted ${GUEST_LIFETIME_MS / 86_400_000} days after its last change.`,
      );
    return {
      workspace_id: openerOf(access),
      url: pageOf(access, view.url),
      title: view.title,
      role: view.role,
      expires_at: view.expires_at,
      branch: view.branch,
      counts: view.counts,
    };
  },
});

/** URL of the page with the share link of the client. A pass is only for scripts of a page and must not be in a URL. */
function pageOf(access: Access, url: string): string {
  const opener = openerOf(access);
  return /^wsp_[^.]+\.s/.test(opener) ? url.replace(/[^/]*$/, opener) : url;
}

/** The client of a tool call as a visitor of a workspace. */
export const visitorOf = ({
  wallet,
  proof,
  isModel,
}: Pick<CallContext, 'wallet' | 'proof' | 'isModel'>): Visitor => ({ wallet, proof, isModel });

/** Id, share link or pass with which the client opened the workspace, without the page URL. */
export const openerOf = ({ text }: Pick<Access, 'text'>): string => text.replace(/^.*\/table\//, '');
