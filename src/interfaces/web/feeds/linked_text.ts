import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';

const ADDRESS = /(https:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}])/;

/** Untrusted text by line. Only https URLs become links, with rel=nofollow. */
export const linkedText = (text: string): Html =>
  html`${text.split(/\n+/).map((line) => html`<p>${line.split(ADDRESS).map((part, at) => (at % 2 === 1 && URL.canParse(part) ? link(part) : html`${part}`))}</p>`)}`;

const link = (address: string): Html => html`<a href="${address}" rel="nofollow ugc noopener">${address}</a>`;
