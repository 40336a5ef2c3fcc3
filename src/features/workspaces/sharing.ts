import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import { change } from './change.ts';
import { pageUrl, type WorkspaceContext } from './context.ts';
import {
  COMMENT_CHARACTERS_MAX,
  PERSON_CHARACTERS_MAX,
  WORKSPACE_COMMENTS_MAX,
  WORKSPACE_LINKS_MAX,
} from './limits.ts';
import { People, viewerOf } from './people.ts';
import { actNotFound, itemNotFound } from './refusals.ts';
import {
  deleteComment,
  insertComment,
  insertLink,
  type LinkRow,
  revokeLink,
  selectActDetails,
  selectItemsOf,
  selectLinks,
} from './store.ts';
import { plainLines, plainText } from './texts.ts';
import { shareToken } from './tokens.ts';
import type { Access, Changed, CommentView, LinkView, Role } from './types.ts';

/** A share link, as shown to owners. */
export function linkView(context: WorkspaceContext, id: string, row: LinkRow): LinkView {
  const token = shareToken(context.links, id, row.number);
  return {
    link: row.number,
    role: row.role,
    name: row.name,
    url: pageUrl(context, token),
    id: token,
    created_at: row.createdAt.toISOString(),
    revoked: row.revokedAt !== null,
  };
}

/** @see Workspaces.share */
export async function share(
  context: WorkspaceContext,
  access: Access,
  { role, name: sent }: { role: Role; name: string },
): Promise<Changed & { link: LinkView }> {
  const name = plainText(sent, PERSON_CHARACTERS_MAX);
  const { result, event } = await change(context, access.id, access.author, async ({ tx, row, at, emit }) => {
    const live = (await selectLinks(tx, row.id)).filter(({ revokedAt }) => !revokedAt);
    if (live.length >= WORKSPACE_LINKS_MAX)
      throw new AtelierError(
        'workspace_full',
        `The workspace has reached its limit of ${WORKSPACE_LINKS_MAX} links. Revoke one first.`,
      );
    row.links += 1;
    const link = { number: row.links, role, name: name || DEFAULT_NAMES[role], createdAt: at };
    await insertLink(tx, row.id, link);
    emit('shared', {});
    return { ...link, revokedAt: null };
  });
  return { workspace: access.id, event, link: linkView(context, access.id, result) };
}

export const DEFAULT_NAMES: Record<Role, string> = { view: 'viewer', work: 'guest', own: 'owner' };

/** @see Workspaces.revoke */
export async function revoke(
  context: WorkspaceContext,
  access: Access,
  number: number,
): Promise<Changed & { link: LinkView }> {
  const { result, event } = await change(context, access.id, access.author, async ({ tx, row, at, emit }) => {
    const links = await selectLinks(tx, row.id);
    const isLastWayIn =
      row.owner === null &&
      !links.some((link) => link.role === 'own' && !link.revokedAt && link.number !== number);
    if (isLastWayIn)
      throw invalidField(
        'revoke',
        'This is the last link with the role "own", and no wallet owns the workspace, so revoking it would make the workspace inaccessible. Create another one first, or claim the workspace.',
      );
    const link = await revokeLink(tx, row.id, { number, at });
    if (!link) throw new AtelierError('item_not_found', `The workspace has no link ${number}.`);
    emit('shared', {});
    return link;
  });
  return { workspace: access.id, event, link: linkView(context, access.id, result) };
}

interface NewComment {
  readonly text: string;
  readonly item?: number | undefined;
  readonly act?: number | undefined;
}

/** @see Workspaces.comment */
export async function comment(
  context: WorkspaceContext,
  access: Access,
  { text: sent, item, act }: NewComment,
): Promise<Changed & { comment: CommentView }> {
  const text = plainLines(sent, COMMENT_CHARACTERS_MAX);
  if (text === '') throw invalidField('text', 'text must contain at least one visible character.');
  const { result, event, row } = await change(context, access.id, access.author, async (changing) => {
    const { tx, row, at, author, emit } = changing;
    if (row.comments >= WORKSPACE_COMMENTS_MAX)
      throw new AtelierError(
        'workspace_full',
        `The workspace has reached its limit of ${WORKSPACE_COMMENTS_MAX} comments.`,
      );
    if (item !== undefined && (await selectItemsOf(tx, row.id, [item])).length === 0)
      throw itemNotFound(item);
    if (act !== undefined && (await selectActDetails(tx, row.id, [act])).length === 0) throw actNotFound(act);
    row.comments += 1;
    const about = { item: item ?? null, act: act ?? null };
    const added = await insertComment(tx, row.id, { number: row.comments, text, ...about, author, at });
    emit('commented', { comment: added });
    return added;
  });
  const people = await People.of(context.database, row);
  return { workspace: access.id, event, comment: people.inside(result, viewerOf(access)) };
}

/** @see Workspaces.removeComment */
export async function removeComment(
  context: WorkspaceContext,
  access: Access,
  number: number,
): Promise<Changed & { comment: CommentView }> {
  const { result, event, row } = await change(
    context,
    access.id,
    access.author,
    async ({ tx, row, at, emit }) => {
      const gone = await deleteComment(tx, row.id, { number, at });
      if (!gone) throw new AtelierError('item_not_found', `The workspace has no comment ${number}.`);
      emit('commented', { comment: gone });
      return gone;
    },
  );
  const people = await People.of(context.database, row);
  return { workspace: access.id, event, comment: people.inside(result, viewerOf(access)) };
}
