import { html } from 'hono/html';
import type { Html } from '../../core/html/html_page.ts';

/** Content of a cell: text or trusted markup. */
export type Cell = string | number | Html;

/**
 * A table with the same column widths as every other ledger of the page.
 * @param heads column headings; an empty one is read as "Action" by screen readers
 */
export const ledger = (heads: readonly string[], rows: readonly (readonly Cell[])[]): Html =>
  html`<table class="ledger"><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head || html`<span class="unseen">Action</span>`}</th>`,
  )}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>`;
