import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';

/** What became of a purchase, and the way back to the wallet, which shows the balance as it is now. */
export const paidPage = (title: string, text: string): Promise<PageAnswer> =>
  htmlPage({
    title,
    body: html`<p>${text}</p>
<p><a class="button" href="/wallet">See the wallet</a></p>`,
  });
