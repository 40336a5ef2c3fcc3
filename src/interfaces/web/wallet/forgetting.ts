import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';

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
