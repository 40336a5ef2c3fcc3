import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';

/** Outcome of a purchase, with a link to the wallet and its current balance. */
export const paidPage = (title: string, text: string): Promise<PageAnswer> =>
  htmlPage({
    title,
    body: html`<p>${text}</p>
<p><a class="button" href="/wallet">See the wallet</a></p>`,
  });
