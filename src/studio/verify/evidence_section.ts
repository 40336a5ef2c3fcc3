import { html } from 'hono/html';
import type { Html } from '../../pages/html_page.ts';
import { type EvidenceRow, LAWS, STATUSES } from './words.ts';

/** Marks of AI against two laws, measure by measure. */
export const evidenceSection = (rows: readonly EvidenceRow[]): Html =>
  html`<section><div class="head"><h2>Marks of AI, measure by measure</h2><p class="small quiet">What this file itself shows. Whom a law binds, and what else it asks, is not in a file.</p></div>
${[...Map.groupBy(rows, ({ law }) => law)].map(
  ([law, measures]) =>
    html`<h3>${LAWS[law]}</h3><dl class="rows wide measures">${measures.map(
      ({ measure, title, status, by, tested }) => {
        const { word, tone } = STATUSES[status];
        return html`<div><dt>${measure} ${title}</dt><dd class="${tone}">${word}</dd><dd>${by}${tested === null ? '' : html`<span>${tested}</span>`}</dd></div>`;
      },
    )}</dl>`,
)}</section>`;
