import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';

/** In addresses: what has to be confirmed before it is deleted permanently. */
export const forgetField = z.string().max(100).optional().catch(undefined);

/** Leads to the question. @param path of the page, with its query */
export function forgetLink(path: string, id: string, about: string): Html {
  const query = new URLSearchParams({ forget: id });
  return html`<a class="bare" href="${path}${path.includes('?') ? '&' : '?'}${query.toString()}" aria-label="Forget ${about} for good">Forget</a>`;
}

/** The question; nothing where what is asked about is not there any more. @param back the page without it */
export const forgetQuestion = (
  asked: { readonly id: string; readonly label: string } | undefined,
  back: string,
): Html =>
  asked
    ? html`<form class="note row" method="post" action="${back}" aria-label="Forget for good"><p>Forget <bdi>${asked.label}</bdi>? It cannot be brought back.</p><input type="hidden" name="id" value="${asked.id}"><input type="hidden" name="sure" value="yes"><button name="act" value="forget" autofocus>Forget it for good</button> <a href="${back}">Keep it</a></form>`
    : html``;
