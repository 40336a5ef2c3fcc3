import { html } from 'hono/html';
import type { Html } from '../../core/html/html_page.ts';

/** What stands in a cell: text, or markup of ours. */
export type Cell = string | number | Html;

/**
 * A table whose columns have the same widths as those of every other table of its page.
 * @param heads of the columns; an empty one is hidden from screen readers
 */
export const ledger = (heads: readonly string[], rows: readonly (readonly Cell[])[]): Html =>
  html`<table class="ledger"><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head || html`<span class="unseen">Action</span>`}</th>`,
  )}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>`;
