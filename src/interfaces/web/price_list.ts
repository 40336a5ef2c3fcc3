import { html } from 'hono/html';
import type { Html } from '../../core/html/html_page.ts';
import { type AnyTool, CATEGORIES, type Category } from '../../features/definitions/tool.ts';
import { priceLabel } from './price_label.ts';

const HEADINGS: Record<Category, string> = {
  creative: 'Make and prove',
  dataset: 'Collection',
  storage: 'Keep',
  account: 'Account and catalogue',
};

/**
 * Every tool under what it is for, with its price.
 * @param level of its headings
 */
export const priceList = (tools: readonly AnyTool[], level: 2 | 3): Html =>
  html`<div class="board">${CATEGORIES.map(
    (category) => [HEADINGS[category], tools.filter((tool) => tool.category === category)] as const,
  )
    .filter(([, group]) => group.length > 0)
    .map(
      ([heading, group]) =>
        html`<div>${level === 2 ? html`<h2 class="minor">${heading}</h2>` : html`<h3>${heading}</h3>`}<ul>${group.map(
          ({ name, title, price }) =>
            html`<li><a href="/tools/${name}"><span>${title}</span> <span class="price">${priceLabel(price)}</span></a></li>`,
        )}</ul></div>`,
    )}</div>`;
