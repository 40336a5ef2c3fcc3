import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';

const ADDRESS = /(https:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}])/;

/** What others wrote, line by line, as text. An address of the web is a link that vouches for nothing; no other scheme becomes one. */
export const linkedText = (text: string): Html =>
  html`${text.split(/\n+/).map((line) => html`<p>${line.split(ADDRESS).map((part, at) => (at % 2 === 1 && URL.canParse(part) ? link(part) : html`${part}`))}</p>`)}`;

const link = (address: string): Html => html`<a href="${address}" rel="nofollow ugc noopener">${address}</a>`;
