import { html } from 'hono/html';
import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { listTrash, purgeVersion, restoreAsset } from '../../../features/assets/routes/earlier.ts';
import { deleteAsset } from '../../../features/assets/tools/delete_asset.ts';
import { ask, askTool } from '../ask.ts';
import { thumbnailAddress } from '../tools/picture_operation.ts';
import type { Visit } from '../types.ts';
import type { FormActions } from './form_actions.ts';
import { EMPTIED_AT_ONCE_MAX } from './limits.ts';

/** Form actions of the file pages. */
export const FILE_ACTIONS: FormActions = {
  delete: async (visit, field) => {
    await askTool(visit, deleteAsset, { wallet: visit.visitor.wallet, key: field('key') });
    return { said: 'deleted' };
  },
  restore: async (visit, field) => {
    await ask(visit, restoreAsset, { wallet: visit.visitor.wallet, id: field('id') });
    return { said: 'restored' };
  },
  forget: async (visit, field) => {
    requireSure(field('sure'));
    await ask(visit, purgeVersion, { wallet: visit.visitor.wallet, id: field('id') });
    return { said: 'forgotten' };
  },
  empty: async (visit, field) => {
    requireSure(field('sure'));
    return { said: (await emptyTrash(visit)) ? 'emptied' : 'more_trash' };
  },
};

function requireSure(text: string): void {
  if (text !== 'yes')
    throw invalidField('sure', 'Nothing was deleted. Confirm the permanent deletion and try again.');
}

/** Returns whether the trash is empty. */
async function emptyTrash(visit: Visit): Promise<boolean> {
  const { wallet } = visit.visitor;
  const { trash, next } = await ask(visit, listTrash, { wallet, limit: EMPTIED_AT_ONCE_MAX });
  for (const { id } of trash) await ask(visit, purgeVersion, { wallet, id });
  return next === null;
}

/** Image types without active content. */
const SHOWN = /^image\/(png|apng|jpeg|webp|avif|gif)$/;

/** A file with thumbnail and link. @param url signed URL of this server */
export function thumb({
  key,
  content_type: type,
  url,
}: {
  key: string;
  content_type: string;
  url: string;
}): Html {
  const { pathname, search } = new URL(url);
  return cell(key, type, { address: pathname + search, small: thumbnailAddress(`asset:${key}`) });
}

/** The same for a version or a file in the trash. @param label displayed name */
export const earlierThumb = (
  { id, content_type: type }: { id: string; content_type: string },
  label: string,
): Html => {
  const address = `/wallet/earlier/${encodeURIComponent(id)}`;
  return cell(label, type, { address, small: `${address}?size=small` });
};

interface Places {
  readonly address: string;
  /** Of the preview. */
  readonly small: string | undefined;
}

const cell = (label: string, type: string, { address, small }: Places): Html =>
  html`<span class="file"><span class="thumb">${SHOWN.test(type) && small ? html`<img src="${small}" width="48" height="48" alt="" loading="lazy">` : ''}</span><a href="${address}"><bdi>${label}</bdi></a> <span class="small quiet">${SHOWN.test(type) ? '' : type}</span></span>`;

/** URL parameter: id of the file whose permanent deletion needs confirmation. */
export const forgetField = z.string().max(100).optional().catch(undefined);

/** Link to the confirmation. @param path of the page, with its query */
export function forgetLink(path: string, id: string, about: string): Html {
  const query = new URLSearchParams({ forget: id });
  return html`<a class="bare" href="${path}${path.includes('?') ? '&' : '?'}${query.toString()}" aria-label="Delete permanently: ${about}">Delete permanently</a>`;
}

/** Confirmation of a permanent deletion; empty if the file no longer exists. @param back the page without the confirmation */
export const forgetQuestion = (
  asked: { readonly id: string; readonly label: string } | undefined,
  back: string,
): Html =>
  asked
    ? html`<form class="note row" method="post" action="${back}" aria-label="Delete permanently"><p>Permanently delete <bdi>${asked.label}</bdi>? You cannot undo this.</p><input type="hidden" name="id" value="${asked.id}"><input type="hidden" name="sure" value="yes"><button name="act" value="forget" autofocus>Delete permanently</button> <a href="${back}">Cancel</a></form>`
    : html``;
