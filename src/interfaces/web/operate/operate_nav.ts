import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';

/** Pages for operators, in the order of their navigation. */
export const OPERATE_PAGES = {
  '/operate': 'Overview',
  '/operate/health': 'Health',
  '/operate/queue': 'Queue',
  '/operate/dead_letters': 'Dead letters',
  '/operate/servers': 'Servers',
  '/operate/museums': 'Museums',
  '/operate/networks': 'Models',
  '/operate/webhooks': 'Webhooks',
  '/operate/books': 'Ledger',
  '/operate/desk': 'Pricing',
  '/operate/backup': 'Backup',
  '/operate/limits': 'Limits',
  '/operate/posts': 'Posts',
  '/operate/wallets': 'Wallets',
  '/operate/actions': 'Actions',
  '/operate/log': 'Log',
} as const;
export type OperatePath = keyof typeof OPERATE_PAGES;

/** The content of a page beside the navigation. */
export const sideNav = (current: OperatePath, body: Html): Html =>
  html`<div class="split aside operate"><nav aria-label="Operate"><ul>${Object.entries(OPERATE_PAGES).map(
    ([path, name]) =>
      html`<li><a href="${path}"${path === current ? html` aria-current="page"` : ''}>${name}</a></li>`,
  )}</ul></nav>
<div>${body}</div></div>`;
