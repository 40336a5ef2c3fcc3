import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';

/** Outcome of a purchase, with links to the page it was for and to the wallet. */
export const paidPage = (title: string, text: string): Promise<PageAnswer> =>
  htmlPage({
    title,
    body: html`<p>${text}</p>
<p><a class="button main" href="/wallet/back">Continue</a> <a class="button" href="/wallet">Go to wallet</a></p>`,
  });
