import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { OpenTable } from './read_table.ts';

const ROLES = [
  ['view', 'Can view', 'See images and history, download, watch live.'],
  ['work', 'Can edit', 'Also add images, run tools, undo, comment.'],
  ['own', 'Owner', 'Also rename, share and delete.'],
] as const;

/** Links to the table, each with a role. */
export function shareHtml({ state }: OpenTable, path: string): Html {
  const links = state.links.filter(({ revoked }) => !revoked);
  const { owned, is_mine: isMine, expires_at: ends } = state.workspace;
  return html`<div class="share stack" id="share-links"><h2 class="minor">Share</h2>
<p class="small quiet">Anyone with a link opens this table with the role of the link, without an account. The address of this page opens it for you alone.</p>
<ul>${links.map(
    ({ link, role, name, url }) =>
      html`<li data-link="${link}"><label><span>${ROLES.find(([one]) => one === role)![1]}${name ? html` <small class="quiet">${name}</small>` : ''}</span><input value="${url}" readonly></label><div class="row"><button type="button" class="copy" hidden>Copy</button><form method="post" action="${path}"><input type="hidden" name="link" value="${link}"><button name="do" value="revoke">Revoke</button></form></div></li>`,
  )}</ul>
<form method="post" action="${path}" class="stack" id="share-form"><fieldset><legend>New link</legend>${ROLES.map(
    ([role, title, about], at) =>
      html`<label class="tick"><input type="radio" name="role" value="${role}"${at === 0 ? html` checked` : ''}><span><b>${title}</b> <span class="small quiet">${about}</span></span></label>`,
  )}</fieldset><label><span>Name of the link <small class="quiet">optional</small></span><input name="name" maxlength="40" autocomplete="off" placeholder="Anna"></label><button class="main" name="do" value="share">Create link</button></form>
${owned && isMine ? '' : html`<p class="small quiet">${owned ? '' : `This table has no account. It is deleted ${ends ? `on ${ends.slice(0, 10)}` : 'after 7 days'} unless it changes before.`}</p>${owned ? '' : html`<form method="post" action="${path}"><button name="do" value="claim">Keep it in my wallet</button></form>`}`}</div>`;
}
