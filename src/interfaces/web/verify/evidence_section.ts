import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { type EvidenceRow, LAWS, outcomeOf } from './words.ts';

/** Marks of AI against two laws, measure by measure: what this server does, what its operator does, and what nothing covers. */
export const evidenceSection = (rows: readonly EvidenceRow[]): Html =>
  html`<section><div class="head"><h2>Marks of AI, measure by measure</h2><p class="small quiet">What this file shows of the measures this server carries out, and who carries out the others. Whom a law binds is not in a file.</p></div>
${[...Map.groupBy(rows, ({ law }) => law)].map(
  ([law, measures]) =>
    html`<h3>${LAWS[law]}</h3><dl class="rows wide measures">${measures.map((row) => {
      const { measure, title, by, tested } = row;
      const { word, tone } = outcomeOf(row);
      return html`<div><dt>${measure} ${title}</dt><dd class="${tone}">${word}</dd><dd>${by}${tested === null ? '' : html`<span>${tested}</span>`}</dd></div>`;
    })}</dl>`,
)}</section>`;
